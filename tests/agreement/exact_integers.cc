// exact_integers: what an engine plans and computes for a release file under a fixed key, before
// any noise, for the test that compares all engines.
//
//   exact_integers SEED make DATABASE STATEMENTS     runs SQL in a DuckDB file
//   exact_integers SEED files RELEASE                the engine that reads the source of the file
//   exact_integers SEED memory RELEASE ROWS          the literal definition, of rows as JSON
//   exact_integers SEED parts RELEASE ROWS PARTS     the answers that parts are, one for each
//                                                    aggregation of the plan for these rows
//
// The key is SEED, 1, 2, 3. What is printed is JSON. It is private: this is no tool for data.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "lastbit/engines/duckdb/test_support.h"
#include "lastbit/engines/engines.h"
#include "lastbit/engines/kernel/partial_answer.h"
#include "lastbit/engines/memory/memory_engine.h"
#include "lastbit/release/run.h"
#include "lastbit/report/release/plan_position.h"
#include "lastbit/report/release/plan_report.h"

namespace lastbit {
namespace {

using nlohmann::ordered_json;

constexpr int kUsage = 64;

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void make_database(const std::string& path, const std::string& statements) {
  engine::unlocked(path, statements);
  if (testing::UnitTest::GetInstance()->ad_hoc_test_result().Failed()) {
    throw std::runtime_error("DuckDB cannot make the database");
  }
}

ordered_json answers_json(const ExactAnswers& answers) {
  ordered_json all = ordered_json::array();
  for (const auto& groups : answers) {
    ordered_json& one = all.emplace_back(ordered_json::array());
    for (const GroupAnswer& group : groups) {
      ordered_json key = ordered_json::array();
      ordered_json entries = ordered_json::array();
      for (const KeyValue& part : group.key) key.push_back(text_of(part));
      for (const auto& measure : group.entries) {
        ordered_json& numbers = entries.emplace_back(ordered_json::array());
        for (const Integer& number : measure) numbers.push_back(number.to_string());
      }
      one.push_back({std::move(key), std::move(entries)});
    }
  }
  return all;
}

ordered_json computed(const std::string& release_file, const Engine& engine,
                      const engine::SecretKey& key) {
  const ReleasePlan plan = plan_file(release_file, engine);
  ordered_json json;
  json["answers"] = answers_json(engine.aggregate(plan.release, plan.aggregations, key, {}, {}));
  json["plan"] = report::plan_json(report::report_plan(plan, {}, report::PlanReport::kGuessedRows));
  return json;
}

// wide_number: up to 38 digits.
Int128 wide_number(const std::string& digits) {
  const bool negative = digits.starts_with('-');
  Int128 number = 0;
  for (const char digit : digits.substr(negative ? 1 : 0)) number = number * 10 + (digit - '0');
  return negative ? -number : number;
}

// Each field is a text: numbers without their decimal point, days and microseconds since 1970.
MemoryValue field_value(const std::string& text, FieldType type) {
  switch (type.kind()) {
    case FieldType::kInteger:
      return static_cast<std::int64_t>(std::stoll(text));
    case FieldType::kReal:
      return std::strtod(text.c_str(), nullptr);
    case FieldType::kBoolean:
      return text == "true";
    case FieldType::kDate:
      return Date(std::chrono::sys_days(std::chrono::days(std::stoi(text))));
    case FieldType::kTimestamp:
      return Instant{std::stoll(text)};
    case FieldType::kDecimal:
      return Decimal{wide_number(text), type.decimals()};
    default:
      return text;
  }
}

MemoryTable memory_table(const std::string& path) {
  const std::map<std::string, FieldType> types = {
      {"integer", FieldType::kInteger}, {"real", FieldType::kReal},
      {"text", FieldType::kText},       {"boolean", FieldType::kBoolean},
      {"date", FieldType::kDate},       {"timestamp", FieldType::kTimestamp},
      {"price", FieldType::decimal(2)}, {"four", FieldType::decimal(4)},
      {"whole", FieldType::decimal(0)}};
  const ordered_json json = ordered_json::parse(contents(path));
  MemoryTable table;
  for (const auto& column : json.at("columns")) {
    table.columns.push_back({column.at(0), types.at(column.at(1))});
  }
  for (const auto& fields : json.at("rows")) {
    MemoryTable::Row& row = table.rows.emplace_back();
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const ordered_json& field = fields.at(i);
      row.push_back(field.is_null() ? std::nullopt
                                    : std::optional(field_value(field, table.columns[i].type)));
    }
  }
  return table;
}

// counted_elsewhere: parts are those of the same aggregations under the same key, or refused.
ordered_json counted_elsewhere(const std::string& release_file, const Engine& engine,
                               const engine::SecretKey& key, const std::string& parts_file) {
  const ReleasePlan plan = plan_file(release_file, engine);
  const ordered_json parts = ordered_json::parse(contents(parts_file));
  if (parts.size() != plan.aggregations.size()) throw std::runtime_error("other aggregations");
  ExactAnswers answers;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Aggregation& one = plan.aggregations[i];
    std::string bytes;
    for (const auto& byte : parts[i]) bytes += static_cast<char>(byte.get<int>());
    answers.push_back(answer_of(one, engine::decode_partial(one, key, bytes)));
  }
  return {{"answers", answers_json(answers)}};
}

int run(std::span<char*> arguments) {
  const std::vector<std::string> words(arguments.begin(), arguments.end());
  const auto is = [&](const char* word, std::size_t count) {
    return words.size() == count + 2 && words[1] == word;
  };
  const engine::SecretKey key{{words.empty() ? 0 : std::stoull(words[0]), 1, 2, 3}};
  if (is("make", 2)) {
    make_database(words[2], contents(words[3]));
  } else if (is("files", 1)) {
    fmt::print("{}\n", computed(words[2], engine_for_files(), key).dump());
  } else if (is("memory", 2)) {
    fmt::print("{}\n", computed(words[2], MemoryEngine(memory_table(words[3])), key).dump());
  } else if (is("parts", 3)) {
    const MemoryEngine rows(memory_table(words[3]));
    fmt::print("{}\n", counted_elsewhere(words[2], rows, key, words[4]).dump());
  } else {
    return kUsage;
  }
  return 0;
}

}  // namespace
}  // namespace lastbit

int main(int argc, char** argv) {
  try {
    return lastbit::run({argv + 1, static_cast<std::size_t>(argc - 1)});
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
  }
  return 1;
}
