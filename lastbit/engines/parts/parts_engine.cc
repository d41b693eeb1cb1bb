#include "lastbit/engines/parts/parts_engine.h"

#include <algorithm>
#include <optional>

#include "lastbit/base/error.h"
#include "lastbit/engines/parts/part_maker.h"
#include "lastbit/engines/parts/unit_keys.h"

namespace lastbit {
namespace {

// Rows can be sorted by one unit only.
bool have_one_unit(std::span<const Aggregation> aggregations) {
  return std::ranges::all_of(aggregations, [&](const Aggregation& one) {
    const auto* unit = std::get_if<UnitColumn>(&one.unit);
    const auto* first = std::get_if<UnitColumn>(&aggregations[0].unit);
    if (unit == nullptr || first == nullptr) return unit == first;
    return unit->name == first->name && unit->type == first->type;
  });
}

// can_add_up: whether the fields of these columns are binary numbers. Others would be cast where
// the rows lie, which fails for a field that does not fit, or makes it another number.
bool can_add_up(std::span<const SchemaColumn> columns, const engine::MergePlan& plan) {
  return std::ranges::all_of(plan.sums, [&](const engine::SummedField& field) {
    const auto found = std::ranges::find(columns, field.column.name, &SchemaColumn::name);
    if (found == columns.end() || !found->type) return false;
    const ColumnKind kind = found->type->kind;
    return kind == ColumnKind::kInteger || kind == ColumnKind::kFloat ||
           kind == ColumnKind::kDouble;
  });
}

std::optional<engine::MergePlan> plan_there(const ReleaseFile& release,
                                            std::span<const SchemaColumn> columns,
                                            std::span<const Aggregation> aggregations,
                                            std::span<const RowColumn> wanted) {
  std::optional<engine::MergePlan> plan = engine::plan_merge(release, aggregations, wanted);
  if (!plan || !can_add_up(columns, *plan)) return std::nullopt;
  return plan;
}

RowsNeeded rows_needed(const ReleaseFile& release, std::span<const SchemaColumn> columns,
                       const engine::PartQuestion& question) {
  RowsNeeded needed;
  const engine::PartMaker maker(question, "rows");
  const auto plan = plan_there(release, columns, question.aggregations, maker.columns());
  needed.merged = plan.has_value();
  if (plan) needed.sums = plan->sums;
  for (const RowColumn& column : plan ? plan->keys : maker.columns()) {
    const auto known = std::ranges::find(needed.columns, column.name);
    if (known == needed.columns.end()) needed.columns.push_back(column.name);
  }
  const Aggregation& first = question.aggregations[0];
  const auto* unit = std::get_if<UnitColumn>(&first.unit);
  needed.by_unit = unit != nullptr;
  if (unit != nullptr && engine::is_plain_unit(first)) needed.unit = unit->name;
  return needed;
}

}  // namespace

std::vector<SchemaColumn> PartsEngine::read_schema(const ReleaseFile& /*release*/) const {
  return columns_;
}

ExactAnswers PartsEngine::aggregate(const ReleaseFile& release,
                                    std::span<const Aggregation> aggregations,
                                    const engine::SecretKey& key,
                                    const engine::EngineLimits& limits,
                                    const engine::Progress& progress) const {
  ExactAnswers answers;
  if (aggregations.empty()) return answers;
  invariant(have_one_unit(aggregations), "the aggregations of a release have one unit");
  engine::PartQuestion question;
  question.aggregations.assign(aggregations.begin(), aggregations.end());
  question.key = key;
  question.memory_bytes = limits.memory_bytes;
  const RowsNeeded needed = rows_needed(release, columns_, question);
  if (!needed.by_unit) question.order = engine::RowOrder::kAny;
  PartTexts parts = ask_(engine::encode_question(question), needed);
  if (parts.empty()) parts.resize(aggregations.size());  // there is no place with rows
  invariant(parts.size() == aggregations.size(), "there are parts for each aggregation");
  for (std::size_t i = 0; i < aggregations.size(); ++i) {
    const Aggregation& one = aggregations[i];
    answers.push_back(answer_of(one, engine::merge_parts(one, key, parts[i])));
    if (progress) {
      progress(static_cast<double>(i + 1) / static_cast<double>(aggregations.size()));
    }
  }
  return answers;
}

}  // namespace lastbit
