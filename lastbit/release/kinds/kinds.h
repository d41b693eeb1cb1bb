// The kinds of statistics, as values: what a release file says about each. What a kind does is in
// the one .cc file with its name.
//
// To add a kind, write its struct here, name it among the alternatives of StatisticKind, and write
// its .cc file. Every kind has
//   kName     what the file calls it
//   read      makes it from the keys of a statistic; nothing where a problem was noted
//   write     writes the same keys in canonical form
//   columns   the columns it computes with, and how it uses each
//   tally     what an engine must count for it
//   draft     its parts, prices, errors and answers, for a share of the budget
//   describe  what a report calls it: "mean of income", with the given words for its column
// and, where the default is wrong,
//   kErrorNeedsRows   its error depends on how many rows a group has (false)
//   kClamps           values outside bounds count as the nearer bound (false)
//   kTakesAccuracy    a target error can be asked for (true)
//   kOncePerUnit      a unit counts once in a group, however many rows it has (false)
//   kAddsUp           its groups can be added up to totals (false)
//   kFindsBounds      bounds are found in the data, at a cost (false)
//   kUsesColumnNulls  its columns keep the null policy of their declarations (false)
//   categories        a member: the values that its answers are about (none)
//   has_intervals     its answers have intervals, or have them where suppress_above asks (true)
//   counts_units      its answer is the number of units of a group (false)
//   check             notes problems of the statistic as a whole; false if there are any (none)
//   explain           sentences about what is done to its columns (none)
//   caveats           sentences about what its answers may cost (none)
//   notes             what to read below a table of its answers, in a line each (none)
//   kInUnitOfColumn   its answers are in the unit of its column, such as euros (false)
//   places            how many of the found categories are shown, largest first (all, as they come)
//   cells             how many answers a group has (one)
//   cell_title        what a table calls the cells of its answers (no cells)
//   figure            how its answers are drawn (as numbers)
//   size              what its errors are compared with, in groups of so many rows (the rows,
//                     divided by the cells)
// registry.h calls these for a StatisticKind.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "lastbit/release/file/columns.h"
#include "lastbit/release/plan/aggregation.h"

namespace lastbit {

struct ReleaseFile;
struct Statistic;

namespace release_internal {
class Drafter;
class KindReader;
class KindWriter;
class Problems;
struct Draft;
}  // namespace release_internal

// How answers are drawn: as numbers with intervals, as bins of equal width, as points of a
// distribution, or as places in a ranking.
struct NumbersFigure {};
struct HistogramFigure {
  std::vector<Rational> edges;
};
struct QuantilesFigure {
  std::vector<Rational> levels;
};
struct RankingFigure {};
using FigureShape = std::variant<NumbersFigure, HistogramFigure, QuantilesFigure, RankingFigure>;

// KindWords: what descriptions call columns, rows and units.
struct KindWords {
  std::function<std::string(const std::string& column)> column;
  std::string rows = "rows";
  std::string units = "different units";
};

// width_of: how far the bounds of a column are apart. magnitude_of: the larger bound, by size.
inline Rational width_of(const BoundedColumn& column) {
  return column.upper.value - column.lower.value;
}
inline Rational magnitude_of(const BoundedColumn& column) {
  return std::max(abs(column.lower.value), abs(column.upper.value));
}

struct CountStatistic {  // how many rows
  static constexpr std::string_view kName = "count";
  static constexpr bool kAddsUp = true;
  std::optional<ColumnUse> column;  // only rows with a value here

  static std::optional<CountStatistic> read(release_internal::KindReader& reader);
  void write(release_internal::KindWriter& writer) const;
  std::vector<ColumnRole> columns() const;
  Tally tally(const ReleaseFile& release) const;
  release_internal::Draft draft(const release_internal::Drafter& drafter) const;
  std::string describe(const KindWords& words) const;
  bool counts_units(const ReleaseFile& release) const;
  void explain(const ReleaseFile& release, std::vector<std::string>& steps) const;
  friend bool operator==(const CountStatistic&, const CountStatistic&) = default;
};

struct UnitsStatistic {  // how many different units
  static constexpr std::string_view kName = "count_units";
  static constexpr bool kOncePerUnit = true;

