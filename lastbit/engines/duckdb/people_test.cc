// The tables of test_support.h.
#include <duckdb.h>
#include <fmt/core.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>
#include <stdexcept>
#include <system_error>

#include "lastbit/base/text.h"
#include "lastbit/engines/duckdb/test_support.h"

namespace lastbit::engine {
namespace {

std::string decimal(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "1e999" : "-1e999";
  std::array<char, 64> digits;
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr};
}

std::string iso(std::chrono::sys_days day) {
  const std::chrono::year_month_day date(day);
  return fmt::format("{:04}-{:02}-{:02}", int(date.year()), unsigned(date.month()),
                     unsigned(date.day()));
}

constexpr std::array<const char*, 12> kNames = {"table",  "id",     "town",   "year",
                                                "weight", "visits", "member", "born",
                                                "paid",   "opens",  "price",  "serial"};
constexpr std::array<const char*, 12> kTypes = {"BIGINT",    "BIGINT", "VARCHAR",      "BIGINT",
                                                "DOUBLE",    "BIGINT", "BOOLEAN",      "DATE",
                                                "TIMESTAMP", "TIME",   "DECIMAL(9,2)", "UBIGINT"};

std::string clock_text(std::int64_t micros) {
  const std::int64_t seconds = micros / 1'000'000;
  return fmt::format("{:02}:{:02}:{:02}.{:06}", seconds / 3'600, seconds / 60 % 60, seconds % 60,
                     micros % 1'000'000);
}

std::string price_text(std::int64_t cents) {
  const std::int64_t size = cents < 0 ? -cents : cents;
  return fmt::format("{}{}.{:02}", cents < 0 ? "-" : "", size / 100, size % 100);
}

std::array<std::optional<std::string>, 12> texts_of(const Person& person) {
  std::array<std::optional<std::string>, 12> texts;
  texts[0] = std::to_string(person.table);
  if (person.id) texts[1] = std::to_string(*person.id);
  texts[2] = person.town;
  if (person.year) texts[3] = std::to_string(*person.year);
  if (person.weight) texts[4] = decimal(*person.weight);
  if (person.visits) texts[5] = std::to_string(*person.visits);
  if (person.member) texts[6] = *person.member ? "true" : "false";
  if (person.born) texts[7] = iso(*person.born);
  texts[8] = person.paid;
  if (person.opens) texts[9] = clock_text(*person.opens);
  if (person.cents) texts[10] = price_text(*person.cents);
  if (person.serial) texts[11] = std::to_string(*person.serial);
  return texts;
}

std::string separated(const std::vector<Person>& people, std::string_view separator) {
  std::string out = joined(std::vector<std::string>(kNames.begin(), kNames.end()), separator);
  out += "\n";
  for (const Person& person : people) {
    std::vector<std::string> fields;
    // Quoted, an empty text differs from a missing one.
    for (const auto& text : texts_of(person)) fields.push_back(text ? "\"" + *text + "\"" : "");
    out += joined(fields, separator) + "\n";
  }
  return out;
}

std::string json(const std::vector<Person>& people, bool array) {
  std::vector<std::string> lines;
  for (const Person& person : people) {
    const auto texts = texts_of(person);
    std::vector<std::string> fields;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      constexpr std::array<std::string_view, 4> kQuoted = {"VARCHAR", "DATE", "TIMESTAMP", "TIME"};
      const bool quoted = std::ranges::count(kQuoted, kTypes[i]) > 0;
      const bool bare = texts[i] && !quoted && *texts[i] != "nan";
      const std::string value = !texts[i] ? "null" : bare ? *texts[i] : "\"" + *texts[i] + "\"";
      fields.push_back(fmt::format("\"{}\": {}", kNames[i], value));
    }
    lines.push_back("{" + joined(fields, ", ") + "}");
  }
  if (!array) return joined(lines, "\n") + "\n";
  return " [" + joined(lines, ",\n") + "]";
}

// The columns of a CSV file of people, as they are.
std::string typed_columns() {
  std::vector<std::string> columns;
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    columns.push_back(fmt::format("TRY_CAST(\"{0}\" AS {1}) AS \"{0}\"", kNames[i], kTypes[i]));
  }
  return joined(columns, ", ");
}

double corner_weight(Dice& dice) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  constexpr std::array<double, 20> kCorners = {
      0.0,  -0.0,  5e-324, -5e-324, 0.125, 0.375,  -0.125,  0.49999999999999994,
      8,    8.125, -4.0,   -4.125,  1e308, -1e308, 1.0 / 3, 1e22,
      kInf, -kInf, 1e17,   -1e-300};
  switch (dice.below(4)) {
    case 0:
      return std::bit_cast<double>(dice.word());
    case 1: {
      const double corner = kCorners[static_cast<std::size_t>(dice.below(kCorners.size()))];
      const double side = dice.below(2) == 0 ? -kInf : kInf;
      return dice.below(2) == 0 ? corner : std::nextafter(corner, side);
    }
    default:
      return static_cast<double>(dice.below(400) - 150) / 16;
  }
}

}  // namespace

Scratch::Scratch() {
  std::string pattern = std::filesystem::temp_directory_path() / "lastbit_engine_XXXXXX";
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no scratch folder");
  folder_ = std::filesystem::canonical(pattern);
}

