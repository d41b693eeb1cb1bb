// How a plan divides its budget and adds up losses, in sentences for people.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "lastbit/release/plan/plan.h"

namespace lastbit::report {

// sharing_words: how the budget was shared, where the file leaves that to the plan; otherwise
// empty. accounting_words: which accounting was chosen, and what the other would have given; empty
// where there was no choice. conversion_words: how rhos were turned into an epsilon, where the law
// of the noise says more than the rhos; otherwise empty.
std::string sharing_words(const ReleasePlan& plan);
std::string accounting_words(const ReleasePlan& plan);
std::string conversion_words(const ReleasePlan& plan);

// accounting_json: which ways were considered, the chosen one first. conversion_json: the cost as an
// epsilon and a delta, or null. The keys are in docs/reports.md.
nlohmann::ordered_json conversion_json(const ReleasePlan& plan);
nlohmann::ordered_json accounting_json(const ReleasePlan& plan);

}  // namespace lastbit::report
