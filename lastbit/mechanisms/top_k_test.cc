// The k best candidates, and choices in each of several blocks.
#include "lastbit/mechanisms/top_k.h"

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <string>
#include <vector>

#include "lastbit/base/test_support.h"
#include "lastbit/mechanisms/noisy_max_each.h"
#include "lastbit/mechanisms/selection_test_support.h"
#include "lastbit/random/exponential/law_check.h"
#include "lastbit/random/tape.h"

namespace lastbit {
namespace top_k_test {

using testing::all_scores;
using testing::ball;
using testing::fit;
using testing::kFalseAlarm;
using testing::largest_loss;
using testing::Law;
using testing::lower_ends;
using testing::masses;
using testing::noisy_max_law;
using testing::Ranking;
using testing::RankingLaw;
using testing::Scores;
using testing::seeded_tape;
using testing::top_k_law;

using Blocks = std::vector<Scores>;
template <class M>
using Each = BlockDistance<M>;

const Ball& slack() {
  static const Ball kSlack = ball(Rational::two_to(-120));
  return kSlack;
}

// The law of independent choices in all blocks, from the laws of the blocks.
Law product(const std::vector<Law>& laws) {
  Law result = {ball(1)};
  for (const Law& law : laws) {
    Law next;
    for (const Ball& before : result) {
      for (const Ball& mass : law) next.push_back(before * mass);
    }
    result = next;
  }
  return result;
}

std::vector<Scores> all_pairs_of_scores(std::int64_t most) {
  std::vector<Scores> result;
  for (std::int64_t a = 0; a <= most; ++a) {
    for (std::int64_t b = 0; b <= most; ++b) result.push_back({a, b});
  }
  return result;
}

std::vector<Blocks> all_tables(std::int64_t most) {
  std::vector<Blocks> result;
  for (const Scores& first : all_pairs_of_scores(most)) {
    for (const Scores& second : all_pairs_of_scores(most)) result.push_back({first, second});
  }
  return result;
}

// The loss between the exact laws of any two inputs is at most the map of their distance.
template <class M, class Input, class LawOf>
void expect_sound(const M& measurement, const std::vector<Input>& inputs, const LawOf& law_of) {
  std::vector<Law> laws;
  for (const Input& input : inputs) laws.push_back(law_of(input));
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    for (std::size_t j = i + 1; j < inputs.size(); j += kThinning) {
      const Distance d = measurement.input_metric().distance(inputs[i], inputs[j]);
      ASSERT_TRUE(certainly_less(largest_loss(laws[i], laws[j]),
                                 ball(measurement.map(d).value()) + slack()))
          << measurement.name() << ", inputs " << i << " and " << j;
    }
  }
}

TEST(NoisyMaxEachTest, MapHoldsOnAllPairsOfSmallTables) {
  const Rational scale = rational("3/2");
  const auto domain = vector_of(vector_of(integers(), 2), 2);
  const auto law = [&](const Blocks& blocks) {
    return product({noisy_max_law(blocks[0], scale), noisy_max_law(blocks[1], scale)});
  };
  const std::vector<Blocks> tables = all_tables(2);
  expect_sound(make_noisy_max_each(domain, Each<LInfinityDistance>{}, scale), tables, law);
  expect_sound(make_noisy_max_each(domain, Each<L1Distance>{}, scale), tables, law);
  expect_sound(make_noisy_max_each(domain, Each<RangeDistance>{}, scale), tables, law);
}

// Every block loses all that its own distance allows, in the same output.
TEST(NoisyMaxEachTest, MapIsAttainedInSeveralBlocks) {
  const auto domain = vector_of(vector_of(integers(), 2), 3);
  const auto law = [](const Blocks& blocks) {
    std::vector<Law> laws;
    for (const Scores& block : blocks) laws.push_back(noisy_max_law(block, 3));
    return product(laws);
  };
  const Blocks here = {{5, 0}, {0, 5}, {9, 1}};
  const Ball opposite = largest_loss(law(here), law({{6, -1}, {-1, 6}, {9, 1}}));
  EXPECT_TRUE(certainly_greater(
      opposite,
      ball(make_noisy_max_each(domain, Each<LInfinityDistance>{}, 3).map(2).value()) - slack()));
  const Ball alone = largest_loss(law(here), law({{5, -1}, {0, 6}, {9, 0}}));
  for (const Distance& loss : {make_noisy_max_each(domain, Each<L1Distance>{}, 3).map(3),
                               make_noisy_max_each(domain, Each<RangeDistance>{}, 3).map(3)}) {
    EXPECT_EQ(loss, Distance(1));
    EXPECT_TRUE(certainly_greater(alone, ball(loss.value()) - slack()));
  }
}

TEST(NoisyMaxEachTest, BlocksAreChosenOneAfterTheOther) {
  const auto each =
      make_noisy_max_each(vector_of(vector_of(integers(), 3), 2), Each<L1Distance>{}, 2);
  const auto one = make_noisy_max(vector_of(integers(), 3), L1Distance{}, 2);
  BitSource bits = seeded_tape(81);
  BitSource same_bits = seeded_tape(81);
  for (int i = 0; i < 300; ++i) {
    const std::vector<std::size_t> chosen = each({{3, 2, 1}, {0, 0, 4}}, bits);
    ASSERT_EQ(chosen.size(), 2u);
    EXPECT_EQ(chosen[0], one({3, 2, 1}, same_bits));
    EXPECT_EQ(chosen[1], one({0, 0, 4}, same_bits));
  }
}

TEST(NoisyMaxEachTest, SamplesOfTwoBlocksAreIndependent) {
  const Rational scale = 2;
  const Blocks blocks = {{3, 2, 1}, {0, 1, 1}};
  const auto each =
      make_noisy_max_each(vector_of(vector_of(integers(), 3), 2), Each<RangeDistance>{}, scale);
  BitSource bits = seeded_tape(82);
  std::vector<std::size_t> observed(9);
  for (int i = 0; i < 30'000; ++i) {
    const std::vector<std::size_t> chosen = each(blocks, bits);
    ++observed[3 * chosen[0] + chosen[1]];
  }
  EXPECT_GT(
      fit(observed,
          lower_ends(product({noisy_max_law(blocks[0], scale), noisy_max_law(blocks[1], scale)}))),
      kFalseAlarm);
}

TEST(TopKTest, MapHoldsOnAllPairsOfSmallScores) {
  const Rational scale = rational("3/2");
  const auto domain = vector_of(integers(), 3);
  for (const std::size_t k : {1u, 2u, 3u}) {
    const auto law = [&](const Scores& scores) { return masses(top_k_law(scores, scale, k)); };
    expect_sound(make_top_k(domain, LInfinityDistance{}, scale, k), all_scores(2), law);
    expect_sound(make_top_k(domain, L1Distance{}, scale, k), all_scores(2), law);
    expect_sound(make_top_k(domain, RangeDistance{}, scale, k), all_scores(2), law);
  }
}

// A leader that rises but is never chosen costs every round as much as the first.
TEST(TopKTest, MapIsApproached) {
  const auto domain = vector_of(integers(), 4);
  const auto loss = [](const Scores& here, const Scores& there) {
    return largest_loss(masses(top_k_law(here, 3, 3)), masses(top_k_law(there, 3, 3)));
  };
  const Rational hair = rational("1e-12");
  const Rational opposite = make_top_k(domain, LInfinityDistance{}, 3, 3).map(1).value();
  EXPECT_EQ(opposite, 2);
  EXPECT_TRUE(certainly_greater(loss({99, 0, 0, 0}, {100, -1, -1, -1}), ball(opposite - hair)));
  for (const Distance& alone : {make_top_k(domain, L1Distance{}, 3, 3).map(1),
                                make_top_k(domain, RangeDistance{}, 3, 3).map(1)}) {
    EXPECT_EQ(alone, Distance(1));
    EXPECT_TRUE(certainly_greater(loss({99, 0, 0, 0}, {100, 0, 0, 0}), ball(alone.value() - hair)));
  }
}

// "The k best lose no more than the best one": false, the rounds add up.
TEST(TopKTest, LosesMoreThanOneRound) {
  const Ball loss =
      largest_loss(masses(top_k_law({9, 0, 0}, 3, 2)), masses(top_k_law({10, 0, 0}, 3, 2)));
  const Rational once = make_noisy_max(vector_of(integers(), 3), RangeDistance{}, 3).map(1).value();
  EXPECT_TRUE(certainly_greater(loss, ball(once * rational("1.9"))));
}

TEST(TopKEachTest, MapHoldsOnAllPairsOfSmallTables) {
  const Rational scale = rational("3/2");
  const auto domain = vector_of(vector_of(integers(), 2), 2);
  const auto law = [&](const Blocks& blocks) {
    return product(
        {masses(top_k_law(blocks[0], scale, 2)), masses(top_k_law(blocks[1], scale, 2))});
  };
  const std::vector<Blocks> tables = all_tables(1);
  expect_sound(make_top_k_each(domain, Each<LInfinityDistance>{}, scale, 2), tables, law);
  expect_sound(make_top_k_each(domain, Each<L1Distance>{}, scale, 2), tables, law);
  expect_sound(make_top_k_each(domain, Each<RangeDistance>{}, scale, 2), tables, law);
}

TEST(TopKTest, SamplesHaveTheirLaw) {
  const Scores scores = {2, 3, 1};
  const RankingLaw law = top_k_law(scores, 2, 2);
  const auto rank = make_top_k(vector_of(integers(), 3), L1Distance{}, 2, 2);
  BitSource bits = seeded_tape(83);
  std::map<Ranking, std::size_t> counts;
  for (int i = 0; i < 30'000; ++i) ++counts[rank(scores, bits)];
  std::vector<std::size_t> observed;
  for (const auto& [ranking, mass] : law) observed.push_back(counts[ranking]);
  std::vector<double> expected = lower_ends(masses(law));
  // An even number of cells is one too many for the closed form of the test.
  observed[0] += observed.back();
  observed.pop_back();
  expected[0] += expected.back();
  expected.pop_back();
  EXPECT_GT(fit(observed, expected), kFalseAlarm);
}

TEST(TopKTest, RoundsAreNoisyMaxOverThoseThatAreLeft) {
  const auto rank = make_top_k(vector_of(integers(), 4), RangeDistance{}, 1, 4);
  const auto best = make_noisy_max(vector_of(integers(), 4), RangeDistance{}, 1);
  const auto each =
      make_top_k_each(vector_of(vector_of(integers(), 4), 2), Each<RangeDistance>{}, 1, 4);
  BitSource bits = seeded_tape(84);
  BitSource by_hand = seeded_tape(84);
  BitSource in_blocks = seeded_tape(84);
  for (int i = 0; i < 100; ++i) {
    Ranking ranking;
    Scores scores = {2, 0, 3, 2};
    Ranking left = {0, 1, 2, 3};
    while (!left.empty()) {
      const auto chosen = static_cast<std::ptrdiff_t>(best(scores, by_hand));
      ranking.push_back(left[static_cast<std::size_t>(chosen)]);
      left.erase(left.begin() + chosen);
      scores.erase(scores.begin() + chosen);
    }
    EXPECT_EQ(rank({2, 0, 3, 2}, bits), ranking);
    if (i % 2 == 1) continue;
    const std::vector<Ranking> both = each({{2, 0, 3, 2}, {2, 0, 3, 2}}, in_blocks);
    ASSERT_EQ(both.size(), 2u);
    EXPECT_EQ(both[0], ranking);  // the second block is the next iteration of the loop
  }
}

TEST(TopKTest, AllCarriersRankAlikeOnTheSameBits) {
  const auto of_integers = make_top_k(vector_of(integers(), 4), L1Distance{}, 2, 3);
  const auto of_doubles = make_top_k(vector_of(doubles(), 4), L1Distance{}, 2, 3);
  const auto of_grid = make_top_k(vector_of(GridDomain(Grid(-3)), 4), L1Distance{}, 2, 3);
  BitSource tapes[] = {seeded_tape(85), seeded_tape(85), seeded_tape(85)};
  for (int i = 0; i < 200; ++i) {
    const Ranking ranking = of_integers({5, 3, 5, 4}, tapes[0]);
    EXPECT_EQ(ranking, of_doubles({5, 3, 5, 4}, tapes[1]));
    EXPECT_EQ(ranking, of_grid({5, 3, 5, 4}, tapes[2]));
  }
}

TEST(TopKTest, EpsilonFormsAreExact) {
  const auto domain = vector_of(doubles(), 5);
  const auto blocks = vector_of(domain, 7);
  const Rational epsilon = rational("0.3");
  const Rational delta = rational("1/7");
  EXPECT_EQ(make_top_k_for(epsilon, delta, 3).build(domain, LInfinityDistance{}).map(delta),
            Distance(epsilon));
  EXPECT_EQ(make_top_k_for(epsilon, delta, 5).build(domain, L1Distance{}).map(delta),
            Distance(epsilon));
  EXPECT_EQ(
      make_top_k_each_for(epsilon, delta, 3).build(blocks, Each<LInfinityDistance>{}).map(delta),
      Distance(epsilon));
  EXPECT_EQ(
      make_noisy_max_each_for(epsilon, delta).build(blocks, Each<LInfinityDistance>{}).map(delta),
      Distance(epsilon));
  EXPECT_EQ(make_noisy_max_each(2).build(blocks, Each<RangeDistance>{}).map(delta),
            Distance(delta / Rational(2)));
  EXPECT_EQ(make_top_k(2, 4).build(domain, RangeDistance{}).map(delta),
            Distance(delta * Rational(2)));
  EXPECT_EQ(make_top_k_each(2, 4).build(blocks, Each<RangeDistance>{}).map(delta),
            Distance(delta * Rational(2)));
}

TEST(TopKTest, NoValueMakesAChoiceFail) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto rank = make_top_k(vector_of(doubles(), 3), LInfinityDistance{}, 1, 2);
  const auto blocks = vector_of(vector_of(doubles(), 3), 2);
  const auto ranks = make_top_k_each(blocks, Each<LInfinityDistance>{}, 1, 2);
  const auto each = make_noisy_max_each(blocks, Each<LInfinityDistance>{}, 1);
  BitSource bits = seeded_tape(86);
  EXPECT_EQ(rank({-kInfinity, kInfinity, nan}, bits)[0], 1u);
  EXPECT_EQ(rank({3.0}, bits), Ranking{0});
  EXPECT_EQ(rank({}, bits), Ranking{});
  EXPECT_EQ(ranks({{}, {3.0}}, bits), (std::vector<Ranking>{{}, {0}}));
  EXPECT_EQ(each({{}, {nan, kInfinity, 0.0}}, bits), (std::vector<std::size_t>{0, 1}));
  EXPECT_TRUE(each({}, bits).empty());
  const auto of_none =
      make_noisy_max_each(vector_of(vector_of(doubles(), 3), 0), Each<LInfinityDistance>{}, 1);
  EXPECT_TRUE(of_none({}, bits).empty());
}

TEST(TopKTest, StepsFitBlocksOfPublicShapeOnly) {
  using Steps = decltype(make_noisy_max_each(1).build);
  using Block = SizedVectorDomain<AllDomain<double>>;
  static_assert(std::invocable<Steps, SizedVectorDomain<Block>, Each<LInfinityDistance>>);
  static_assert(!std::invocable<Steps, SizedVectorDomain<Block>, LInfinityDistance>);
  static_assert(!std::invocable<Steps, VectorDomain<Block>, Each<LInfinityDistance>>);
  static_assert(!std::invocable<Steps, Block, LInfinityDistance>);
  static_assert(!std::invocable<decltype(make_top_k(1, 1).build), SizedVectorDomain<Block>,
                                Each<LInfinityDistance>>);
}

TEST(TopKTest, ImpossibleParametersAreRefusedByName) {
  const auto rank = [](std::size_t candidates, const char* scale, std::size_t k) {
    return refused_parameter(
        [&] { make_top_k(vector_of(doubles(), candidates), L1Distance{}, rational(scale), k); });
  };
  EXPECT_EQ(rank(3, "1", 3), "");
  EXPECT_EQ(rank(3, "0", 3), "scale");
  EXPECT_EQ(rank(3, "1", 0), "k");
  EXPECT_EQ(rank(3, "1", 4), "k");
  EXPECT_EQ(rank(0, "1", 0), "candidates");
  const auto ranks = [](std::size_t candidates, const char* scale, std::size_t k) {
    return refused_parameter([&] {
      make_top_k_each(vector_of(vector_of(doubles(), candidates), 2), Each<L1Distance>{},
                      rational(scale), k);
    });
  };
  EXPECT_EQ(ranks(3, "1", 3), "");
  EXPECT_EQ(ranks(3, "-1", 3), "scale");
  EXPECT_EQ(ranks(3, "1", 4), "k");
  EXPECT_EQ(ranks(0, "1", 1), "candidates");
  const auto each = [](const auto& element, const char* scale) {
    return refused_parameter(
        [&] { make_noisy_max_each(vector_of(element, 2), Each<L1Distance>{}, rational(scale)); });
  };
  EXPECT_EQ(each(vector_of(doubles(), 2), "1"), "");
  EXPECT_EQ(each(vector_of(doubles(), 2), "0"), "scale");
  EXPECT_EQ(each(vector_of(doubles(), 0), "1"), "candidates");
  EXPECT_EQ(each(vector_of(doubles_or_nan(), 2), "1"), "domain");
  const auto domain = vector_of(doubles(), 2);
  EXPECT_EQ(refused_parameter([&] { make_top_k_for(0, 1, 1).build(domain, L1Distance{}); }),
            "epsilon");
  EXPECT_EQ(refused_parameter([&] { make_top_k_for(1, 0, 1).build(domain, L1Distance{}); }),
            "sensitivity");
  EXPECT_EQ(refused_parameter([&] { make_top_k_for(1, 1, 0).build(domain, L1Distance{}); }), "k");
}

}  // namespace top_k_test
}  // namespace lastbit
