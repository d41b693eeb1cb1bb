// Every row-level transformation against its own map, on all pairs of small datasets. The
// randomised ones are checked by their exact output laws: a maximal flow decides whether a coupling
// that stays within the map exists.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <vector>

#include "lastbit/random/tape.h"
#include "lastbit/transformations/change_metric.h"
#include "lastbit/transformations/rows/cast.h"
#include "lastbit/transformations/rows/clamp.h"
#include "lastbit/transformations/rows/impute.h"
#include "lastbit/transformations/rows/is_equal.h"
#include "lastbit/transformations/rows/resize.h"

namespace lastbit {
namespace row_stability_test {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t kMin64 = std::numeric_limits<std::int64_t>::min();

using Integers = std::vector<std::int64_t>;

// All vectors of the atoms with a length of `shortest` to `longest`.
template <class T>
std::vector<std::vector<T>> all_vectors(const std::vector<T>& atoms, std::size_t shortest,
                                        std::size_t longest) {
  std::vector<std::vector<T>> all{{}};
  std::vector<std::vector<T>> result;
  for (std::size_t length = 0; length <= longest; ++length) {
    if (length >= shortest) result.insert(result.end(), all.begin(), all.end());
    std::vector<std::vector<T>> longer;
    for (const auto& rows : all) {
      for (const T& atom : atoms) {
        longer.push_back(rows);
        longer.back().push_back(atom);
      }
    }
    all = std::move(longer);
  }
  return result;
}

// The datasets of up to three rows that belong to the input domain of `transform`.
template <class Transform, class T>
std::vector<std::vector<T>> small_members(const Transform& transform, const std::vector<T>& atoms) {
  auto members = all_vectors(atoms, 0, 3);
  std::erase_if(members,
                [&](const auto& rows) { return !transform.input_domain().contains(rows); });
  EXPECT_GE(members.size(), atoms.size());
  return members;
}

// The number of pairs (x, x') that are farther apart than the map allows.
template <class Transform, class T>
std::size_t violations(const Transform& transform, const std::vector<T>& atoms) {
  const auto members = small_members(transform, atoms);
  std::vector<typename Transform::Output> outputs;
  for (const auto& x : members) {
    outputs.push_back(transform(x));
    EXPECT_TRUE(transform.output_domain().contains(outputs.back()));
  }
  std::size_t found = 0;
  for (std::size_t i = 0; i < members.size(); ++i) {
    for (std::size_t j = 0; j < members.size(); ++j) {
      const Distance d_in = transform.input_metric().distance(members[i], members[j]);
      const Distance d_out = transform.output_metric().distance(outputs[i], outputs[j]);
      if (d_out > transform.map(d_in)) ++found;
    }
  }
  return found;
}

// Checks a constructor for every kind of vector and every metric that fits.
template <class T, class Element, class Make>
void expect_stable_everywhere(const Element& element, const std::vector<T>& atoms, Make make) {
  EXPECT_EQ(violations(make(vector_of(element), SymmetricDistance{}), atoms), 0u);
  EXPECT_EQ(violations(make(vector_of(element), InsertDeleteDistance{}), atoms), 0u);
  EXPECT_EQ(violations(make(vector_of(element, 3), SymmetricDistance{}), atoms), 0u);
  EXPECT_EQ(violations(make(vector_of(element, 3), InsertDeleteDistance{}), atoms), 0u);
  EXPECT_EQ(violations(make(vector_of(element, 3), SubstituteDistance{}), atoms), 0u);
  EXPECT_EQ(violations(make(vector_of(element, 3), HammingDistance{}), atoms), 0u);
}

TEST(RowStabilityTest, RowTransform) {
  const std::vector<double> atoms{0.0, -0.0, kNan, 1.0};
  expect_stable_everywhere(doubles_or_nan(), atoms, [](const auto& domain, const auto& metric) {
    return make_row_transform(domain, metric, doubles_or_nan(), [](double row) { return 1 / row; });
  });
}

TEST(RowStabilityTest, IsEqual) {
  const std::vector<double> atoms{0.0, -0.0, kNan, -kNan};
  expect_stable_everywhere(doubles_or_nan(), atoms, [](const auto& domain, const auto& metric) {
    return make_is_equal(domain, metric, -0.0);
  });
}

TEST(RowStabilityTest, Cast) {
  const std::vector<std::string> texts{"1", "01", "nan", "2.5"};
  expect_stable_everywhere(strings(), texts, [](const auto& domain, const auto& metric) {
    return make_cast<double>(domain, metric);
  });
  expect_stable_everywhere(strings(), texts, [](const auto& domain, const auto& metric) {
    return make_cast_or<std::int64_t>(domain, metric, 1);
  });
  const std::vector<double> numbers{0.0, -0.0, kNan, kInfinity};
  expect_stable_everywhere(doubles_or_nan(), numbers, [](const auto& domain, const auto& metric) {
    return make_cast<bool>(domain, metric);
  });
}

TEST(RowStabilityTest, Clamp) {
  const Integers atoms{kMin64, 0, 2, 3};
  expect_stable_everywhere(integers(), atoms, [](const auto& domain, const auto& metric) {
    return make_clamp(domain, metric, 0, 2);
  });
  const std::vector<double> corners{-kInfinity, -0.0, 0.0, 0.5};
  expect_stable_everywhere(doubles(), corners, [](const auto& domain, const auto& metric) {
    return make_clamp(domain, metric, 0, rational("1/3"));
  });
}

TEST(RowStabilityTest, ImputeConstant) {
  const std::vector<std::optional<std::int64_t>> atoms{std::nullopt, 0, 1};
  expect_stable_everywhere(optional_of(integers()), atoms,
                           [](const auto& domain, const auto& metric) {
                             return make_impute_constant(domain, metric, 1);
                           });
  const std::vector<double> corners{kNan, -kNan, 0.0, -0.0};
  expect_stable_everywhere(doubles_or_nan(), corners, [](const auto& domain, const auto& metric) {
    return make_impute_constant(domain, metric, 0);
  });
}

TEST(RowStabilityTest, DropNull) {
  const std::vector<std::optional<std::int64_t>> atoms{std::nullopt, 0, 1};
  const auto domain = vector_of(optional_of(integers()));
  EXPECT_EQ(violations(make_drop_null(domain, SymmetricDistance{}), atoms), 0u);
  EXPECT_EQ(violations(make_drop_null(domain, InsertDeleteDistance{}), atoms), 0u);
}

TEST(RowStabilityTest, OrderedResize) {
  for (const int size : {1, 2, 3, 4}) {
    for (const int padding : {0, 1, 9}) {
      const auto resize = make_resize(vector_of(integers()), InsertDeleteDistance{}, size, padding);
      EXPECT_EQ(violations(resize, Integers{0, 1, 2}), 0u) << size << " " << padding;
    }
  }
}

TEST(RowStabilityTest, ChangesOfMetric) {
  const std::vector<double> atoms{0.0, -0.0, kNan, 1.0};
  const auto free = vector_of(doubles_or_nan());
  const auto sized = vector_of(doubles_or_nan(), 3);
  EXPECT_EQ(violations(make_symmetric_to_substitute(sized), atoms), 0u);
  EXPECT_EQ(violations(make_substitute_to_symmetric(sized), atoms), 0u);
  EXPECT_EQ(violations(make_insert_delete_to_symmetric(free), atoms), 0u);
  EXPECT_EQ(violations(make_insert_delete_to_symmetric(sized), atoms), 0u);
  EXPECT_EQ(violations(make_hamming_to_substitute(sized), atoms), 0u);
  EXPECT_EQ(violations(make_sort(free), atoms), 0u);
  EXPECT_EQ(violations(make_sort(sized), atoms), 0u);
}

// Broken twins: the check must find what is not stable.
TEST(RowStabilityTest, FindsWhatIsNotStable) {
  const auto free = vector_of(integers());
  const auto sized = vector_of(integers(), 3);
  const auto first_row =
      Transformation<VectorDomain<AllDomain<std::int64_t>>, SymmetricDistance,
                     SizedVectorDomain<AllDomain<std::int64_t>>, SymmetricDistance>(
          "first row", free, {}, vector_of(integers(), 1), {},
          [](const Integers& rows) { return rows.empty() ? Integers{0} : Integers{rows[0]}; },
          rows_internal::resize_relation(1));
  EXPECT_GT(violations(first_row, Integers{0, 1, 2}), 0u);
  const auto sort_to_hamming =
      Transformation<SizedVectorDomain<AllDomain<std::int64_t>>, SubstituteDistance,
                     SizedVectorDomain<AllDomain<std::int64_t>>, HammingDistance>(
          "sort to Hamming", sized, {}, sized, {},
          [sort = make_sort(sized)](const Integers& rows) { return sort(rows); },
          Relation<Distance, Distance>::linear(1));
  EXPECT_GT(violations(sort_to_hamming, Integers{0, 1, 2}), 0u);
  const auto one_less =
      Transformation<VectorDomain<AllDomain<std::int64_t>>, InsertDeleteDistance,
                     SizedVectorDomain<AllDomain<std::int64_t>>, InsertDeleteDistance>(
          "resize with map d", free, {}, vector_of(integers(), 2), {},
          [resize = make_resize(free, InsertDeleteDistance{}, 2, 0)](const Integers& rows) {
            return resize(rows);
          },
          Relation<Distance, Distance>::linear(1));
  EXPECT_GT(violations(one_less, Integers{0, 1, 2}), 0u);
}

template <class T>
using Law = std::map<std::vector<T>, std::int64_t, IdentityLess>;  // in units of 1/kUnits

// All probabilities below are multiples of 1/kUnits: subsets and orders of three rows, and draws of
// two or four values.
constexpr std::int64_t kUnits = 192;

// The exact law of transform(x). Enumerating tapes leaves the mass of long rejections undecided;
// since that is less than half a unit, only one multiple of 1/kUnits lies in each bracket.
template <class Transform>
auto law_of(const Transform& transform, const typename Transform::Input& x) {
  using T = typename Transform::Output::value_type;
  const auto tapes = testing::enumerate_tapes<std::vector<T>, IdentityLess>(
      [&](BitSource& bits) { return transform(x, bits); }, 13);
  EXPECT_LT(tapes.undecided, Rational(1) / Rational(2 * kUnits));
  Law<T> law;
  std::int64_t total = 0;
  for (const auto& [rows, probability] : tapes.probability) {
    const Rational scaled = probability * kUnits;
    const std::int64_t units = scaled.ceil().to_int64();
    EXPECT_LE(Rational(units), scaled + tapes.undecided * kUnits);
    EXPECT_TRUE(transform.output_domain().contains(rows));
    law[rows] = units;
    total += units;
  }
  EXPECT_EQ(total, kUnits);
  return law;
}

// One unit of flow from row i of the left side to the right side, along a path that may take units
// back: the usual augmenting-path method.
struct Flow {
  std::vector<std::vector<bool>> allowed;
  std::vector<std::vector<std::int64_t>> sent;
  std::vector<std::int64_t> room;  // what the right side can still take

