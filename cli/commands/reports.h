// Stability reports as the subcommands show them.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>

#include "lastbit/base/stopwatch.h"
#include "lastbit/report/document.h"
#include "lastbit/verify/stability/report.h"

namespace lastbit::cli {

struct TimedReport {
  verify::StabilityReport report;
  double seconds = 0;
};

// timed: the report that `check` returns, and how long that took.
template <class F>
TimedReport timed(const F& check) {
  const Stopwatch watch;
  auto report = check();
  const double seconds = watch.seconds();
  return {std::move(report), seconds};
}

// verdict: "no violation" or "VIOLATION". Only a check of a whole finite domain proves anything, so
// the word is not "proved".
std::string verdict(const verify::StabilityReport& report);

nlohmann::ordered_json report_as_json(const TimedReport& timed_report);

}  // namespace lastbit::cli
