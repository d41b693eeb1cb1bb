// lastbit-check: `lastbit check` as a separate program. It contains the kernel and the language but
// no prover, so an auditor need not trust or build more.
#include <algorithm>
#include <string>
#include <vector>

#include "cli/terminal/command.h"
#include "cli/terminal/exit_code.h"
#include "cli/terminal/guarded.h"

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
  return lastbit::cli::guarded("lastbit-check", arguments, [&](lastbit::cli::Sink& out) {
    if (arguments.size() == 1 && arguments.front() == "--version") {
      out.write("lastbit-check " LASTBIT_VERSION "\n");
      return lastbit::cli::kExitOk;
    }
    return lastbit::cli::run_check(arguments, out);
  });
}
