// keyed_question: what the package asked of rows elsewhere (lastbit/engines/parts/question.h), with
// another key, so that a test can ask several engines under one key.
//
//   keyed_question SEED ORDER OLD NEW
//
// The key is SEED, 1, 2, 3. With the ORDER "any", rows need not come sorted by unit.
#include <fmt/format.h>

#include <exception>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "lastbit/engines/parts/question.h"

namespace {

void change_key(const std::string& seed, std::string_view order, const std::string& from,
                const std::string& to) {
  std::ifstream file(from, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  lastbit::engine::PartQuestion question = lastbit::engine::decode_question(bytes);
  question.key = {{std::stoull(seed), 1, 2, 3}};
  if (order == "any") question.order = lastbit::engine::RowOrder::kAny;
  std::ofstream(to, std::ios::binary) << lastbit::engine::encode_question(question);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc != 5) return 64;
    change_key(argv[1], argv[2], argv[3], argv[4]);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
  }
  return 1;
}
