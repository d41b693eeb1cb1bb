// An inspection, on a terminal and as JSON. All of it is private, and says so.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "lastbit/release/inspect/inspect.h"
#include "lastbit/report/inspection/findings.h"
#include "lastbit/report/table.h"

namespace lastbit::report {

// private_notice: the first line of everything that shows an inspection.
std::string private_notice(const Inspection& inspection);

// findings_text: what is likely wrong, most serious first; one line where nothing is.
std::string findings_text(const std::vector<Finding>& findings, const Paint& paint,
                          std::size_t width);
// findings_json: a list.
nlohmann::ordered_json findings_json(const std::vector<Finding>& findings);

// inspection_text: columns, statistics, what other limits and bounds would keep and cost, findings.
std::string inspection_text(const Inspection& inspection, const Paint& paint, std::size_t width);
nlohmann::ordered_json inspection_json(const Inspection& inspection);

}  // namespace lastbit::report