  static std::optional<UnitsStatistic> read(release_internal::KindReader& reader);
  void write(release_internal::KindWriter& writer) const;
  std::vector<ColumnRole> columns() const;
  Tally tally(const ReleaseFile& release) const;
  release_internal::Draft draft(const release_internal::Drafter& drafter) const;
  std::string describe(const KindWords& words) const;
  bool counts_units(const ReleaseFile& release) const;
  friend bool operator==(const UnitsStatistic&, const UnitsStatistic&) = default;
};

// How many different values a column has. A unit changes this by at most its number of rows.
struct DistinctStatistic {
  static constexpr std::string_view kName = "count_distinct";
  ColumnUse column;  // nothing is imputed

  static std::optional<DistinctStatistic> read(release_internal::KindReader& reader);
  void write(release_internal::KindWriter& writer) const;
  std::vector<ColumnRole> columns() const;
  Tally tally(const ReleaseFile& release) const;
  release_internal::Draft draft(const release_internal::Drafter& drafter) const;
  std::string describe(const KindWords& words) const;
  void explain(const ReleaseFile& release, std::vector<std::string>& steps) const;
  friend bool operator==(const DistinctStatistic&, const DistinctStatistic&) = default;
};

struct SumStatistic {
  static constexpr std::string_view kName = "sum";
  static constexpr bool kInUnitOfColumn = true;
  static constexpr bool kAddsUp = true;
  static constexpr bool kClamps = true;
  BoundedColumn column;

  static std::optional<SumStatistic> read(release_internal::KindReader& reader);
  void write(release_internal::KindWriter& writer) const;
  std::vector<ColumnRole> columns() const;
  Tally tally(const ReleaseFile& release) const;
  release_internal::Draft draft(const release_internal::Drafter& drafter) const;
  std::string describe(const KindWords& words) const;
  void explain(const ReleaseFile& release, std::vector<std::string>& steps) const;
  Rational size(const Rational& rows) const { return rows * magnitude_of(column); }
  friend bool operator==(const SumStatistic&, const SumStatistic&) = default;
};

struct MeanStatistic {
  static constexpr std::string_view kName = "mean";
  static constexpr bool kInUnitOfColumn = true;
  static constexpr bool kAddsUp = true;
  static constexpr bool kErrorNeedsRows = true;
  static constexpr bool kClamps = true;
  BoundedColumn column;

  static std::optional<MeanStatistic> read(release_internal::KindReader& reader);
  void write(release_internal::KindWriter& writer) const;
  std::vector<ColumnRole> columns() const;
  Tally tally(const ReleaseFile& release) const;
  release_internal::Draft draft(const release_internal::Drafter& drafter) const;
  std::string describe(const KindWords& words) const;
  void explain(const ReleaseFile& release, std::vector<std::string>& steps) const;
  Rational size(const Rational& /*rows*/) const { return width_of(column); }
  friend bool operator==(const MeanStatistic&, const MeanStatistic&) = default;
};

// FoundBounds: a column whose bounds are found in the data, for a share of the statistic's loss.
struct FoundBounds {
  ColumnUse column;  // nothing is imputed
  Rational share;    // in (0, 1)

  // read_bounds: nothing if the statistic has no key `bounds`.
  static std::optional<FoundBounds> read_bounds(release_internal::KindReader& reader);
  void write(release_internal::KindWriter& writer) const;
  std::vector<ColumnRole> columns() const;
  Tally tally(const ReleaseFile& release) const;
  bool check(const Statistic& statistic, release_internal::Problems& problems) const;
  void explain(const ReleaseFile& release, std::vector<std::string>& steps) const;
  std::vector<std::string> caveats() const;
  friend bool operator==(const FoundBounds&, const FoundBounds&) = default;
};

struct FoundSumStatistic : FoundBounds {
  static constexpr std::string_view kName = "sum";
  static constexpr bool kInUnitOfColumn = true;
  static constexpr bool kClamps = true;
  static constexpr bool kFindsBounds = true;

  static std::optional<FoundSumStatistic> read(release_internal::KindReader& reader);
  release_internal::Draft draft(const release_internal::Drafter& drafter) const;
  std::string describe(const KindWords& words) const;
  friend bool operator==(const FoundSumStatistic&, const FoundSumStatistic&) = default;
};

struct FoundMeanStatistic : FoundBounds {
  static constexpr std::string_view kName = "mean";
  static constexpr bool kInUnitOfColumn = true;
  static constexpr bool kClamps = true;
  static constexpr bool kFindsBounds = true;

