#include "cli/reports.h"

#include <fmt/format.h>

namespace lastbit::cli {

std::string verdict(const verify::StabilityReport& report) {
  return report.holds() ? "no violation" : "VIOLATION";
}

std::string duration(double seconds) {
  if (seconds < 0.001) return "<1 ms";
  return seconds < 1 ? fmt::format("{:.0f} ms", seconds * 1000) : fmt::format("{:.1f} s", seconds);
}

std::string indented(const std::string& text, std::size_t spaces) {
  std::string out;
  bool at_start = true;
  for (const char c : text) {
    if (at_start && c != '\n') out.append(spaces, ' ');
    out += c;
    at_start = c == '\n';
  }
  return out;
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

std::string dumped(const nlohmann::ordered_json& document) {
  using Handler = nlohmann::ordered_json::error_handler_t;
  return document.dump(2, ' ', false, Handler::replace) + "\n";
}

}  // namespace lastbit::cli
