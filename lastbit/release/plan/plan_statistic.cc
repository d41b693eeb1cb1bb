#include "lastbit/release/plan/plan_statistic.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lastbit/release/plan/plan_aggregation.h"
#include "lastbit/statistics/estimate.h"

namespace lastbit::release_internal {
namespace {

using Table = TableDomain::Carrier;
using Lines = std::vector<AnswerLine>;

// Draft: a statistic before its groups are named and its keys found.
struct Draft {
  std::vector<PlannedPart> parts;
  PlannedError accuracy;
  PlannedError bias;
  std::function<Lines(const Table&, BitSource&)> release;
};

AnswerLine line_of(const GroupAnswer& group, std::string cell, const Estimate& estimate) {
  return {group.key, std::move(cell), std::nullopt, estimate.answer,
          Range{estimate.lower, estimate.upper}};
}

// column_of: what estimates need to know about a centred field; offsets are numbers, not steps.
CentredColumn column_of(const SteppedField& field) {
  const StepRange range = step_range(field);
  const Grid grid(field.grid_exponent);
  return {grid.point(field.offset), 1, {grid.point(range.lowest), grid.point(range.highest)}};
}

// mean_error_of: an upper bound of the mean of |error|, hence of the bias, where the error exceeds
// error(α) with probability α at most, and `width` never. Proof: proofs/release.md#bias
Rational mean_error_of(const std::function<Rational(const Rational& alpha)>& error,
                       const Rational& width) {
  constexpr int kHalvings = 40;
  Rational sum = 0;
  Rational alpha = 1;
  for (int i = 0; i < kHalvings; ++i) {
    alpha /= Rational(2);
    sum += alpha * std::min(error(alpha), width);
  }
  return sum + alpha * width;
}

class Drafter {
 public:
  Drafter(const ReleaseFile& release, const Statistic& statistic, const Aggregation& aggregation,
          std::size_t measure, const LossShare& share)
      : release_(release),
        aggregation_(aggregation),
        measure_(measure),
        share_(share),
        alpha_(Rational(1) - statistic.confidence.value) {}

  Draft operator()(const CountStatistic&) const { return numbers("number of rows", {""}); }
  Draft operator()(const UnitsStatistic&) const { return numbers("number of units", {""}); }
  Draft operator()(const CategoryStatistic& s) const {
    return numbers("rows of each category", category_names(s));
  }
  Draft operator()(const BinStatistic& s) const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i + 1 < s.edges.size(); ++i) {
      names.push_back(fmt::format("[{}, {}{}", s.edges[i].to_string(), s.edges[i + 1].to_string(),
                                  i + 2 == s.edges.size() ? "]" : ")"));
    }
    return numbers("rows of each bin", std::move(names));
  }

  Draft operator()(const SumStatistic& s) const {
    const SteppedField field = stepped_field(release_, s.column, false);
    const NoisyNumbers sum =
        noisy_sums("sum", aggregation_, entry(1), field.grid_exponent, share_, alpha_);
    Draft draft;
    draft.parts = {sum.part};
    draft.accuracy.always = sum.part.accuracy;
    draft.bias.always = sum.bias;
    draft.release = [sum](const Table& table, BitSource& bits) {
      return each(table, sum.release(table, bits), [&](const Rational& value) {
        return estimate_number({value, sum.part.accuracy});
      });
    };
    return draft;
  }

