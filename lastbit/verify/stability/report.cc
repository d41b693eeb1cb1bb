#include "lastbit/verify/stability/report.h"

#include <fmt/format.h>

namespace lastbit::verify {

std::string explain(const StabilityReport& report) {
  std::string text = fmt::format("{}: {} ({}: {} inputs, {} pairs)\n", report.name,
                                 report.holds() ? "no violation" : "VIOLATION", report.method,
                                 report.members, report.pairs);
  if (!report.violation) return text;
  const Violation& v = *report.violation;
  text += fmt::format("  {}\n", v.kind);
  text += fmt::format("  x     = {}\n  x'    = {}\n", v.x, v.x_prime);
  text += fmt::format("  f(x)  = {}\n  f(x') = {}\n", v.output, v.output_prime);
  text += fmt::format("  inputs are {} apart, outputs {} apart, the relation promises at most {}\n",
                      v.d_in, v.d_out, v.promised);
  return text;
}

}  // namespace lastbit::verify
