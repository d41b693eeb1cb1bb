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
# published, and nothing that only the data could reveal. Its format: docs/release-file.md
version = 1
title = "A survey of invented households"
)";

constexpr const char* kUnitAndBudget = R"(
# Whose privacy is protected? Here it is whole households: nobody can tell from the answers whether
# one took part. A household has one row per person, so the file names the column that identifies
# households and limits how much of each one counts. The limits are enforced, not assumed.
[unit]
id = "household_id"
max_rows_per_group = 4   # of larger households, four people are drawn at random in each release
max_groups = 1           # a household lives in one region; statistics that need more say so below
noun = "household"       # what the report calls a unit

# Words for readers of the report. They change nothing that is released.
[publication]
publisher = "Office of Invented Statistics"
period = "One invented year"
notes = "All people, places and numbers are invented."

[budget]
epsilon = 1              # the most that this release may reveal about any household
ledger = "survey.ledger" # records it: otherwise releases could be repeated until noise averages out

# What is known about the columns without looking at the data. Only these keys form groups: a group
# of a rare kind would give people away by its mere existence. Children, who have other levels of
# education, are in none of the education groups.
[columns]
)";

constexpr const char* kStatisticsText = R"(
# What to publish. The unclaimed part of the budget is shared by weight, which is 1 by default.
[[statistics]]
name = "people"
title = "People by region"
kind = "count"
by = "region"
accuracy = 250           # instead of a weight: it gets what an error of at most 250 people costs

[[statistics]]
name = "households"
title = "Households by region"
kind = "count_units"     # counts units (here households) instead of rows
by = "region"

[[statistics]]
name = "mean income"
title = "Mean income by region, in crowns"
kind = "mean"            # of the people who stated one; a noisy sum divided by a noisy count
column = "income"
by = "region"
weight = 3               # means matter more to us, so they get more of the budget

[[statistics]]
name = "mean income by education and sex"
kind = "mean"
column = "income"
by = ["education", "sex"]
max_rows_per_group = 1   # the noise grows with both numbers,
max_groups = 3           # so a household counts in at most 3 of the 15 groups, one person in each
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
kind = "quantiles"       # chosen at random among candidates; the better the fit, the likelier
column = "income"
quantiles = [0.1, 0.25, 0.5, 0.75, 0.9]
step = 250               # answers are 0, 250, 500, ...

[[statistics]]
name = "largest regions"
kind = "top"
column = "region"
k = 3
)";

// keys_of: a declaration of these keys, with a line break after every six.
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
  // People who are still at school have no income, so the first two education levels form no
  // groups.
  auto educations = survey_educations();
  educations.erase(educations.begin(), educations.begin() + 2);
  const std::string columns = fmt::format(
      "region = {}\n"
      "sex = {}\n"
      "education = {}\n"
      "age = {{ type = \"integer\", lower = 0, upper = 100, unit = \"years\" }}     # CSV files "
      "have no "
      "types\n"
      "income = {{ type = \"real\", lower = 0, upper = 150_000, unit = \"crowns\" }}  # what is "
      "above "
      "counts as 150,000\n",
      keys_of(survey_regions()), keys_of(survey_sexes()), keys_of(educations));
  const std::string source = fmt::format(
      "source = {{ path = \"survey.csv\", name = \"invented survey, seed {}\" }}\n", seed);
  return kDemoMark + std::string(kHead) + source + kUnitAndBudget + columns + kStatisticsText;
}

}  // namespace lastbit::cli
