#include "lastbit/engines/kernel/summed_rows.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <type_traits>
#include <utility>
#include <variant>

#include "lastbit/base/error.h"
#include "lastbit/engines/kernel/content_plan.h"
#include "lastbit/engines/kernel/merged_rows.h"

namespace lastbit::engine {
namespace {

constexpr int kLeastExponent = -1000;  // so that a step is a double, and its inverse
constexpr int kMostBits = 52;          // of steps, so that multiples of the grid are doubles

// summed_field: nothing if its steps cannot be added up elsewhere.
std::optional<SummedField> summed_field(const SteppedField& field) {
  const FieldType type = field.field.type;
  const bool real = type == FieldType::kReal;
  if ((!real && type != FieldType::kInteger) || field.impute) return std::nullopt;
  if (field.grid_exponent > 0 || field.grid_exponent < kLeastExponent) return std::nullopt;
  const StepRange range = step_range(field);
  const Integer lowest = Integer(range.lowest) + field.offset;
  const Integer highest = Integer(range.highest) + field.offset;
  if (abs(lowest).bit_length() > kMostBits || abs(highest).bit_length() > kMostBits) {
    return std::nullopt;
  }
  const auto [lower, upper] = inner_bounds(field);
  return SummedField{{field.field.name, type}, lower.down(),      upper.up(),
                     field.grid_exponent,      lowest.to_int64(), highest.to_int64()};
}

// Uses: what aggregations need of the columns of a source.
class Uses {
 public:
  void add(const Aggregation& aggregation) {
    if (aggregation.where) add_fields(*aggregation.where);
    for (const KeyColumn& key : key_columns(aggregation)) add_field(aggregation, key.name);
    const ContentPlan plan = plan_contents(aggregation);
    std::vector<bool> only_sums(plan.contents.size(), true);
    for (const TallyStep& step : plan.measures) {
      if (step.kind == TallyKind::kSum || step.contents() == 0) continue;
      only_sums[step.first] = false;
      if (step.contents() == 2) only_sums[step.second] = false;
    }
    for (std::size_t i = 0; i < plan.contents.size(); ++i) {
      add_content(aggregation, plan.contents[i], only_sums[i]);
    }
  }

  std::vector<SummedField> summed(std::span<const RowColumn> columns) const {
    std::vector<SummedField> all;
    for (const RowColumn& column : columns) {
      const auto found = sums_.find(column.name);
      const bool once = std::ranges::count(columns, column.name, &RowColumn::name) == 1;
      if (found == sums_.end() || fields_.contains(column.name) || !once) continue;
      if (found->second.column == column) all.push_back(found->second);
    }
    return all;
  }

 private:
  void add_fields(const RowExpression& expression) {
    for (const RowColumn& column : columns_of(expression)) fields_.insert(column.name);
  }
  void add_field(const Aggregation& aggregation, const std::string& name) {
    const RowExpression* derived = find_derived(aggregation, name);
    if (derived != nullptr) return add_fields(*derived);
    fields_.insert(name);
  }
  void add_content(const Aggregation& aggregation, const ContentField& content, bool only_sums) {
    const std::string& name = content.field.name;
    const bool derived = find_derived(aggregation, name) != nullptr;
    // How many are present comes with a sum.
    if (!derived && std::holds_alternative<PresentField>(content.content)) return;
    const auto* stepped = std::get_if<SteppedField>(&content.content);
    const auto sum =
        stepped != nullptr && only_sums && !derived ? summed_field(*stepped) : std::nullopt;
    if (!sum) return add_field(aggregation, name);
    const auto known = sums_.emplace(name, *sum).first;
    if (known->second != *sum) fields_.insert(name);
  }