  static std::optional<FoundMeanStatistic> read(release_internal::KindReader& reader);
  release_internal::Draft draft(const release_internal::Drafter& drafter) const;
  std::string describe(const KindWords& words) const;
  friend bool operator==(const FoundMeanStatistic&, const FoundMeanStatistic&) = default;
};

struct ShareStatistic : MeanStatistic {  // the share of rows in which a column is true
  static constexpr std::string_view kName = "share";
  static constexpr bool kClamps = false;  // there is nothing but true and false

  static std::optional<ShareStatistic> read(release_internal::KindReader& reader);
  void write(release_internal::KindWriter& writer) const;
  std::vector<ColumnRole> columns() const;
  std::string describe(const KindWords& words) const;
  void explain(const ReleaseFile& release, std::vector<std::string>& steps) const;
  static Rational size(const Rational& /*rows*/) { return 1; }
  friend bool operator==(const ShareStatistic&, const ShareStatistic&) = default;
};

struct VarianceStatistic {
  static constexpr std::string_view kName = "variance";
  static constexpr bool kAddsUp = true;
  static constexpr bool kErrorNeedsRows = true;
  static constexpr bool kClamps = true;
  BoundedColumn column;

  static std::optional<VarianceStatistic> read(release_internal::KindReader& reader);
  void write(release_internal::KindWriter& writer) const;
  std::vector<ColumnRole> columns() const;
  Tally tally(const ReleaseFile& release) const;
  release_internal::Draft draft(const release_internal::Drafter& drafter) const;
  std::string describe(const KindWords& words) const;
  void explain(const ReleaseFile& release, std::vector<std::string>& steps) const;
  Rational size(const Rational& /*rows*/) const {
    return width_of(column) * width_of(column) / Rational(4);
  }
  friend bool operator==(const VarianceStatistic&, const VarianceStatistic&) = default;
};

struct DeviationStatistic {
  static constexpr std::string_view kName = "standard_deviation";
  static constexpr bool kInUnitOfColumn = true;
  static constexpr bool kAddsUp = true;
  static constexpr bool kErrorNeedsRows = true;
  static constexpr bool kClamps = true;
  BoundedColumn column;

  static std::optional<DeviationStatistic> read(release_internal::KindReader& reader);
  void write(release_internal::KindWriter& writer) const;
  std::vector<ColumnRole> columns() const;
  Tally tally(const ReleaseFile& release) const;
  release_internal::Draft draft(const release_internal::Drafter& drafter) const;
  std::string describe(const KindWords& words) const;
  void explain(const ReleaseFile& release, std::vector<std::string>& steps) const;
  Rational size(const Rational& /*rows*/) const { return width_of(column) / Rational(2); }
  friend bool operator==(const DeviationStatistic&, const DeviationStatistic&) = default;
};

struct CovarianceStatistic {
  static constexpr std::string_view kName = "covariance";
  static constexpr bool kAddsUp = true;
  static constexpr bool kErrorNeedsRows = true;
  static constexpr bool kClamps = true;
  static constexpr bool kUsesColumnNulls = true;
  BoundedColumn first;
  BoundedColumn second;

  static std::optional<CovarianceStatistic> read(release_internal::KindReader& reader);
  void write(release_internal::KindWriter& writer) const;
  std::vector<ColumnRole> columns() const;
  Tally tally(const ReleaseFile& release) const;
  release_internal::Draft draft(const release_internal::Drafter& drafter) const;
  std::string describe(const KindWords& words) const;
  void explain(const ReleaseFile& release, std::vector<std::string>& steps) const;
  Rational size(const Rational& /*rows*/) const {
    return width_of(first) * width_of(second) / Rational(4);
  }
  friend bool operator==(const CovarianceStatistic&, const CovarianceStatistic&) = default;
};

// The covariance of two columns, divided by the standard deviation of each. How far it may be off
// depends on how much they vary, which is private, so no error is stated in advance.
struct CorrelationStatistic {
  static constexpr std::string_view kName = "correlation";
  static constexpr bool kAddsUp = true;
  static constexpr bool kClamps = true;
  static constexpr bool kTakesAccuracy = false;
  static constexpr bool kUsesColumnNulls = true;
  BoundedColumn first;
  BoundedColumn second;

