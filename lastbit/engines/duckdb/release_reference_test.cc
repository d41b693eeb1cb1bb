// The truths of release_test_support.h: from the exact answers of the engine, and from rows, by a
// program that knows neither plans nor engines.
#include <algorithm>
#include <charconv>
#include <fstream>
#include <set>

#include "lastbit/engines/duckdb/release_test_support.h"
#include "lastbit/numerics/ball.h"

namespace lastbit::engine {
namespace {

Rational square(const Rational& x) { return x * x; }

// root_ratio: x/√square, rounded to 200 bits.
Rational root_ratio(const Rational& x, const Rational& square) {
  if (x.sign() == 0) return 0;
  const Rational size = sqrt(Ball(x * x / square, 200)).lower_rational();
  return x.sign() < 0 ? -size : size;
}

// OfEntries: the truth of one group from the entries of its measure.
struct OfEntries {
  const std::vector<Integer>& entries;

  GroupTruth operator()(const RowCount& /*count*/) const { return counts(); }
  GroupTruth operator()(const UnitCount& /*count*/) const { return counts(); }
  GroupTruth operator()(const DistinctCount& /*count*/) const { return counts(); }
  GroupTruth operator()(const BinCounts& /*bins*/) const { return counts(); }
  GroupTruth operator()(const StepSum& sum) const {
    const Rational unit = Rational::two_to(sum.field.grid_exponent);
    const Rational total = Rational(entries[1]) * unit;
    GroupTruth truth{entries[0].to_int64(), {}, {}, {}};
    truth.numbers = {total + Rational(entries[0]) * Rational(sum.field.offset) * unit};
    return truth;
  }
  GroupTruth operator()(const SquareSum& sum) const {
    const Rational unit = Rational::two_to(sum.field.grid_exponent);
    return spread(Rational(entries[1]), Rational(entries[1]), Rational(entries[2]), square(unit));
  }
  GroupTruth operator()(const PairSum& sum) const {
    GroupTruth truth{entries[0].to_int64(), {}, {}, {}};
    const Rational divisor = Rational(entries[2]) * Rational::two_to(sum.second.grid_exponent);
    if (divisor.sign() == 0) return truth;
    truth.numbers = {Rational(entries[1]) * Rational::two_to(sum.first.grid_exponent) / divisor};
    return truth;
  }
  GroupTruth operator()(const ProductSum& sum) const {
    if (sum.squares) return correlation();
    return spread(Rational(entries[1]), Rational(entries[2]), Rational(entries[3]),
                  Rational::two_to(sum.first.grid_exponent + sum.second.grid_exponent));
  }
  // The statistic depends on the bounds that are found, so there is no single truth.
  GroupTruth operator()(const LadderSum& ladder) const {
    GroupTruth truth;
    for (std::size_t i = 0; i < ladder.cells(); ++i) truth.rows += entries[i].to_int64();
    return truth;
  }
  GroupTruth operator()(const BelowCounts& /*below*/) const {
    GroupTruth truth{entries.back().to_int64(), {}, {}, {}};
    for (const Integer& entry : entries) truth.below.push_back(entry.to_int64());
    return truth;
  }
  GroupTruth operator()(const CategoryCounts& counted) const {
    GroupTruth truth = counts();
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const auto* list = std::get_if<std::vector<KeyValue>>(&counted.categories);
      if (list != nullptr && i == list->size()) break;
      const KeyValue category = list != nullptr
                                    ? (*list)[i]
                                    : KeyValue(std::get<RangeKeys>(counted.categories).first +
                                               static_cast<std::int64_t>(i));
      truth.categories[category] = entries[i].to_int64();
    }
    return truth;
  }

 private:
  // Only of columns that vary.
  GroupTruth correlation() const {
    GroupTruth truth{entries[0].to_int64(), {}, {}, {}};
    const auto deviations = [&](std::size_t product, std::size_t x, std::size_t y) {
      return Rational(entries[0] * entries[product] - entries[x] * entries[y]);
    };
    const Rational variances = deviations(4, 1, 1) * deviations(5, 2, 2);
    if (variances.sign() > 0) truth.numbers = {root_ratio(deviations(3, 1, 2), variances)};
    return truth;
  }
  GroupTruth counts() const {
    GroupTruth truth;
    for (const Integer& entry : entries) {
      truth.rows += entry.to_int64();
      truth.numbers.emplace_back(entry);
    }
    return truth;
  }
  // With the denominator n − 1; offsets from a middle do not matter.
  GroupTruth spread(const Rational& first, const Rational& second, const Rational& products,
                    const Rational& unit) const {
    const Rational n(entries[0]);
    GroupTruth truth{entries[0].to_int64(), {}, {}, {}};
    if (truth.rows > 1) {
      truth.numbers = {(products - first * second / n) / (n - Rational(1)) * unit};
    }
    return truth;
  }
};

}  // namespace