  std::set<std::string> fields_;  // the columns whose fields are needed
  std::map<std::string, SummedField> sums_;
};

}  // namespace

std::vector<SummedField> summed_fields(std::span<const Aggregation> aggregations,
                                       std::span<const RowColumn> columns) {
  Uses uses;
  for (const Aggregation& aggregation : aggregations) uses.add(aggregation);
  return uses.summed(columns);
}

std::optional<MergePlan> plan_merge(const ReleaseFile& release,
                                    std::span<const Aggregation> aggregations,
                                    std::span<const RowColumn> columns) {
  const bool rows_are_units = std::ranges::none_of(aggregations, [](const Aggregation& one) {
    return std::holds_alternative<UnitColumn>(one.unit);
  });
  if (!rows_are_units) return std::nullopt;
  if (declared_rows(release, columns)) return MergePlan{{columns.begin(), columns.end()}, {}};
  MergePlan plan{{}, summed_fields(aggregations, columns)};
  for (const RowColumn& column : columns) {
    const bool summed = std::ranges::count(plan.sums, column, &SummedField::column) > 0;
    if (!summed) plan.keys.push_back(column);
  }
  if (plan.sums.empty() || !declared_rows(release, plan.keys)) return std::nullopt;
  return plan;
}

RowExpander::RowExpander(std::vector<RowColumn> columns, MergePlan plan, std::string place)
    : plan_(std::move(plan)), place_(std::move(place)), levels_(plan_.sums.size()) {
  for (const RowColumn& column : columns) {
    const auto key = std::ranges::find(plan_.keys, column);
    const auto sum = std::ranges::find(plan_.sums, column, &SummedField::column);
    invariant((key != plan_.keys.end()) != (sum != plan_.sums.end()), "a column is a key or a sum");
    Column& added = columns_.emplace_back();
    added.summed = sum != plan_.sums.end();
    added.place = static_cast<std::size_t>(added.summed ? sum - plan_.sums.begin()
                                                        : key - plan_.keys.begin());
  }
}

void RowExpander::refuse() const {
  throw Error(ErrorCode::kBadInput, place_, "gives sums that no rows have",
              "look at the server or the cluster that adds them up");
}

// The steps of `present` rows whose sum is `total` differ by at most one.
RowExpander::Levels RowExpander::levels_of(const SummedField& field, std::int64_t times,
                                           std::int64_t present, Int128 total) const {
  if (present < 0 || present > times || (present == 0 && total != 0)) refuse();
  if (present == 0) return {};
  const Int128 remainder = (total % present + present) % present;
  const Int128 step = (total - remainder) / present;
  const Int128 highest = step + (remainder > 0 ? 1 : 0);
  if (step < field.lowest || highest > field.highest) refuse();
  return {static_cast<std::int64_t>(remainder), present, static_cast<std::int64_t>(step)};
}

void RowExpander::expand(std::span<const FieldBatch> keys, const FieldBatch& times,
                         std::span<const Sum> sums, std::size_t rows) {
  fields_.clear();
  times_.clear();
  for (Column& column : columns_) {
    column.integers.clear();
    column.wides.clear();
    column.reals.clear();
    column.texts.clear();
    column.validity.clear();
  }
  for (std::size_t row = 0; row < rows; ++row) {
    if (times.is_missing(row) || times.value<std::int64_t>(row) < 0) refuse();
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const auto present = sums[i].present.value<std::int64_t>(row);
      if (sums[i].present.is_missing(row)) refuse();
      if (present > 0 && sums[i].total.is_missing(row)) refuse();
      const Int128 total = sums[i].total.is_missing(row) ? 0 : sums[i].total.value<Int128>(row);
      levels_[i] = levels_of(plan_.sums[i], times.value<std::int64_t>(row), present, total);
    }
    add_rows(row, times.value<std::int64_t>(row), keys);
  }
  for (const Column& column : columns_) fields_.push_back(batch_of(column, keys));
}

// A merged row for each stretch of equal rows in which no column changes its step.
void RowExpander::add_rows(std::size_t row, std::int64_t times, std::span<const FieldBatch> keys) {
  for (std::int64_t first = 0; first < times;) {
    std::int64_t end = times;
    for (const Levels& levels : levels_) {
      if (first < levels.higher) end = std::min(end, levels.higher);
      if (first < levels.present) end = std::min(end, levels.present);
    }
    for (Column& column : columns_) {
      if (column.summed) {
        add_step(column, first);
      } else {
        add_key(column, keys[column.place], row);
      }
    }
    times_.push_back(end - first);
    first = end;
  }
}

void RowExpander::add_step(Column& column, std::int64_t first) {
  const SummedField& field = plan_.sums[column.place];
  const Levels& levels = levels_[column.place];
  mark(column, first < levels.present);
  const std::int64_t step = levels.step + (first < levels.higher ? 1 : 0);
  if (field.column.type == FieldType::kInteger) {
    column.integers.push_back(step);
  } else {
    column.reals.push_back(std::ldexp(static_cast<double>(step), field.exponent));
  }
}

void RowExpander::add_key(Column& column, const FieldBatch& key, std::size_t row) {
  const bool present = !key.is_missing(row);
  mark(column, present);
  const auto append = [&](const auto& values) {
    using Value = std::remove_cvref_t<decltype(values[0])>;
    const Value value = present ? values[row] : Value();
    if constexpr (std::is_same_v<Value, std::int64_t>) column.integers.push_back(value);
    if constexpr (std::is_same_v<Value, Int128>) column.wides.push_back(value);
    if constexpr (std::is_same_v<Value, double>) column.reals.push_back(value);
    if constexpr (std::is_same_v<Value, std::string_view>) column.texts.push_back(value);
  };
  std::visit(append, key.values);
}

void RowExpander::mark(Column& column, bool present) {
  const std::size_t row = times_.size();
  if (row % 64 == 0) column.validity.push_back(0);
  column.validity.back() |= std::uint64_t{present} << (row % 64);
}

FieldBatch RowExpander::batch_of(const Column& column, std::span<const FieldBatch> keys) const {
  FieldBatch batch;
  batch.validity = column.validity.empty() ? nullptr : column.validity.data();
  const bool real = column.summed && plan_.sums[column.place].column.type == FieldType::kReal;
  const auto same_kind = [&](const auto& values) {
    using Value = std::remove_cvref_t<decltype(values[0])>;
    if constexpr (std::is_same_v<Value, std::int64_t>) batch.values = std::span(column.integers);
    if constexpr (std::is_same_v<Value, Int128>) batch.values = std::span(column.wides);
    if constexpr (std::is_same_v<Value, double>) batch.values = std::span(column.reals);
    if constexpr (std::is_same_v<Value, std::string_view>) batch.values = std::span(column.texts);
  };
  if (column.summed) {
    if (real) {
      batch.values = std::span<const double>(column.reals);
    } else {
      batch.values = std::span<const std::int64_t>(column.integers);
    }
  } else {
    std::visit(same_kind, keys[column.place].values);
  }
  return batch;
}

}  // namespace lastbit::engine
