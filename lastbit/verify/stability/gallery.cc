#include "lastbit/verify/stability/gallery.h"

#include <utility>

#include "lastbit/core/chain.h"
#include "lastbit/random/tape.h"
#include "lastbit/transformations/aggregates/count.h"
#include "lastbit/transformations/aggregates/covariance.h"
#include "lastbit/transformations/aggregates/histogram.h"
#include "lastbit/transformations/aggregates/mean.h"
#include "lastbit/transformations/aggregates/sum.h"
#include "lastbit/transformations/aggregates/variance.h"
#include "lastbit/transformations/change_metric.h"
#include "lastbit/transformations/rows/cast.h"
#include "lastbit/transformations/rows/clamp.h"
#include "lastbit/transformations/rows/impute.h"
#include "lastbit/transformations/rows/is_equal.h"
#include "lastbit/transformations/rows/resize.h"
#include "lastbit/transformations/rows/row_transform.h"
#include "lastbit/verify/stability/check.h"
#include "lastbit/verify/stability/coupling.h"
#include "lastbit/verify/stability/enumerate.h"
#include "lastbit/verify/stability/walk.h"
#include "lastbit/verify/stability/wrong_transformations.h"

namespace lastbit::verify {
namespace {

// The same walks every time: a failing check is a bug, not bad luck.
constexpr std::uint64_t kWalkSeed = 20'260'711;
constexpr unsigned kMostBits = 12;

// All pairs of a small domain, then, for deterministic dataset transformations, walks on larger
// data; for randomised ones the existence of couplings.
template <AnyTransformation T>
StabilityReport checked(const T& t, EnumerationLimits limits) {
  const auto inputs = members(t.input_domain(), limits);
  if constexpr (T::kRandomised) {
    return check_couplings(t, inputs, kMostBits);
  } else {
    StabilityReport report = check_all_pairs(t, inputs);
    if constexpr (DatasetDomain<typename T::InputDomain>) {
      if (!report.holds()) return report;
      BitSource bits = testing::seeded_tape(kWalkSeed);
      const StabilityReport walks = check_walks(t, bits);
      report.method += ", " + walks.method;
      report.members += walks.members;
      report.pairs += walks.pairs;
      report.violation = walks.violation;
    }
    return report;
  }
}

template <AnyTransformation T>
GalleryEntry entry(std::string name, std::string relation, const T& t,
                   EnumerationLimits limits = {}) {
  return {.name = std::move(name),
          .relation = std::move(relation),
          .wrong = false,
          .check = [t, limits] { return checked(t, limits); }};
}

template <AnyTransformation T>
GalleryEntry wrong_entry(std::string relation, const T& t, EnumerationLimits limits = {}) {
  GalleryEntry made = entry(t.name(), std::move(relation), t, limits);
  made.wrong = true;
  return made;
}

using Entries = std::vector<GalleryEntry>;

void add_row_transforms(Entries& entries) {
  const auto nullable = vector_of(optional_of(doubles_or_nan()));
  entries.push_back(entry("row transform (reciprocal)", "d",
                          make_row_transform(vector_of(doubles_or_nan()), SymmetricDistance{},
                                             doubles_or_nan(), [](double x) { return 1 / x; }),
                          {.atoms = 5}));
  entries.push_back(entry("row transform, Hamming", "d",
                          make_row_transform(vector_of(integers(), 3), HammingDistance{},
                                             booleans(), [](std::int64_t x) { return x > 0; })));
  entries.push_back(
      entry("is equal", "d", make_is_equal(vector_of(doubles()), SymmetricDistance{}, 0.0)));
  entries.push_back(entry("cast text to double", "d",
                          make_cast<double>(vector_of(strings()), InsertDeleteDistance{}),
                          {.atoms = 5}));
  entries.push_back(entry("cast double to integer", "d",
                          make_cast<std::int64_t>(vector_of(doubles_or_nan()), SymmetricDistance{}),
                          {.atoms = 6}));
  entries.push_back(entry(
      "clamp", "d", make_clamp(vector_of(doubles()), SymmetricDistance{}, -1, rational("0.1")),
      {.atoms = 6}));
  entries.push_back(entry("clamp, one number", "min(d, U - L)",
                          make_clamp(doubles(), AbsoluteDistance{}, -1, 2), {.atoms = 20}));
  entries.push_back(entry("impute a constant", "d",
                          make_impute_constant(nullable, SymmetricDistance{}, -0.0), {.atoms = 6}));
  entries.push_back(
      entry("impute NaN", "d",
            make_impute_constant(vector_of(doubles_or_nan(), 3), SubstituteDistance{}, 0.5),
            {.atoms = 6}));
  entries.push_back(
      entry("drop nulls", "d", make_drop_null(nullable, InsertDeleteDistance{}), {.atoms = 5}));
  entries.push_back(
      entry("impute a random draw", "d (coupled)",
            make_impute_uniform(vector_of(optional_of(interval(0, 3))), SymmetricDistance{}, 0, 3),
            {.atoms = 3, .rows = 2}));
}

void add_orderings(Entries& entries) {
  const auto sized = vector_of(interval(0, 3), 3);
  const auto free = vector_of(interval(0, 3));
  entries.push_back(entry("resize, first rows", "2 floor(d)",
                          make_resize(free, InsertDeleteDistance{}, 2, 0), {.atoms = 3}));
  entries.push_back(entry("resize, random rows", "2 floor(d) (coupled)",
                          make_resize(free, SymmetricDistance{}, 2, 0), {.atoms = 3, .rows = 3}));
  entries.push_back(
      entry("symmetric to substitute", "floor(d/2)", make_symmetric_to_substitute(sized)));
  entries.push_back(
      entry("substitute to symmetric", "2 floor(d)", make_substitute_to_symmetric(sized)));
  entries.push_back(
      entry("insert-delete to symmetric", "d", make_insert_delete_to_symmetric(free)));
  entries.push_back(entry("Hamming to substitute", "d", make_hamming_to_substitute(sized)));
  entries.push_back(entry("sort", "d", make_sort(vector_of(doubles_or_nan())), {.atoms = 5}));
  entries.push_back(entry("shuffle, to insert-delete", "d (coupled)",
                          make_shuffle(free, SymmetricDistance{}), {.atoms = 2, .rows = 3}));
  entries.push_back(entry("shuffle, to Hamming", "d (coupled)",
                          make_shuffle(sized, SubstituteDistance{}), {.atoms = 2}));
}

void add_counts_and_sums(Entries& entries) {
  const auto prices = vector_of(interval(-3.0, 10.0));
  const auto sized_prices = vector_of(interval(-3.0, 10.0), 3);
  entries.push_back(
      entry("count", "d", make_count(vector_of(doubles_or_nan()), SymmetricDistance{})));
  entries.push_back(
      entry("count, public size", "0", make_count(vector_of(strings(), 2), HammingDistance{})));
  entries.push_back(entry("count distinct", "d",
                          make_count_distinct(vector_of(doubles_or_nan()), SymmetricDistance{}),
                          {.atoms = 6}));
  entries.push_back(entry("sum of doubles", "d max(|L|, |U|)",
                          make_sum(prices, SymmetricDistance{}, Grid(-10)), {.atoms = 6}));
  entries.push_back(
      entry("sum of large integers", "d 2^61",
            make_sum(vector_of(interval(-(std::int64_t{1} << 61), std::int64_t{1} << 61)),
                     InsertDeleteDistance{}),
            {.atoms = 6}));
  entries.push_back(entry("sum, public size", "floor(d/2) (U - L)",
                          make_sum(sized_prices, SymmetricDistance{}, Grid(0)), {.atoms = 6}));
  entries.push_back(entry("mean", "floor(d/2) (U - L)/n",
                          make_mean(sized_prices, SymmetricDistance{}, Grid(-4)), {.atoms = 6}));
  entries.push_back(entry("variance", "floor(d/2) (n-1)/n (U - L)^2/(n-1), capped",
                          make_variance(sized_prices, SymmetricDistance{}, Grid(-4)),
                          {.atoms = 6}));
  entries.push_back(entry(
      "covariance", "d (n-1)/n (U - L)(U' - L')/(n-1), capped",
      make_covariance(vector_of(pair_of(interval(0, 3), interval(-1, 1)), 3), HammingDistance{}),
      {.atoms = 6}));
}

void add_histograms(Entries& entries) {
  const auto free = vector_of(doubles_or_nan());
  const auto sized = vector_of(doubles_or_nan(), 3);
  const std::vector<double> categories{0.0, -0.0, 1.0};
  entries.push_back(entry("histogram, L1", "d",
                          make_histogram<1>(free, SymmetricDistance{}, categories), {.atoms = 5}));
  entries.push_back(entry(
      "histogram, L2, public size", "sqrt(2) floor(d/2)",
      make_histogram<2>(sized, SymmetricDistance{}, categories, Other::kCounted), {.atoms = 5}));
  entries.push_back(entry("histogram by key, L1", "d",
                          make_histogram_by_key<1>(free, SymmetricDistance{}), {.atoms = 5}));
  entries.push_back(entry("histogram by key, L3, public size", "2^(1/3) d",
                          make_histogram_by_key<3>(sized, SubstituteDistance{}), {.atoms = 5}));
  entries.push_back(
      entry("histogram of bins, L1", "d",
            make_bin_histogram<1>(free, SymmetricDistance{}, {-1, 0, rational("0.1"), 2}),
            {.atoms = 8, .rows = 2}));
}

void add_chains(Entries& entries) {
  const auto read = make_cast_or<double>(vector_of(strings()), SymmetricDistance{}, 0.0);
  entries.push_back(entry("cast >> clamp >> sum", "d max(|L|, |U|)",
                          read >> make_clamp(0, 10) >> make_sum(Grid(-8)), {.atoms = 6}));
  entries.push_back(entry("clamp >> resize >> mean", "floor(d) (U - L)/n (coupled)",
                          make_clamp(vector_of(interval(0, 2))) >> make_resize(2, 1) >> make_mean(),
                          {.atoms = 3, .rows = 3}));
}

}  // namespace

std::vector<GalleryEntry> right_transformations() {
  Entries entries;
  add_row_transforms(entries);
  add_orderings(entries);
  add_counts_and_sums(entries);
  add_histograms(entries);
  add_chains(entries);
  return entries;
}

std::vector<GalleryEntry> wrong_transformations() {
  const auto small = vector_of(interval(0, 3));
  const auto three = vector_of(interval(0, 1), 3);
  const auto wide = vector_of(interval<std::int64_t>(rational("-1e30"), rational("1e30")));
  return {
      wrong_entry("d max(|L|, |U|)", wrong::float_sum(vector_of(interval(0.0, 0x1p53))),
                  {.atoms = 7}),
      wrong_entry("d max(|L|, |U|)", wrong::wrapping_sum(wide)),
      wrong_entry("d (U - L)", wrong::width_sum(vector_of(interval(5, 6)))),
      wrong_entry("d/2 (U - L)/n", wrong::mean_with_wrong_size(three)),
      wrong_entry("d", wrong::first_row(vector_of(interval(1, 2), 2))),
      wrong_entry("2 d", wrong::shuffling_resize(small, 2)),
      wrong_entry("d", wrong::unordered_as_ordered(small)),
      wrong_entry("d", wrong::sorted_substitution(vector_of(interval(0, 3), 3))),
      wrong_entry("(U - L)^2/4", wrong::quarter_variance(three)),
      wrong_entry("d (coupled)", wrong::keep_one_at_random(small), {.atoms = 2, .rows = 2}),
  };
}

}  // namespace lastbit::verify