  static std::optional<CorrelationStatistic> read(release_internal::KindReader& reader);
  void write(release_internal::KindWriter& writer) const;
  std::vector<ColumnRole> columns() const;
  Tally tally(const ReleaseFile& release) const;
  release_internal::Draft draft(const release_internal::Drafter& drafter) const;
  std::string describe(const KindWords& words) const;
  void explain(const ReleaseFile& release, std::vector<std::string>& steps) const;
  std::vector<std::string> caveats() const;
  friend bool operator==(const CorrelationStatistic&, const CorrelationStatistic&) = default;
};

struct RatioStatistic {  // the sum of one column, divided by that of another
  static constexpr std::string_view kName = "ratio";
  static constexpr bool kAddsUp = true;
  static constexpr bool kErrorNeedsRows = true;
  static constexpr bool kClamps = true;
  static constexpr bool kUsesColumnNulls = true;
  BoundedColumn first;
  BoundedColumn second;

  static std::optional<RatioStatistic> read(release_internal::KindReader& reader);
  void write(release_internal::KindWriter& writer) const;
  std::vector<ColumnRole> columns() const;
  Tally tally(const ReleaseFile& release) const;
  release_internal::Draft draft(const release_internal::Drafter& drafter) const;
  std::string describe(const KindWords& words) const;
  bool check(const Statistic& statistic, release_internal::Problems& problems) const;
  void explain(const ReleaseFile& release, std::vector<std::string>& steps) const;
  std::vector<std::string> caveats() const;
  std::vector<std::string> notes() const;
  // The width of what is possible; 0 where that is everything.
  Rational size(const Rational& rows) const;
  friend bool operator==(const RatioStatistic&, const RatioStatistic&) = default;
};

struct CategoryStatistic {  // how many rows in each category
  static constexpr std::string_view kName = "histogram";
  static constexpr bool kAddsUp = true;
  ColumnUse column;
  Categories categories;
  bool other = false;  // whether one more cell counts the rows in none of them

  static std::optional<CategoryStatistic> read(release_internal::KindReader& reader);
  void write(release_internal::KindWriter& writer) const;
  std::vector<ColumnRole> columns() const;
  Tally tally(const ReleaseFile& release) const;
  release_internal::Draft draft(const release_internal::Drafter& drafter) const;
  std::string describe(const KindWords& words) const;
  bool check(const Statistic& statistic, release_internal::Problems& problems) const;
  void explain(const ReleaseFile& release, std::vector<std::string>& steps) const;
  Integer cells() const;
  std::string cell_title() const { return column.name.value; }
  friend bool operator==(const CategoryStatistic&, const CategoryStatistic&) = default;
};

struct BinStatistic {  // how many rows in [e0, e1), [e1, e2), …, [e(m−1), em]
  static constexpr std::string_view kName = "histogram";
  static constexpr bool kAddsUp = true;
  ColumnUse column;
  std::vector<Rational> edges;  // at least two, increasing

  static std::optional<BinStatistic> read(release_internal::KindReader& reader);
  void write(release_internal::KindWriter& writer) const;
  std::vector<ColumnRole> columns() const;
  Tally tally(const ReleaseFile& release) const;
  release_internal::Draft draft(const release_internal::Drafter& drafter) const;
  std::string describe(const KindWords& words) const;
  void explain(const ReleaseFile& release, std::vector<std::string>& steps) const;
  Integer cells() const { return Integer(edges.size()); }
  std::string cell_title() const { return column.name.value; }
  FigureShape figure() const;
  friend bool operator==(const BinStatistic&, const BinStatistic&) = default;
};

struct QuantileStatistic {
  static constexpr std::string_view kName = "quantiles";
  static constexpr bool kInUnitOfColumn = true;
  static constexpr bool kTakesAccuracy = false;
  BoundedColumn column;
  std::vector<Rational> levels;           // in [0, 1], increasing
  std::optional<Located<Rational>> step;  // answers are lower + i·step; nothing: the plan chooses
  // The part of the loss that pays for intervals where quantiles are chosen; nothing: 1/8.
  std::optional<Located<Rational>> interval_share = std::nullopt;