  Draft operator()(const MeanStatistic& s) const {
    const SteppedField field = stepped_field(release_, s.column, true);
    const CentredColumn column = column_of(field);
    const int step = field.grid_exponent;
    return quotient(
        {{"number of rows", 0}, {"sum of distances from the middle", step}},
        [column](const Integer& rows, const std::vector<Rational>& errors) {
          return mean_error(column, rows, errors[0], errors[1]);
        },
        [column](const std::vector<Measured>& m) { return estimate_mean(column, m[0], m[1]); },
        (column.offsets.upper - column.offsets.lower) * column.unit);
  }
  Draft operator()(const VarianceStatistic& s) const {
    const SteppedField field = stepped_field(release_, s.column, true);
    const CentredColumn column = column_of(field);
    const int step = field.grid_exponent;
    return quotient(
        {{"number of rows", 0},
         {"sum of distances from the middle", step},
         {"sum of their squares", 2 * step}},
        [column](const Integer& rows, const std::vector<Rational>& errors) {
          return std::min(
              covariance_error(column, column, rows, {errors[0], errors[1], errors[1], errors[2]}),
              largest_covariance(column, column));
        },
        [column](const std::vector<Measured>& m) {
          return estimate_variance(column, m[0], m[1], m[2]);
        },
        largest_covariance(column, column));
  }
  Draft operator()(const CovarianceStatistic& s) const {
    const SteppedField one = stepped_field(release_, s.first, true);
    const SteppedField other = stepped_field(release_, s.second, true);
    const CentredColumn first = column_of(one);
    const CentredColumn second = column_of(other);
    return quotient(
        {{"number of rows", 0},
         {"sum of the first's distances from the middle", one.grid_exponent},
         {"sum of the second's distances from the middle", other.grid_exponent},
         {"sum of their products", one.grid_exponent + other.grid_exponent}},
        [first, second](const Integer& rows, const std::vector<Rational>& errors) {
          return covariance_error(first, second, rows,
                                  {errors[0], errors[1], errors[2], errors[3]});
        },
        [first, second](const std::vector<Measured>& m) {
          return estimate_covariance(first, second, m[0], m[1], m[2], m[3]);
        },
        Rational(2) * largest_covariance(first, second));
  }

  Draft operator()(const QuantileStatistic& s) const {
    const std::vector<Rational> cells = quantile_cells(release_, s);
    const LossShare share = share_.divided(s.levels.size());
    Draft draft;
    std::vector<Chooser> choosers;
    std::vector<std::string> names;
    draft.accuracy.unit = ErrorUnit::kRows;
    draft.accuracy.always = Rational(0);
    for (const Rational& level : s.levels) {
      choosers.push_back(
          quantile_chooser(aggregation_, measure_, quantile_level(level), share, alpha_));
      names.push_back(level.to_string());
      draft.parts.push_back(choosers.back().part);
      draft.accuracy.always = std::max(*draft.accuracy.always, choosers.back().part.accuracy);
    }
    draft.release = [cells, choosers, names](const Table& table, BitSource& bits) {
      Lines lines(table.size() * choosers.size());
      for (std::size_t i = 0; i < choosers.size(); ++i) {
        const auto chosen = choosers[i].release(table, bits);
        for (std::size_t group = 0; group < table.size(); ++group) {
          lines[group * choosers.size() + i] = {table[group].key, names[i], std::nullopt,
                                                cells[chosen[group].front()], std::nullopt};
        }
      }
      return lines;
    };
    return draft;
  }

  Draft operator()(const TopStatistic& s) const {
    const auto& counts = std::get<CategoryCounts>(aggregation_.measures[measure_]);
    const auto k = static_cast<std::size_t>(s.k);
    const Chooser top = top_chooser(aggregation_, all_entries(), k, share_, alpha_);
    Draft draft;
    draft.parts = {top.part};
    draft.accuracy = {ErrorUnit::kRows, top.part.accuracy, nullptr};
    draft.release = [top, keys = keys_of(counts)](const Table& table, BitSource& bits) {
      Lines lines;
      const auto chosen = top.release(table, bits);
      for (std::size_t group = 0; group < table.size(); ++group) {
        for (std::size_t place = 0; place < chosen[group].size(); ++place) {
          lines.push_back({table[group].key, std::to_string(place + 1), keys[chosen[group][place]],
                           std::nullopt, std::nullopt});
        }
      }
      return lines;
    };
    return draft;
  }

 private:
  static std::vector<KeyValue> keys_of(const CategoryCounts& counts) {
    if (const auto* list = std::get_if<std::vector<KeyValue>>(&counts.categories)) return *list;
    const auto& range = std::get<RangeKeys>(counts.categories);
    std::vector<KeyValue> keys;
    for (std::int64_t i = 0; i <= range.last - range.first; ++i) keys.emplace_back(range.first + i);
    return keys;
  }
  std::vector<std::string> category_names(const CategoryStatistic& s) const {
    std::vector<std::string> names;
    for (const KeyValue& key : keys_of(std::get<CategoryCounts>(aggregation_.measures[measure_]))) {
      names.push_back(text_of(key));
    }
    if (s.other) names.emplace_back("(other)");
    return names;
  }

  EntryRange entry(std::size_t first) const { return {measure_, first, 1}; }
  EntryRange all_entries() const {
    return {measure_, 0, entry_count(aggregation_.measures[measure_])};
  }