Scratch::~Scratch() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::filesystem::path Scratch::write(const std::string& name, const std::string& text) const {
  std::ofstream(folder_ / name, std::ios::binary) << text;
  return folder_ / name;
}

void unlocked(const std::filesystem::path& database, const std::string& sql) {
  duckdb_database engine = nullptr;
  duckdb_connection connection = nullptr;
  ASSERT_EQ(duckdb_open(database.empty() ? nullptr : database.c_str(), &engine), DuckDBSuccess);
  ASSERT_EQ(duckdb_connect(engine, &connection), DuckDBSuccess);
  EXPECT_EQ(duckdb_query(connection, sql.c_str(), nullptr), DuckDBSuccess) << sql;
  duckdb_disconnect(&connection);
  duckdb_close(&engine);
}

void unlocked(const std::string& sql) { unlocked({}, sql); }

FieldType paid_type() {
  auto zone = TimeZone::find("Europe/Berlin");
  if (std::holds_alternative<ZoneProblem>(zone)) zone = TimeZone::find("+02:00");
  return FieldType::timestamp(*std::get<const TimeZone*>(zone));
}

namespace {

// add_further: fields that have their own dice, so that the others stay as they are without them.
void add_further(Dice& dice, Person& person) {
  // Around changes of the clocks in Berlin.
  constexpr std::array<const char*, 8> kPaid = {
      "2026-03-29 01:59:59.999999", "2026-03-29 02:30:00",       "2026-03-29T03:30:00",
      "2026-10-25 02:30:00.5",      "2026-10-25 03:00",          "1969-12-31 23:59:59",
      "0000-01-01 00:30:00",        "9999-12-31 23:59:59.999999"};
  constexpr std::array<std::uint64_t, 6> kSerials = {
      0, 1, 2, 12, std::uint64_t{1} << 63, std::numeric_limits<std::uint64_t>::max()};
  if (dice.below(10) > 0) person.paid = kPaid[static_cast<std::size_t>(dice.below(kPaid.size()))];
  if (dice.below(10) > 0) person.opens = dice.below(24) * 3'600'000'000 + dice.below(2);
  if (dice.below(10) > 0) person.cents = dice.below(1'000) - 300;
  if (dice.below(10) > 0) {
    person.serial = kSerials[static_cast<std::size_t>(dice.below(kSerials.size()))];
  }
}

}  // namespace

std::vector<Person> random_people(Dice& dice, std::int64_t tables, std::int64_t most_rows) {
  constexpr std::array<const char*, 5> kTowns = {"Ayr", "Bath", "Cork", "", "Deal"};
  std::vector<Person> people;
  Dice further(static_cast<std::uint64_t>(tables));
  for (std::int64_t table = 0; table < tables; ++table) {
    const std::int64_t rows = dice.below(most_rows + 1);
    for (std::int64_t row = 0; row < rows; ++row) {
      Person person;
      person.table = table;
      // Different tables have different ids.
      if (dice.below(10) > 0) person.id = table * 100 + dice.below(4);
      if (dice.below(10) > 0) person.town = kTowns[static_cast<std::size_t>(dice.below(5))];
      if (dice.below(10) > 0) person.year = 1998 + dice.below(5);
      if (dice.below(10) > 0) person.weight = corner_weight(dice);
      if (dice.below(10) > 0) person.visits = dice.below(9) - 2;
      if (dice.below(10) > 0) person.member = dice.below(2) == 1;
      if (dice.below(10) > 0) {
        person.born = std::chrono::sys_days(std::chrono::days(dice.below(4) - 2));
      }
      add_further(further, person);
      people.push_back(person);
      // Identical rows must be interchangeable, so there are some.
      if (dice.below(4) == 0) people.push_back(person);
    }
  }
  return people;
}

DataSource written(const Scratch& scratch, const std::string& name,
                   const std::vector<Person>& people, Writing writing) {
  DataSource source;
  if (writing == Writing::kTsv) {
    source.delimiter = '\t';
    source.path = scratch.write(name, separated(people, "\t"));
    return source;
  }
  if (writing == Writing::kJsonLines || writing == Writing::kJsonArray) {
    source.format = FileFormat::kJson;
    source.path = scratch.write(name, json(people, writing == Writing::kJsonArray));
    return source;
  }
  source.path = scratch.write(name, separated(people, ","));
  if (writing == Writing::kCsv) return source;
  const std::string rows = fmt::format(
      "SELECT {} FROM read_csv('{}', header = true, all_varchar = true, nullstr = '', delim = ',', "
      "quote = '\"', escape = '\"', allow_quoted_nulls = false)",
      typed_columns(), source.path.string());
  const std::filesystem::path file = scratch.path(name + ".typed");
  source.path = file;
  if (writing == Writing::kParquet) {
    source.format = FileFormat::kParquet;
    unlocked(fmt::format("COPY ({}) TO '{}' (FORMAT parquet)", rows, file.string()));
  } else {
    source.format = FileFormat::kDuckDb;
    source.table = "the people";
    unlocked(file, fmt::format("CREATE TABLE \"the people\" AS {}", rows));
  }
  return source;
}

}  // namespace lastbit::engine
