// Findings: what is likely wrong with a release, in words, most serious first. They are private.
#pragma once

#include <string>
#include <vector>

#include "lastbit/release/inspect/inspect.h"

namespace lastbit::report {

enum class FindingLevel {
  kSerious,  // answers will be wrong, or about something else than is meant
  kNotable,  // a part of the rows is lost or changed
  kHint,     // the noise could be smaller
};
// name_of: "serious", "notable", "hint".
std::string name_of(FindingLevel level);

struct Finding {
  FindingLevel level = FindingLevel::kHint;
  double share = 0;                     // of the rows or values that it is about
  std::vector<std::string> statistics;  // those that it is about; none: all that use the column
  std::string problem;                  // sentences; names and fields are safe to show
  std::string remedy;
};

// findings_of: each problem once, most serious first.
std::vector<Finding> findings_of(const Inspection& inspection);

// share_text: a part of a whole, as in "35 %" or "less than 0.1 %"; "100 %" only for all of it.
std::string share_text(double part, double whole);
// amount_text: rows, as in 1,234; with "about" where they are not a whole number.
std::string amount_text(double rows);
// field_text: an unreadable field, as in: line 40, '1e+05'.
std::string field_text(const UnreadableField& field);

}  // namespace lastbit::report