  // each: a line for every group, `estimate` of its number.
  template <class F>
  static Lines each(const Table& table, const std::vector<Rational>& numbers, F estimate) {
    Lines lines;
    lines.reserve(table.size());
    for (std::size_t group = 0; group < table.size(); ++group) {
      lines.push_back(line_of(table[group], "", estimate(numbers[group])));
    }
    return lines;
  }

  // numbers: noisy counts are the answers, one for each of the names.
  Draft numbers(const std::string& name, std::vector<std::string> names) const {
    const NoisyNumbers counts = noisy_counts(name, aggregation_, all_entries(), share_, alpha_);
    Draft draft;
    draft.parts = {counts.part};
    draft.accuracy.always = counts.part.accuracy;
    draft.bias.always = counts.bias;
    draft.release = [counts, names = std::move(names)](const Table& table, BitSource& bits) {
      const std::vector<Rational> noisy = counts.release(table, bits);
      Lines lines;
      lines.reserve(noisy.size());
      for (std::size_t i = 0; i < noisy.size(); ++i) {
        lines.push_back(line_of(table[i / names.size()], names[i % names.size()],
                                estimate_number({noisy[i], counts.part.accuracy})));
      }
      return lines;
    };
    return draft;
  }

  // quotient: the answer is `estimate` of the measure's entries, each with its noise; `error` bounds
  // its error from theirs, `width` in any case.
  struct QuotientPart {
    std::string name;
    int step_exponent;
  };
  template <class Error, class F>
  Draft quotient(const std::vector<QuotientPart>& parts, Error error, F estimate,
                 const Rational& width) const {
    const LossShare share = share_.divided(parts.size());
    const Rational alpha = alpha_ / Rational(parts.size());
    std::vector<NoisyNumbers> noisy;
    Draft draft;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const auto& [name, step] = parts[i];
      noisy.push_back(i == 0 ? noisy_counts(name, aggregation_, entry(i), share, alpha)
                             : noisy_sums(name, aggregation_, entry(i), step, share, alpha));
      draft.parts.push_back(noisy.back().part);
    }
    const auto error_at = [noisy, error](const Integer& rows, const Rational& total) {
      std::vector<Rational> errors;
      for (const NoisyNumbers& part : noisy) {
        errors.push_back(part.error(total / Rational(noisy.size())));
      }
      return error(rows, errors);
    };
    draft.accuracy.for_rows = [error_at, total = alpha_](const Integer& rows) {
      return error_at(rows, total);
    };
    draft.bias.for_rows = [error_at, width](const Integer& rows) {
      return mean_error_of([&](const Rational& total) { return error_at(rows, total); }, width);
    };
    draft.release = [noisy, estimate](const Table& table, BitSource& bits) {
      std::vector<std::vector<Rational>> numbers;
      for (const NoisyNumbers& part : noisy) numbers.push_back(part.release(table, bits));
      Lines lines;
      lines.reserve(table.size());
      for (std::size_t group = 0; group < table.size(); ++group) {
        std::vector<Measured> measured;
        for (std::size_t i = 0; i < noisy.size(); ++i) {
          measured.push_back({numbers[i][group], noisy[i].part.accuracy});
        }
        lines.push_back(line_of(table[group], "", estimate(measured)));
      }
      return lines;
    };
    return draft;
  }

  const ReleaseFile& release_;
  const Aggregation& aggregation_;
  std::size_t measure_;
  LossShare share_;
  Rational alpha_;
};

// counts_units: finding the groups already counts what the statistic asks for.
bool counts_units(const ReleaseFile& release, const Statistic& statistic) {
  if (discovers_categories(statistic)) return true;
  if (std::holds_alternative<UnitsStatistic>(statistic.kind)) return true;
  const auto* count = std::get_if<CountStatistic>(&statistic.kind);
  return count != nullptr && (!count->column || count->column->impute) &&
         std::holds_alternative<RowUnit>(release.unit);
}

// found_counts: the groups that are found, with the counts they were found by.
Draft found_counts(const GroupFinder& finder) {
  Draft draft;
  draft.parts = {finder.part};
  draft.accuracy.always = finder.part.accuracy;
  draft.release = [finder](const Table& table, BitSource& bits) {
    Lines lines;
    for (const FoundGroup& found : finder.release(table, bits)) {
      lines.push_back(line_of(table[found.group], "",
                              estimate_number({Rational(found.count), finder.part.accuracy})));
    }
    return lines;
  };
  return draft;
}

