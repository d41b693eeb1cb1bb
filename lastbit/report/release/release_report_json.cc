#include <nlohmann/json.hpp>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/release/plan/reliability.h"
#include "lastbit/release/plan_ledger.h"
#include "lastbit/report/numbers/answer_numbers.h"
#include "lastbit/report/numbers/number_text.h"
#include "lastbit/report/release/plan_report.h"
#include "lastbit/report/release/release_report.h"

namespace lastbit::report {
namespace {

using Json = nlohmann::ordered_json;

Json key_json(const KeyValue& key) {
  if (const auto* flag = std::get_if<bool>(&key)) return *flag;
  if (const auto* whole = std::get_if<std::int64_t>(&key)) return *whole;
  return text_of(key);
}

// add_number: the exact number under `name`, and the double beside it. An infinite one becomes
// null.
void add_number(Json& json, const std::string& name, const std::optional<Rational>& value,
                double near) {
  json[name] = json_of(value);
  json[name + "_double"] = value ? Json(near) : Json(nullptr);
}

Json answer_json(const Statistic& statistic, const AnswerLine& line) {
  Json group = Json::object();
  for (std::size_t i = 0; i < line.group.size(); ++i) {
    group[statistic.by.at(i).value] = key_json(line.group[i]);
  }
  Json json = {{"group", std::move(group)},
               {"cell", line.cell.empty() ? Json(nullptr) : Json(line.cell)},
               {"choice", line.choice ? key_json(*line.choice) : Json(nullptr)}};
  add_number(json, "answer", line.value, line.value ? nearest_double(*line.value) : 0);
  const auto lower = line.interval ? std::optional(line.interval->lower) : std::nullopt;
  const auto upper = line.interval ? std::optional(line.interval->upper) : std::nullopt;
  add_number(json, "lower", lower, lower ? lower->down() : 0);
  add_number(json, "upper", upper, upper ? upper->up() : 0);
  const auto reliability = reliability_of(line);
  json["reliability"] = reliability ? Json(name_of(*reliability)) : Json(nullptr);
  json["cut"] = line.cut;
  json["suppressed"] = line.suppressed;
  if (line.bounds) {
    json["bounds_found"] = {line.bounds->lower.to_string(), line.bounds->upper.to_string()};
  }
  return json;
}

Json ledger_json(const ReleasePlan& plan, const Release& release) {
  const LedgerEntry& entry = release.entry;
  return {{"file", published_ledger(plan)},
          {"entry", entry.id},
          {"time", entry.time},
          {"hash", entry.hash},
          {"price", cost_as_json(entry.price)},
          {"total", cost_as_json(entry.total)},
          {"left", cost_as_json(release.left)},
          {"completed", release.completed}};
}

}  // namespace

Json release_json(const ReleasePlan& plan, const Release& release) {
  invariant(plan.statistics.size() == release.answers.size(), "every statistic has its answers");
  Json json = {{"document", "release"}};
  json.update(plan_header_json(plan));
  json["ledger"] = ledger_json(plan, release);
  Json statistics = Json::array();
  for (std::size_t i = 0; i < release.answers.size(); ++i) {
    Json one = planned_json(plan.statistics[i], PlanReport::kGuessedRows);
    Json answers = Json::array();
    for (const AnswerLine& line : release.answers[i].lines) {
      answers.push_back(answer_json(plan.statistics[i].statistic, line));
    }
    one["answers"] = std::move(answers);
    one["notes"] = release.answers[i].notes;
    statistics.push_back(std::move(one));
  }
  json["statistics"] = std::move(statistics);
  return json;
}

}  // namespace lastbit::report