  static std::optional<QuantileStatistic> read(release_internal::KindReader& reader);
  void write(release_internal::KindWriter& writer) const;
  std::vector<ColumnRole> columns() const;
  Tally tally(const ReleaseFile& release) const;
  release_internal::Draft draft(const release_internal::Drafter& drafter) const;
  std::string describe(const KindWords& words) const;
  bool check(const Statistic& statistic, release_internal::Problems& problems) const;
  void explain(const ReleaseFile& release, std::vector<std::string>& steps) const;
  std::vector<std::string> caveats() const;
  bool has_intervals() const { return share_of_intervals().sign() > 0; }
  Rational share_of_intervals() const;
  void write_interval_share(release_internal::KindWriter& writer) const;
  std::string cell_title() const { return "quantile"; }
  FigureShape figure() const { return QuantilesFigure{levels}; }
  friend bool operator==(const QuantileStatistic&, const QuantileStatistic&) = default;
};

// OneQuantile: what the kinds below share: a single quantile, without cells.
struct OneQuantile : QuantileStatistic {
  // read_level: the column, its bounds and the step; the level is fixed.
  static std::optional<OneQuantile> read_level(release_internal::KindReader& reader,
                                               const Rational& level);
  void write(release_internal::KindWriter& writer) const;
  release_internal::Draft draft(const release_internal::Drafter& drafter) const;
  std::string cell_title() const { return ""; }
  FigureShape figure() const { return NumbersFigure{}; }
  friend bool operator==(const OneQuantile&, const OneQuantile&) = default;
};

struct MedianStatistic : OneQuantile {
  static constexpr std::string_view kName = "median";

  static std::optional<MedianStatistic> read(release_internal::KindReader& reader);
  std::string describe(const KindWords& words) const;
  friend bool operator==(const MedianStatistic&, const MedianStatistic&) = default;
};

// The value that one row in a hundred lies below, or above: the extremes themselves belong to
// single people.
struct MinimumStatistic : OneQuantile {
  static constexpr std::string_view kName = "min";

  static std::optional<MinimumStatistic> read(release_internal::KindReader& reader);
  std::string describe(const KindWords& words) const;
  std::vector<std::string> caveats() const;
  friend bool operator==(const MinimumStatistic&, const MinimumStatistic&) = default;
};

struct MaximumStatistic : OneQuantile {
  static constexpr std::string_view kName = "max";

  static std::optional<MaximumStatistic> read(release_internal::KindReader& reader);
  std::string describe(const KindWords& words) const;
  std::vector<std::string> caveats() const;
  friend bool operator==(const MaximumStatistic&, const MaximumStatistic&) = default;
};

struct TopStatistic {  // the k largest categories
  static constexpr std::string_view kName = "top";
  static constexpr bool kTakesAccuracy = false;
  ColumnUse column;
  Categories categories;
  std::int64_t k = 1;

  static std::optional<TopStatistic> read(release_internal::KindReader& reader);
  void write(release_internal::KindWriter& writer) const;
  std::vector<ColumnRole> columns() const;
  Tally tally(const ReleaseFile& release) const;
  release_internal::Draft draft(const release_internal::Drafter& drafter) const;
  std::string describe(const KindWords& words) const;
  bool check(const Statistic& statistic, release_internal::Problems& problems) const;
  void explain(const ReleaseFile& release, std::vector<std::string>& steps) const;
  // A single category is chosen without a count. With suppress_above, others always have one.
  bool has_intervals() const { return k > 1 || std::holds_alternative<DiscoveredKeys>(categories); }
  std::int64_t places() const { return k; }
  std::string cell_title() const { return "place"; }
  FigureShape figure() const { return RankingFigure{}; }
  friend bool operator==(const TopStatistic&, const TopStatistic&) = default;
};

// StatisticKind: one of them. Kinds with the same name are told apart by their keys.
using StatisticKind =
    std::variant<CountStatistic, UnitsStatistic, DistinctStatistic, SumStatistic, FoundSumStatistic,
                 MeanStatistic, FoundMeanStatistic, ShareStatistic, VarianceStatistic,
                 DeviationStatistic, CovarianceStatistic, CorrelationStatistic, RatioStatistic,
                 CategoryStatistic, BinStatistic, QuantileStatistic, MedianStatistic,
                 MinimumStatistic, MaximumStatistic, TopStatistic>;

}  // namespace lastbit
