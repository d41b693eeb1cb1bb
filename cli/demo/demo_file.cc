#include "cli/demo/demo_file.h"

#include <fmt/core.h>

#include <vector>

#include "cli/commands/init_text.h"
#include "cli/demo/survey.h"
#include "lastbit/release/file/canonical.h"

namespace lastbit::cli {
namespace {

constexpr const char* kHead =
    R"( Everything in a release file is public: it says what is
# published, and nothing that only the data could tell. Its format: docs/release-file.md
version = 1
title = "A survey of invented households"
)";

constexpr const char* kUnitAndBudget = R"(
# Whose privacy is protected? Here it is whole households: from the answers nobody can tell whether
# one took part. A household has a row for each of its people, so the column that holds it together
# is named, and how much of one household counts. That is enforced, not hoped for.
[unit]
id = "household_id"
max_rows_per_group = 4   # of larger households four people are drawn by lot, anew in every release
max_groups = 1           # a household lives in one region; statistics about more groups say so below

[budget]
epsilon = 1              # the most that this release may give away about any household
ledger = "survey.ledger" # remembers it, so that releases cannot be repeated until the noise averages out

# What is known about the columns without looking at the data. Groups are made by these keys and no
# others: that somebody of a rare kind is there at all would give them away. Children, who have other
# educations, are in no group of these.
[columns]
)";

constexpr const char* kStatisticsText = R"(
# What to publish. What nobody claims of the budget is shared out by weight, which is 1 by default.
[[statistics]]
name = "people"
kind = "count"
by = "region"
accuracy = 250           # instead of a weight: it gets what an error of at most 250 people takes

[[statistics]]
name = "households"
kind = "count_units"     # units, that is households, instead of rows
by = "region"

[[statistics]]
name = "mean income"
kind = "mean"            # of those who gave one; a noisy sum divided by a noisy count
column = "income"
by = "region"
weight = 3               # means are worth more to us, so they get more of the budget

[[statistics]]
name = "mean income by education and sex"
kind = "mean"
column = "income"
by = ["education", "sex"]
max_rows_per_group = 1   # the noise grows with both numbers,
max_groups = 3           # so a household counts in three of the 15 groups, with a person in each
weight = 3

[[statistics]]
name = "ages"
kind = "histogram"
column = "age"
bins = { from = 0, to = 100, width = 10 }

[[statistics]]
name = "spread of ages"
kind = "variance"
column = "age"

[[statistics]]
name = "income quantiles"
kind = "quantiles"       # chosen among candidates, with a probability that grows as they fit
column = "income"
quantiles = [0.1, 0.25, 0.5, 0.75, 0.9]
step = 250               # answers are 0, 250, 500, ...

[[statistics]]
name = "largest regions"
kind = "top"
column = "region"
k = 3
)";

// keys_of: a declaration of these keys, with a new line after every six.
std::string keys_of(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i % 6 == 0 ? ",\n  " : ", ";
    text += toml_string(names[i]);
  }
  return "{ keys = [" + text + "] }";
}

}  // namespace

std::string demo_file(std::uint64_t seed) {
  // Who is still at school has no income, so the first two educations are no groups.
  auto educations = survey_educations();
  educations.erase(educations.begin(), educations.begin() + 2);
  const std::string columns = fmt::format(
      "region = {}\n"
      "sex = {}\n"
      "education = {}\n"
      "age = {{ type = \"integer\", lower = 0, upper = 100 }}     # CSV files have no types\n"
      "income = {{ type = \"real\", lower = 0, upper = 150_000 }}  # what is above counts as "
      "150,000\n",
      keys_of(survey_regions()), keys_of(survey_sexes()), keys_of(educations));
  const std::string source = fmt::format(
      "source = {{ path = \"survey.csv\", name = \"invented survey, seed {}\" }}\n", seed);
  return kDemoMark + std::string(kHead) + source + kUnitAndBudget + columns + kStatisticsText;
}

}  // namespace lastbit::cli
