// Random releases as values, made without the parser. For tests only; not installed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "lastbit/release/fields/time_zone.h"
#include "lastbit/release/file/release_file.h"
#include "lastbit/release/kinds/registry.h"

namespace lastbit {

// Dice: choices from a recorded seed, so that to RapidCheck a value or a style is a single number.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}
  std::size_t pick(std::size_t n) {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::size_t>((state_ >> 33) % n);
  }
  bool flip() { return pick(2) == 0; }
  template <class T>
  const T& one_of(const std::vector<T>& values) {
    return values[pick(values.size())];
  }
  template <class T>
  void shuffle(std::vector<T>& values) {
    for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[pick(i)]);
  }

 private:
  std::uint64_t state_;
};

inline const std::vector<Rational>& numbers() {
  static const std::vector<Rational> kNumbers = {
      Rational(1),      Rational(1, 10),       Rational(1, 3),           Rational(7, 2),
      Rational(12'345), rational("0.1000001"), rational("1e-30"),        Rational(1, 1024),
      rational("1e25"), Rational(22, 7),       rational("123456789.125")};
  return kNumbers;
}

inline std::vector<ColumnDeclaration> some_columns() {
  const auto located = [](auto value) { return Located<decltype(value)>{std::move(value)}; };
  const auto column = [&](std::string name, FieldType type) {
    return ColumnDeclaration{{std::move(name)}, located(type), {}, {}, {}, {}};
  };
  std::vector<ColumnDeclaration> columns = {
      column("age", FieldType::kInteger),
      column("income, \"net\"", FieldType::kReal),
      column("region", FieldType::kText),
      column("month", FieldType::kInteger),
      column("day", FieldType::kDate),
      column("flag", FieldType::kBoolean),
      column("town é", FieldType::kText),
      column("price", FieldType::decimal(2)),
      column("paid", FieldType::timestamp(*std::get<const TimeZone*>(TimeZone::find("+02:00"))))};
  columns[0].lower = located(Rational(-5));
  columns[0].upper = located(Rational(120));
  columns[1].lower = located(Rational(-1, 3));
  columns[1].upper = located(rational("1e26"));
  columns[1].impute = Located<FieldValue>{rational("0.25")};
  columns[2].keys = located(KeySet(KeyList{"north", "a\"b\\c", "é", " "}));
  columns[2].impute = Located<FieldValue>{std::string("north")};
  columns[3].keys = located(KeySet(KeyRange{1, 12}));
  columns[4].keys = located(
      KeySet(KeyList{Date(std::chrono::year(2024), std::chrono::month(2), std::chrono::day(29)),
                     Date(std::chrono::year(1999), std::chrono::month(12), std::chrono::day(31))}));
  columns[5].keys = located(KeySet(KeyList{false, true}));
  return columns;
}

class ReleaseMaker {
 public:
  explicit ReleaseMaker(std::uint64_t seed) : dice_(seed) {}

  ReleaseFile make() {
    release_.columns = some_columns();
    release_.title = dice_.flip() ? "" : "some \\ title";
    release_.source.path.value = "data/s.csv";
    release_.source.name = dice_.flip() ? "" : "wave 3";
    release_.source.delimiter = dice_.one_of<char>({',', ';', '\t', '|'});
    if (dice_.flip()) release_.source.nulls = {"", "NA", "\t"};
    make_text_form(release_.source);
    const auto id = dice_.one_of<std::string>({"town é", "price", "paid"});
    if (dice_.flip()) release_.unit = IdUnit{{id}, 7, std::optional<std::int64_t>(2)};
    release_.budget.cap.value = Cost::approximate(Rational(3), rational("1e-6"));
    release_.budget.accounting = dice_.one_of<std::optional<LossKind>>(
        {LossKind::kApproximate, LossKind::kConcentrated, std::nullopt});
    if (release_.budget.accounting == LossKind::kConcentrated && dice_.flip()) {
      release_.budget.cap.value = Cost::concentrated(Rational(3), rational("1e-6"));
    }
    release_.budget.ledger.value = "l.ledger";
    release_.tables = {{{"pairs"},
                        {{"region"}, {"month"}},
                        {{"north", std::int64_t{1}}, {"é", std::int64_t{-3}}},
                        dice_.flip()}};
    release_.columns[3].complete = dice_.flip();
    const std::size_t count = 1 + dice_.pick(6);
    for (std::size_t i = 0; i < count; ++i) add_statistic("s" + std::to_string(i));
    make_weights();
    return release_;
  }

 private:
  // A weight gives the statistics without a share the weight 1.
  void make_weights() {
    const auto weighs = [](const Statistic& one) { return one.share.kind == ShareKind::kWeight; };
    if (std::ranges::none_of(release_.statistics, weighs)) return;
    for (Statistic& statistic : release_.statistics) {
      if (statistic.share == BudgetShare{}) statistic.share.kind = ShareKind::kWeight;
    }
    for (Statistic& statistic : release_.statistics) {
      // A guess that decides nothing is not part of the meaning.
      const bool guesses =
          statistic.share.kind == ShareKind::kAccuracy || plans_by_errors(release_);
      if (!guesses) statistic.expected_rows.reset();
    }
  }

  // How the file is written, where it is not as usual.
  void make_text_form(Source& source) {
    if (dice_.flip()) source.more_paths = {{"data/t.csv.gz"}, {"data/u.csv"}};
    if (dice_.flip()) source.quote = dice_.one_of<char>({'\'', '\0'});
    if (dice_.flip()) source.escape = '\\';
    if (dice_.flip()) source.names = {"town é", "x"};
    if (dice_.flip())
      source.encoding = dice_.one_of<TextEncoding>({TextEncoding::kLatin1, TextEncoding::kUtf16});
    if (dice_.flip()) source.notation.decimal = ',';
    if (dice_.flip()) source.notation.thousands = dice_.one_of<std::string>({" ", "\xc2\xa0"});
    if (dice_.flip()) source.notation.date_format = "%d.%m.%Y";
    if (dice_.flip()) source.notation.true_texts = {"ja", "J"};
    if (dice_.flip()) source.notation.false_texts = {"nein"};
  }

  const ColumnDeclaration& declared(std::size_t i) const { return release_.columns[i]; }

  ColumnUse use(std::size_t i) {
    ColumnUse result{declared(i).name, declared(i).impute};
    if (i == 0 && dice_.flip()) result.impute = Located<FieldValue>{Rational(40)};
    if (i == 1 && dice_.flip()) result.impute.reset();
    return result;
  }
  BoundedColumn bounded(std::size_t i) {
    const std::vector<Rational> uppers = {Rational(50), declared(i).upper->value};
    return {use(i), *declared(i).lower, {dice_.one_of(uppers)}};
  }
  BoundedColumn plain(std::size_t i) const {
    return {{declared(i).name, declared(i).impute}, *declared(i).lower, *declared(i).upper};
  }

  StatisticKind some_kind(bool& discovers) {
    switch (dice_.pick(15)) {
      case 0:
        if (std::holds_alternative<IdUnit>(release_.unit) && dice_.flip()) return UnitsStatistic{};
        return CountStatistic{};
      case 1:
        return CountStatistic{use(dice_.pick(3))};
      case 2:
        return SumStatistic{bounded(dice_.pick(2))};
      case 3:
        return MeanStatistic{bounded(dice_.pick(2))};
      case 4:
        return VarianceStatistic{bounded(dice_.pick(2))};
      case 5:
        return CovarianceStatistic{plain(0), plain(1)};
      case 6:
        return BinStatistic{use(0), {Rational(0), Rational(1, 3), rational("99.5")}};
      case 7:
        return some_quantiles();
      case 8:
        return TopStatistic{use(3), KeyRange{1, 12}, 3};
      case 10:
        // Columns of every type but real numbers.
        return DistinctStatistic{{declared(dice_.one_of<std::size_t>({0, 2, 4, 5, 6})).name, {}}};
      case 11:
        return CorrelationStatistic{plain(1), plain(0)};
      case 12:
        return RatioStatistic{plain(1), plain(0)};
      case 13:
        if (dice_.flip()) return FoundSumStatistic{{{declared(0).name, {}}, Rational(1, 5)}};
        return FoundMeanStatistic{{{declared(1).name, {}}, Rational(1, 3)}};
      case 9:
        return DeviationStatistic{bounded(dice_.pick(2))};
      default:
        return some_histogram(discovers);
    }
  }
  StatisticKind some_quantiles() {
    QuantileStatistic quantiles{bounded(0), {Rational(1, 10), Rational(1, 2)}, {}};
    if (dice_.flip()) quantiles.step = Located<Rational>{Rational(1, 7)};
    if (dice_.flip()) quantiles.interval_share = Located<Rational>{Rational(dice_.pick(2), 5)};
    return quantiles;
  }
  StatisticKind some_histogram(bool& discovers) {
    discovers = dice_.flip();
    if (discovers) return CategoryStatistic{{declared(6).name, {}}, DiscoveredKeys{}, false};
    return CategoryStatistic{use(2), KeyList{"north", "left out"}, dice_.flip()};
  }

  void add_statistic(std::string name) {
    Statistic statistic;
    statistic.name.value = std::move(name);
    statistic.wording.named = true;
    bool discovers = false;
    statistic.kind = some_kind(discovers);
    // The last two have no keys.
    for (std::size_t i = 2; i + 2 < release_.columns.size(); ++i) {
      if (dice_.pick(3) > 0) continue;
      statistic.by.push_back(declared(i).name);
      discovers |= i == 6;
    }
    dice_.shuffle(statistic.by);
    const auto grouped_by = [&](const char* column) {
      return std::ranges::find(statistic.by, column, &Located<std::string>::value) !=
             statistic.by.end();
    };
    if (grouped_by("region") && grouped_by("month")) statistic.tables = {{"pairs"}};
    if (discovers) {
      statistic.discover = Discovery{{rational("1e-8")}, {}};
      if (dice_.flip()) statistic.discover->threshold = Located<std::int64_t>{30};
    }
    statistic.totals =
        !statistic.by.empty() && !discovers && adds_up(statistic.kind) && dice_.flip();
    statistic.share = some_share(statistic.kind);
    const bool guesses =
        statistic.share.kind == ShareKind::kAccuracy || statistic.share.kind == ShareKind::kPlanned;
    if (guesses && dice_.flip()) {
      statistic.expected_rows = Located<std::int64_t>{1000};
    }
    if (dice_.flip()) statistic.confidence.value = Rational(9, 10);
    if (has_intervals(statistic.kind) && dice_.pick(3) == 0) {
      statistic.suppress_above = Located<Rational>{Rational(1, 3)};
    }
    if (std::holds_alternative<IdUnit>(release_.unit)) {
      statistic.max_rows_per_group = dice_.flip() ? 7 : 3;
      if (!statistic.by.empty()) statistic.max_groups = dice_.flip() ? 2 : 9;
    }
    release_.statistics.push_back(std::move(statistic));
  }

  BudgetShare some_share(const StatisticKind& kind) {
    const bool known = takes_accuracy(name_of(kind)) && !finds_bounds(kind);
    switch (dice_.pick(4)) {
      case 0:
        return {ShareKind::kEpsilon, Rational(1, 7)};
      case 1:
        return {};
      case 2:
        if (known) return {ShareKind::kAccuracy, dice_.one_of(numbers())};
        [[fallthrough]];
      default:
        return {ShareKind::kWeight, dice_.one_of(numbers())};
    }
  }

  Dice dice_;
  ReleaseFile release_;
};

}  // namespace lastbit