  bool augment(std::size_t i, std::vector<bool>& seen) {
    for (std::size_t j = 0; j < room.size(); ++j) {
      if (!allowed[i][j] || seen[j]) continue;
      seen[j] = true;
      if (room[j] > 0) {
        --room[j];
        ++sent[i][j];
        return true;
      }
      for (std::size_t other = 0; other < allowed.size(); ++other) {
        if (sent[other][j] > 0 && augment(other, seen)) {
          --sent[other][j];
          ++sent[i][j];
          return true;
        }
      }
    }
    return false;
  }
};

// Whether some coupling of the two laws always has distance ≤ d_out.
template <class T, class M>
bool coupling_exists(const Law<T>& left, const Law<T>& right, const M& metric,
                     const Distance& d_out) {
  Flow flow;
  for (const auto& [y, mass] : right) flow.room.push_back(mass);
  for (const auto& [x, mass] : left) {
    flow.allowed.emplace_back();
    for (const auto& [y, other] : right) {
      flow.allowed.back().push_back(close(metric, x, y, d_out));
    }
    flow.sent.emplace_back(right.size(), 0);
  }
  std::size_t i = 0;
  for (const auto& [x, mass] : left) {
    for (std::int64_t unit = 0; unit < mass; ++unit) {
      std::vector<bool> seen(right.size(), false);
      if (!flow.augment(i, seen)) return false;
    }
    ++i;
  }
  return true;
}

template <class Transform, class T>
std::size_t coupling_violations(const Transform& transform, const std::vector<T>& atoms) {
  const auto members = small_members(transform, atoms);
  std::vector<Law<typename Transform::Output::value_type>> laws;
  for (const auto& x : members) laws.push_back(law_of(transform, x));
  std::size_t found = 0;
  for (std::size_t i = 0; i < members.size(); ++i) {
    for (std::size_t j = i; j < members.size(); ++j) {
      const Distance d_in = transform.input_metric().distance(members[i], members[j]);
      if (!coupling_exists(laws[i], laws[j], transform.output_metric(), transform.map(d_in))) {
        ++found;
      }
    }
  }
  return found;
}

TEST(RowCouplingTest, Resize) {
  for (const int size : {1, 2, 3, 4}) {
    const auto resize = make_resize(vector_of(integers()), SymmetricDistance{}, size, 1);
    EXPECT_EQ(coupling_violations(resize, Integers{0, 1, 2}), 0u) << size;
  }
}

TEST(RowCouplingTest, Shuffle) {
  const Integers atoms{0, 1, 2};
  EXPECT_EQ(coupling_violations(make_shuffle(vector_of(integers()), SymmetricDistance{}), atoms),
            0u);
  const auto sized = vector_of(integers(), 3);
  EXPECT_EQ(coupling_violations(make_shuffle(sized, SymmetricDistance{}), atoms), 0u);
  EXPECT_EQ(coupling_violations(make_shuffle(sized, SubstituteDistance{}), atoms), 0u);
}

TEST(RowCouplingTest, ImputeUniform) {
  const std::vector<std::optional<std::int64_t>> atoms{std::nullopt, 0, 1};
  const auto check = [&](const auto& domain, const auto& metric) {
    EXPECT_EQ(coupling_violations(make_impute_uniform(domain, metric, 0, 1), atoms), 0u);
  };
  const auto element = optional_of(integers());
  check(vector_of(element), SymmetricDistance{});
  check(vector_of(element), InsertDeleteDistance{});
  check(vector_of(element, 3), SymmetricDistance{});
  check(vector_of(element, 3), InsertDeleteDistance{});
  check(vector_of(element, 3), SubstituteDistance{});
  check(vector_of(element, 3), HammingDistance{});
  const std::vector<std::optional<double>> corners{std::nullopt, -0.0, 0.0, 0.5};
  const auto points = make_impute_uniform(vector_of(optional_of(doubles())), InsertDeleteDistance{},
                                          0, rational("7/8"), Grid(-2));
  EXPECT_EQ(coupling_violations(points, corners), 0u);
}

// Broken twins: too small a map must be found.
TEST(RowCouplingTest, FindsWhatIsNotStable) {
  using Free = VectorDomain<AllDomain<std::int64_t>>;
  using Sized = SizedVectorDomain<AllDomain<std::int64_t>>;
  const auto free = vector_of(integers());
  const auto resize = make_resize(free, SymmetricDistance{}, 2, 1);
  const RandomTransformation<Free, SymmetricDistance, Sized, SymmetricDistance> cheap(
      "resize with map d", free, {}, vector_of(integers(), 2), {},
      [resize](const Integers& rows, BitSource& bits) { return resize(rows, bits); },
      Relation<Distance, Distance>::linear(1));
  EXPECT_GT(coupling_violations(cheap, Integers{0, 1, 2}), 0u);
  // A shuffle that never moves the last row is not uniform, and permutations come apart.
  const auto sized = vector_of(integers(), 3);
  const RandomTransformation<Sized, SubstituteDistance, Sized, HammingDistance> lazy(
      "lazy shuffle", sized, {}, sized, {},
      [](Integers rows, BitSource& bits) {
        shuffle(bits, std::span(rows).first(2));
        return rows;
      },
      Relation<Distance, Distance>::linear(1));
  EXPECT_GT(coupling_violations(lazy, Integers{0, 1, 2}), 0u);
}

}  // namespace row_stability_test
}  // namespace lastbit
