#include <nlohmann/json.hpp>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/release/kinds/registry.h"
#include "lastbit/report/numbers/answer_numbers.h"
#include "lastbit/report/numbers/number_text.h"
#include "lastbit/report/release/budget_words.h"
#include "lastbit/report/release/plan_report.h"

namespace lastbit::report {
namespace {

using Json = nlohmann::ordered_json;

Json error_json(const PlannedError& error, const Integer& rows) {
  const auto size = error.at(rows);
  Json json = {{"unit", error.unit == ErrorUnit::kRows ? "rows" : "value"},
               {"at_most", json_of(size)},
               {"at_most_double", nullptr},
               {"for_rows", nullptr}};
  if (size) json["at_most_double"] = size->up();
  if (!error.always && error.for_rows) json["for_rows"] = rows.to_string();
  return json;
}

Json relative_json(const RelativeError& relative) {
  if (!relative.error) return nullptr;
  return {{"at_most_double", relative.error->up()}, {"for_rows", relative.rows.to_string()}};
}

Json part_json(const PlannedPart& part) {
  Json json = {{"name", part.name},
               {"mechanism", name_of(part.mechanism)},
               {"sensitivity", part.sensitivity},
               {"noise", part.noise},
               {"grid_exponent", nullptr},
               {"threshold", nullptr},
               {"cost", cost_as_json(part.cost)},
               {"alpha", part.alpha.to_string()},
               {"accuracy", part.accuracy.to_string()}};
  if (part.grid) json["grid_exponent"] = part.grid->exponent();
  if (part.threshold) json["threshold"] = *part.threshold;
  return json;
}

Json unit_json(const PrivacyUnit& unit) {
  const auto* by_id = std::get_if<IdUnit>(&unit);
  if (by_id == nullptr) return "row";
  return {{"id", by_id->column.value}};
}

Json ledger_json(const PlanReport& report) {
  Json json = {{"file", report.plan.ledger}, {"budget", nullptr},
               {"spent", nullptr},           {"left", nullptr},
               {"price", nullptr},           {"enough", nullptr},
               {"problem", nullptr},         {"refusal", nullptr}};
  if (!report.ledger) return json;
  const auto& [budget, spent, refusal] = *report.ledger;
  json["budget"] = cost_as_json(budget.cap());
  json["spent"] = cost_as_json(spent);
  json["left"] = cost_as_json(budget.left(spent));
  try {
    const Cost price = budget.price(report.plan.cost_for(budget.kind()));
    json["price"] = cost_as_json(price);
    json["enough"] = budget.after(spent, price).has_value();
  } catch (const Error& error) {
    json["enough"] = false;
    json["problem"] = error.problem();
  }
  if (refusal) json["refusal"] = refusal->problem();
  return json;
}

}  // namespace

Json cost_as_json(const Cost& cost) {
  switch (cost.kind()) {
    case LossKind::kPure:
      return {{"epsilon", cost.epsilon().to_string()}};
    case LossKind::kApproximate:
      return {{"epsilon", cost.epsilon().to_string()}, {"delta", cost.delta().to_string()}};
    case LossKind::kConcentrated:
      break;
  }
  Json json = {{"rho", cost.rho().to_string()}};
  if (cost.delta().sign() > 0) json["delta"] = cost.delta().to_string();
  return json;
}

Json plan_header_json(const ReleasePlan& plan) {
  const ReleaseFile& release = plan.release;
  return {{"version", 1},
          {"title", release.title},
          {"release_file", release.filename},
          {"digest", plan.digest},
          {"mechanisms", plan.mechanisms},
          {"source",
           {{"path", written_path(release.source)},
            {"format", name_of(release.source.format.value)},
            {"name", release.source.name}}},
          {"unit", unit_json(release.unit)},
          {"budget", cost_as_json(release.budget.cap.value)},
          {"cost", cost_as_json(plan.cost)},
          {"converted_cost", conversion_json(plan)},
          {"accounting", plan.mixed ? "mixed" : accounting_name(plan.accounting)},
          {"accounting_ways", accounting_json(plan)},
          {"guessed_rows", plan.guessed_rows.to_string()}};
}

Json planned_json(const PlannedStatistic& planned, const Integer& rows) {
  const Statistic& statistic = planned.statistic;
  Json by = Json::array();
  for (const auto& column : statistic.by) by.push_back(column.value);
  Json parts = Json::array();
  for (const PlannedPart& part : planned.parts) parts.push_back(part_json(part));
  return {{"name", statistic.name.value},
          {"kind", name_of(statistic.kind)},
          {"by", std::move(by)},
          {"confidence", statistic.confidence.value.to_string()},
          {"suppress_above",
           json_of(statistic.suppress_above ? std::optional(statistic.suppress_above->value)
                                            : std::nullopt)},
          {"max_rows_per_group", statistic.max_rows_per_group},
          {"max_groups", statistic.max_groups},
          {"cost", cost_as_json(planned.cost)},
          {"share", name_of(statistic.share.kind)},
          {"relative_error", relative_json(planned.relative)},
          {"accuracy", error_json(planned.accuracy, rows)},
          {"bias", error_json(planned.bias, rows)},
          {"parts", std::move(parts)},
          {"learns_from", planned.learns_from},
          {"steps", planned.steps},
          {"caveats", planned.caveats}};
}

Json plan_json(const PlanReport& report) {
  Json json = {{"document", "plan"}};
  json.update(plan_header_json(report.plan));
  json["ledger"] = ledger_json(report);
  Json statistics = Json::array();
  for (std::size_t i = 0; i < report.plan.statistics.size(); ++i) {
    Json one = planned_json(report.plan.statistics[i], report.rows);
    const auto half = report.half_error_of(i);
    one["half_error_cost"] = half ? cost_as_json(*half) : Json(nullptr);
    statistics.push_back(std::move(one));
  }
  json["statistics"] = std::move(statistics);
  return json;
}

}  // namespace lastbit::report
