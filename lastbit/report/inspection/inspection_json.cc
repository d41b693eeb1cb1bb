#include <nlohmann/json.hpp>
#include <string>

#include "lastbit/report/inspection/inspection_report.h"
#include "lastbit/report/numbers/number_text.h"

namespace lastbit::report {
namespace {

using Json = nlohmann::ordered_json;

Json number_or_null(const std::optional<double>& number) {
  return number ? Json(*number) : Json(nullptr);
}

Json column_json(const InspectedColumn& column) {
  Json first = Json::array();
  for (const UnreadableField& field : column.facts.first) {
    first.push_back({{"line", field.line ? Json(*field.line) : Json(nullptr)},
                     {"row", field.row},
                     {"text", field.text}});
    if (!field.file.empty()) first.back()["file"] = field.file;
  }
  return {{"column", column.name},
          {"type", std::string(name_of(column.type))},
          {"derived", column.derived},
          {"missing", column.facts.missing},
          {"not_of_the_type", column.facts.unreadable},
          {"first", first},
          {"lower", json_of(column.lower)},
          {"upper", json_of(column.upper)},
          {"below", column.below},
          {"above", column.above}};
}

Json keys_json(const InspectedKeys& keys) {
  Json frequent = Json::array();
  for (const KeyFacts::Key& key : keys.facts.frequent) {
    Json texts = Json::array();
    for (const KeyValue& part : key.key) texts.push_back(text_of(part));
    frequent.push_back({{"key", texts}, {"rows", key.rows}});
  }
  return {{"columns", keys.columns},
          {"not_a_key", keys.facts.unlisted},
          {"frequent", frequent},
          {"complete", keys.promised},
          {"rows_without_key", keys.promised ? Json(keys.broken) : Json(nullptr)}};
}

Json limits_json(const InspectedLimits& limits) {
  Json choices = Json::array();
  for (const LimitChoice& choice : limits.choices) {
    choices.push_back({{"max_rows_per_group", choice.max_rows},
                       {"max_groups", choice.max_groups},
                       {"count", choice.kept},
                       {"noise", number_or_null(choice.noise)}});
  }
  return {{"countable", limits.countable},
          {"once_per_group", limits.in_use.once_per_group},
          {"choices", choices}};
}

Json number_json(const InspectedNumber& number) {
  Json choices = Json::array();
  for (const BoundChoice& choice : number.choices) {
    choices.push_back({{"lower", json_of(choice.lower)},
                       {"upper", json_of(choice.upper)},
                       {"below", choice.below},
                       {"above", choice.above},
                       {"noise", number_or_null(choice.noise)}});
  }
  return {{"column", number.column}, {"values", number.values}, {"choices", choices}};
}

Json statistic_json(const InspectedStatistic& inspected) {
  Json numbers = Json::array();
  for (const InspectedNumber& number : inspected.numbers) numbers.push_back(number_json(number));
  Json json = {{"name", inspected.statistic.name.value},
               {"with_condition", inspected.facts.with_condition},
               {"with_unit", inspected.facts.with_unit},
               {"with_keys", inspected.facts.with_keys},
               {"with_values", inspected.facts.with_values},
               {"units", nullptr},
               {"limits", nullptr},
               {"bounds", numbers}};
  if (!inspected.limits) return json;
  json["units"] = unit_count(inspected.facts.shapes);
  json["limits"] = limits_json(*inspected.limits);
  return json;
}

}  // namespace

nlohmann::ordered_json findings_json(const std::vector<Finding>& findings) {
  Json list = Json::array();
  for (const Finding& finding : findings) {
    list.push_back({{"level", name_of(finding.level)},
                    {"share", finding.share},
                    {"statistics", finding.statistics},
                    {"problem", finding.problem},
                    {"remedy", finding.remedy}});
  }
  return list;
}

nlohmann::ordered_json inspection_json(const Inspection& inspection) {
  Json columns = Json::array();
  for (const InspectedColumn& column : inspection.columns) columns.push_back(column_json(column));
  Json keys = Json::array();
  for (const InspectedKeys& one : inspection.keys) keys.push_back(keys_json(one));
  Json statistics = Json::array();
  for (const InspectedStatistic& one : inspection.statistics) {
    statistics.push_back(statistic_json(one));
  }
  return {{"private", private_notice(inspection)},
          {"file", inspection.file},
          {"rows", inspection.rows},
          {"unit", inspection.unit ? Json(*inspection.unit) : Json(nullptr)},
          {"units", inspection.unit ? Json(inspection.units) : Json(nullptr)},
          {"columns", columns},
          {"keys", keys},
          {"statistics", statistics},
          {"findings", findings_json(findings_of(inspection))}};
}

}  // namespace lastbit::report
