#include "lastbit/verify/stability/report.h"

#include <fmt/core.h>

namespace lastbit::verify {
namespace {

// A fraction too long to be read at a glance, with its value beside it.
std::string readable(const std::string& distance) {
  constexpr std::size_t kGlance = 12;
  const bool fraction = distance.find_first_not_of("0123456789/") == std::string::npos &&
                        distance.find('/') != std::string::npos;
  if (!fraction || distance.size() <= kGlance) return distance;
  return fmt::format("{} (about {})", distance, rational(distance).down());
}

}  // namespace

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
                      readable(v.d_in), readable(v.d_out), readable(v.promised));
  return text;
}

}  // namespace lastbit::verify
