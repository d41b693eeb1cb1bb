#include "cli/commands/reports.h"

#include <nlohmann/json.hpp>

namespace lastbit::cli {

std::string verdict(const verify::StabilityReport& report) {
  return report.holds() ? "no violation" : "VIOLATION";
}

nlohmann::ordered_json report_as_json(const TimedReport& timed_report) {
  const verify::StabilityReport& report = timed_report.report;
  nlohmann::ordered_json json = {
      {"method", report.method}, {"inputs", report.members},
      {"pairs", report.pairs},   {"undecided", report.undecided.to_string()},
      {"holds", report.holds()}, {"seconds", timed_report.seconds},
      {"violation", nullptr}};
  if (!report.violation) return json;
  const verify::Violation& v = *report.violation;
  json["violation"] = {{"kind", v.kind},       {"x", v.x},
                       {"x_prime", v.x_prime}, {"output", v.output},
                       {"d_in", v.d_in},       {"output_prime", v.output_prime},
                       {"d_out", v.d_out},     {"promised", v.promised}};
  return json;
}

}  // namespace lastbit::cli