// among_found: the draft, for the groups that are found.
Draft among_found(const GroupFinder& finder, Draft draft) {
  draft.parts.insert(draft.parts.begin(), finder.part);
  draft.release = [finder, rest = std::move(draft.release)](const Table& table, BitSource& bits) {
    Table found;
    for (const FoundGroup& group : finder.release(table, bits)) found.push_back(table[group.group]);
    return rest(found, bits);
  };
  return draft;
}

// Lines about found categories: the last key of the group is the category. `top` ranks them.
Lines with_categories(Lines lines, const std::optional<std::int64_t>& top) {
  for (AnswerLine& line : lines) {
    if (top) line.choice = line.group.back();
    line.cell = text_of(line.group.back());
    line.group.pop_back();
  }
  if (!top) return lines;
  std::ranges::sort(lines, [](const AnswerLine& a, const AnswerLine& b) {
    // Larger counts first; equal ones by name, so that the order says nothing else.
    return std::tuple(a.group, *b.value, a.cell) < std::tuple(b.group, *a.value, b.cell);
  });
  Lines best;
  std::int64_t place = 0;
  for (AnswerLine& line : lines) {
    place = best.empty() || best.back().group != line.group ? 1 : place + 1;
    if (place > *top) continue;
    line.cell = std::to_string(place);
    best.push_back(std::move(line));
  }
  return best;
}

// in_order_of_by: keys of groups, which stand in the order of the aggregation, in that of `by`.
std::function<void(KeyTuple&)> in_order_of_by(const Statistic& statistic,
                                              const Aggregation& aggregation) {
  std::vector<std::size_t> order;
  const std::vector<KeyColumn> columns = key_columns(aggregation);
  for (const auto& name : statistic.by) {
    const auto column = std::ranges::find(columns, name.value, &KeyColumn::name);
    order.push_back(static_cast<std::size_t>(column - columns.begin()));
  }
  return [order](KeyTuple& key) {
    KeyTuple sorted;
    sorted.reserve(order.size());
    for (const std::size_t column : order) sorted.push_back(key[column]);
    key = std::move(sorted);
  };
}

Draft draft_of(const ReleaseFile& release, const Statistic& statistic,
               const Aggregation& aggregation, const StatisticPlace& place,
               const LossShare& share) {
  const auto rest = [&](const LossShare& left) {
    invariant(place.measure.has_value(), "a statistic has a measure");
    return std::visit(Drafter(release, statistic, aggregation, *place.measure, left),
                      statistic.kind);
  };
  if (!place.units || !statistic.discover) return rest(share);
  const bool all = counts_units(release, statistic);
  const GroupFinder finder =
      group_finder(aggregation, {*place.units, 0, 1}, all ? share.loss : share.divided(2).loss,
                   *statistic.discover, Rational(1) - statistic.confidence.value);
  return all ? found_counts(finder) : among_found(finder, rest(share.divided(2)));
}

}  // namespace

QuantileLevel quantile_level(const Rational& level) {
  return {level.numerator().to_int64(), level.denominator().to_int64()};
}

PlannedStatistic plan_statistic(const ReleaseFile& release, const Statistic& statistic,
                                const Aggregation& aggregation, const StatisticPlace& place,
                                const LossShare& share) {
  Draft draft = draft_of(release, statistic, aggregation, place, share);
  std::optional<std::int64_t> top;
  if (const auto* kind = std::get_if<TopStatistic>(&statistic.kind)) top = kind->k;
  PlannedStatistic planned{.statistic = statistic,
                           .aggregation = place.aggregation,
                           .measure = place.measure.value_or(0),
                           .parts = std::move(draft.parts),
                           .cost = Cost::pure(0),
                           .accuracy = std::move(draft.accuracy),
                           .bias = std::move(draft.bias),
                           .steps = {},
                           .caveats = {},
                           .release = nullptr};
  planned.release =
      [release_lines = std::move(draft.release), found = discovers_categories(statistic), top,
       reorder = in_order_of_by(statistic, aggregation)](const Table& table, BitSource& bits) {
        Lines lines = release_lines(table, bits);
        if (found) lines = with_categories(std::move(lines), top);
        for (AnswerLine& line : lines) reorder(line.group);
        return lines;
      };
  planned.steps = steps_in_words(release, planned, aggregation);
  planned.caveats = caveats_in_words(planned, aggregation);
  return planned;
}

}  // namespace lastbit::release_internal
