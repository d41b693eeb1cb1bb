#include "cli/survey_table.h"

#include <array>
#include <utility>

#include "lastbit/base/error.h"
#ifdef LASTBIT_DUCKDB
#include "lastbit/engines/duckdb/database.h"
#endif

namespace lastbit::cli {

#ifdef LASTBIT_DUCKDB

SurveyTable read_survey(const std::filesystem::path& file) {
  const std::array<WantedColumn, 5> requests = {{{"age", ColumnType::kInteger},
                                                 {"hours", ColumnType::kReal},
                                                 {"income", ColumnType::kReal},
                                                 {"region", ColumnType::kText},
                                                 {"sex", ColumnType::kText}}};
  std::vector<Column> columns = read_columns(file, requests);
  using Integers = std::vector<std::optional<std::int64_t>>;
  using Reals = std::vector<std::optional<double>>;
  using Texts = std::vector<std::optional<std::string>>;
  return {.age = std::get<Integers>(std::move(columns.at(0))),
          .hours = std::get<Reals>(std::move(columns.at(1))),
          .income = std::get<Reals>(std::move(columns.at(2))),
          .region = std::get<Texts>(std::move(columns.at(3))),
          .sex = std::get<Texts>(std::move(columns.at(4)))};
}

#else

SurveyTable read_survey(const std::filesystem::path& file) {
  throw Error(ErrorCode::kNotSupported, file.string(), "this build of lastbit reads no files",
              "build it with DuckDB, which ./run build fetches");
}

#endif

}  // namespace lastbit::cli
