#include "cli/demo/survey_table.h"

#include <algorithm>
#include <array>

#include "lastbit/base/error.h"
#include "lastbit/sources/csv_file.h"
#include "lastbit/sources/field_text.h"

namespace lastbit::cli {
namespace {

constexpr std::array<std::string_view, 5> kColumns = {"age", "hours", "income", "region", "sex"};

void append(SurveyTable& survey, const source::RawTable& table) {
  const auto column = [&](std::size_t number, auto& out, auto read) {
    for (const source::RawField& field : table.column(number)) {
      out.push_back(field ? read(*field) : std::nullopt);
    }
  };
  const auto text = [](std::string_view field) { return std::optional(std::string(field)); };
  column(0, survey.age, source::read_integer);
  column(1, survey.hours, source::read_real);
  column(2, survey.income, source::read_real);
  column(3, survey.region, text);
  column(4, survey.sex, text);
}

}  // namespace

SurveyTable read_survey(const std::filesystem::path& file) {
  SurveyTable survey;
  try {
    source::CsvFile csv(file, {});
    std::vector<std::size_t> wanted;
    for (const std::string_view name : kColumns) {
      const auto found = std::ranges::find(csv.columns(), name);
      if (found == csv.columns().end()) {
        throw Error(ErrorCode::kBadInput, file.string(), "is not a survey of this program",
                    "make one with lastbit generate");
      }
      wanted.push_back(static_cast<std::size_t>(found - csv.columns().begin()));
    }
    source::Chunk chunk;
    while (csv.next(chunk)) {
      source::for_each_table(csv, chunk, wanted,
                             [&](const source::RawTable& table) { append(survey, table); });
    }
  } catch (const source::Malformed& malformed) {
    source::refuse_malformed(file, malformed);
  }
  return survey;
}

}  // namespace lastbit::cli