Truth truth_of_answers(const ReleasePlan& plan, const PlannedStatistic& planned,
                       const ExactAnswers& exact) {
  const Aggregation& aggregation = plan.aggregations[planned.aggregation];
  const std::vector<KeyColumn> columns = key_columns(aggregation);
  const bool found = columns.size() > planned.statistic.by.size();
  const std::size_t measure = found ? units_measure(aggregation) : planned.measure;
  Truth truth;
  for (const GroupAnswer& group : exact[planned.aggregation]) {
    KeyTuple key;
    for (const auto& name : planned.statistic.by) {
      const auto column = std::ranges::find(columns, name.value, &KeyColumn::name);
      key.push_back(group.key[static_cast<std::size_t>(column - columns.begin())]);
    }
    const std::vector<Integer>& entries = group.entries[measure];
    if (found) {
      truth[key].categories[group.key.back()] = entries[0].to_int64();
      continue;
    }
    GroupTruth one = std::visit(OfEntries{entries}, aggregation.measures[planned.measure]);
    if (std::holds_alternative<MeanStatistic>(planned.statistic.kind)) {
      if (one.rows == 0) one.numbers.clear();
      for (Rational& mean : one.numbers) mean /= Rational(one.rows);
    }
    truth.emplace(std::move(key), std::move(one));
  }
  return truth;
}

WholeColumns whole_columns(const std::filesystem::path& csv) {
  std::ifstream file(csv);
  std::string line;
  std::vector<std::vector<std::string>> lines;
  while (std::getline(file, line)) {
    std::erase(line, '"');
    std::erase(line, '\r');
    std::vector<std::string>& fields = lines.emplace_back(1);
    for (const char c : line) {
      if (c == ',') {
        fields.emplace_back();
      } else {
        fields.back() += c;
      }
    }
  }
  WholeColumns columns;
  for (std::size_t i = 0; i < lines.front().size(); ++i) {
    std::vector<std::int64_t> numbers;
    for (std::size_t row = 1; row < lines.size(); ++row) {
      const std::string& field = lines[row][i];
      // Some whole numbers are written as in 1e+05.
      double number = 0.5;
      const auto end = std::from_chars(field.data(), field.data() + field.size(), number);
      const auto whole = static_cast<std::int64_t>(number);
      const bool good =
          end.ptr == field.data() + field.size() && static_cast<double>(whole) == number;
      if (good) numbers.push_back(whole);
    }
    if (numbers.size() + 1 == lines.size()) columns[lines.front()[i]] = numbers;
  }
  return columns;
}

namespace {

// OfRows: the same from the rows of a group, whose numbers are given by column. Nothing is missing.
struct OfRows {
  const WholeColumns& rows;
  std::size_t size;

  GroupTruth operator()(const CountStatistic& /*s*/) const { return counts({Rational(size)}); }
  GroupTruth operator()(const UnitsStatistic& /*s*/) const {
    const auto& ids = rows.at("VisitorId");
    return counts({Rational(std::set<std::int64_t>(ids.begin(), ids.end()).size())});
  }
  GroupTruth operator()(const DistinctStatistic& s) const {
    const auto& values = rows.at(s.column.name.value);
    return counts({Rational(std::set<std::int64_t>(values.begin(), values.end()).size())});
  }
  GroupTruth operator()(const SumStatistic& s) const { return numbers({sum(clamped(s.column))}); }
  GroupTruth operator()(const FoundBounds& /*s*/) const { return numbers({}); }
  GroupTruth operator()(const MeanStatistic& s) const {
    return numbers({sum(clamped(s.column)) / Rational(size)});
  }
  GroupTruth operator()(const VarianceStatistic& s) const {
    return numbers({covariance(clamped(s.column), clamped(s.column))});
  }
  GroupTruth operator()(const DeviationStatistic& s) const {
    const Ball variance(covariance(clamped(s.column), clamped(s.column)), 200);
    return numbers({sqrt(variance).lower_rational()});
  }
  GroupTruth operator()(const CovarianceStatistic& s) const {
    return numbers({covariance(clamped(s.first), clamped(s.second))});
  }
  GroupTruth operator()(const CorrelationStatistic& s) const {
    const std::vector<Rational> x = clamped(s.first);
    const std::vector<Rational> y = clamped(s.second);
    return numbers({root_ratio(covariance(x, y), covariance(x, x) * covariance(y, y))});
  }
  GroupTruth operator()(const RatioStatistic& s) const {
    return numbers({sum(clamped(s.first)) / sum(clamped(s.second))});
  }
  GroupTruth operator()(const CategoryStatistic& s) const {
    GroupTruth truth = categories(s.column, s.categories);
    Rational others(size);
    for (const auto& [key, count] : truth.categories) others -= Rational(count);
    if (s.other) truth = counts(with(truth.numbers, others), truth.categories);
    return truth;
  }
  GroupTruth operator()(const BinStatistic& s) const {
    std::vector<Rational> bins(s.edges.size() - 1);
    for (const std::int64_t value : rows.at(s.column.name.value)) {
      std::size_t bin = 0;
      while (bin + 1 < s.edges.size() && s.edges[bin + 1] <= Rational(value)) ++bin;
      if (Rational(value) == s.edges.back()) --bin;
      if (s.edges[0] <= Rational(value) && bin < bins.size()) bins[bin] += 1;
    }
    return counts(bins);
  }
  GroupTruth operator()(const QuantileStatistic& s) const {
    GroupTruth truth{static_cast<std::int64_t>(size), {}, {}, {}};
    std::vector<std::int64_t> sorted = rows.at(s.column.column.name.value);
    std::ranges::sort(sorted);
    const Rational step = s.step ? s.step->value : Rational(1);
    for (Rational c = s.column.lower.value + step; c <= s.column.upper.value; c += step) {
      truth.below.push_back(std::ranges::lower_bound(
                                sorted, c, {}, [](std::int64_t value) { return Rational(value); }) -
                            sorted.begin());
    }
    truth.below.push_back(truth.rows);
    return truth;
  }
  GroupTruth operator()(const TopStatistic& s) const { return categories(s.column, s.categories); }

 private:
  static std::vector<Rational> with(std::vector<Rational> all, const Rational& last) {
    all.push_back(last);
    return all;
  }
  GroupTruth numbers(std::vector<Rational> all) const {
    return {static_cast<std::int64_t>(size), std::move(all), {}, {}};
  }
  static GroupTruth counts(std::vector<Rational> all,
                           std::map<KeyValue, std::int64_t> by_category = {}) {
    return {sum(all).floor().to_int64(), std::move(all), {}, std::move(by_category)};
  }
  GroupTruth categories(const ColumnUse& column, const Categories& keys) const {
    std::map<KeyValue, std::int64_t> seen;
    for (const std::int64_t value : rows.at(column.name.value)) ++seen[value];
    // The discovered categories are all that occur.
    if (std::holds_alternative<DiscoveredKeys>(keys)) return {0, {}, {}, seen};
    std::vector<Rational> in_order;
    std::map<KeyValue, std::int64_t> wanted;
    const auto add = [&](const KeyValue& key) {
      wanted[key] = seen[key];
      in_order.emplace_back(seen[key]);
    };
    if (const auto* range = std::get_if<KeyRange>(&keys)) {
      for (std::int64_t key = range->first; key <= range->last; ++key) add(key);
    } else {
      for (const KeyValue& key : std::get<KeyList>(keys)) add(key);
    }
    return counts(in_order, wanted);
  }
  std::vector<Rational> clamped(const BoundedColumn& column) const {
    std::vector<Rational> values;
    for (const std::int64_t value : rows.at(column.column.name.value)) {
      values.push_back(std::clamp(Rational(value), column.lower.value, column.upper.value));
    }
    return values;
  }
  static Rational sum(const std::vector<Rational>& values) {
    Rational total = 0;
    for (const Rational& value : values) total += value;
    return total;
  }
  // From the distances to the means, as in the textbook.
  Rational covariance(const std::vector<Rational>& x, const std::vector<Rational>& y) const {
    const Rational n(size);
    const Rational x_mean = sum(x) / n;
    const Rational y_mean = sum(y) / n;
    Rational total = 0;
    for (std::size_t i = 0; i < size; ++i) total += (x[i] - x_mean) * (y[i] - y_mean);
    return total / (n - Rational(1));
  }
};

}  // namespace

Truth truth_of_rows(const PlannedStatistic& planned, const WholeColumns& rows, const Truth& like) {
  Truth truth;
  for (const auto& [key, unused] : like) {
    WholeColumns chosen = rows;
    for (auto& [name, column] : chosen) column.clear();
    std::size_t size = 0;
    for (std::size_t row = 0; row < rows.begin()->second.size(); ++row) {
      bool belongs = true;
      for (std::size_t i = 0; i < key.size(); ++i) {
        belongs = belongs && KeyValue(rows.at(planned.statistic.by[i].value)[row]) == key[i];
      }
      if (!belongs) continue;
      ++size;
      for (const auto& [name, column] : rows) chosen[name].push_back(column[row]);
    }
    truth[key] = std::visit(OfRows{chosen, size}, planned.statistic.kind);
  }
  return truth;
}

}  // namespace lastbit::engine
