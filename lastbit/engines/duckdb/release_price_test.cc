// Small plans, run often on neighbouring tables with recorded bits: no event becomes more likely
// than the price allows, and some event nearly that much.
//
// Events are the values of a number that is computed from the answers, all values from one on, and
// all up to one. With N releases a probability p lies between the two numbers with N·KL(f‖p) =
// ln(1/β), f being its frequency, except with probability β on each side (Chernoff). With β =
// 10^-12 and fewer than 10^6 such numbers, a price that is kept is reported as broken with
// probability at most 10^-6.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iostream>
#include <map>

#include "lastbit/base/test_support.h"
#include "lastbit/engines/duckdb/release_test_support.h"

namespace lastbit::engine {
namespace release_price_test {

constexpr std::int64_t kReleases = 50'000 / kThinning;
const double kLogBeta = std::log(1e12);

double divergence(double f, double p) {
  const double with = f > 0 ? f * std::log(f / p) : 0;
  const double without = f < 1 ? (1 - f) * std::log((1 - f) / (1 - p)) : 0;
  return with + without;
}

// bound: how close to `end`, which is 0 or 1, the probability of an event with this count may be.
double bound(std::int64_t occurred, double end) {
  const auto n = static_cast<double>(kReleases);
  const double f = static_cast<double>(occurred) / n;
  double inside = f;
  double outside = end;
  for (int step = 0; step < 50; ++step) {
    const double middle = (inside + outside) / 2;
    (n * divergence(f, middle) <= kLogBeta ? inside : outside) = middle;
  }
  return outside;
}

using Lines = std::vector<AnswerLine>;
using Counts = std::map<Rational, std::int64_t>;

// Feature: the number that events are about.
using Feature = std::function<Rational(const Lines&)>;
Rational first_value(const Lines& lines) { return lines.empty() ? -1 : lines[0].value.value(); }
Rational smallest_value(const Lines& lines) {
  Rational least = lines[0].value.value();
  for (const AnswerLine& line : lines) least = std::min(least, *line.value);
  return least;
}
Rational first_choice(const Lines& lines) {
  return Rational(std::get<std::int64_t>(lines[0].choice.value()));
}
Rational number_shown(const Lines& lines) { return Rational(lines.size()); }

// certain_loss: an ε below which P(event) ≤ e^ε·P′(event) + δ fails for some event, as the outcomes
// of the releases show.
double certain_loss(const Counts& with, const Counts& without, double delta) {
  Counts values = with;
  values.insert(without.begin(), without.end());
  double loss = 0;
  const auto see = [&](std::int64_t a, std::int64_t b) {
    const double less = bound(a, 0) - delta;
    if (less > 0) loss = std::max(loss, std::log(less / bound(b, 1)));
  };
  std::int64_t with_up_to = 0;
  std::int64_t without_up_to = 0;
  const auto at = [](const Counts& counts, const Rational& value) {
    const auto found = counts.find(value);
    return found == counts.end() ? 0 : found->second;
  };
  for (const auto& [value, unused] : values) {
    see(at(with, value), at(without, value));
    see(kReleases - with_up_to, kReleases - without_up_to);
    with_up_to += at(with, value);
    without_up_to += at(without, value);
    see(with_up_to, without_up_to);
  }
  return loss;
}

class ReleasePriceTest : public ::testing::Test {
 protected:
  // certain_loss_of: what is certainly lost between releases about the two tables, in the larger
  // direction.
  double certain_loss_of(
      const std::string& statistic, const std::string& more, const std::string& less,
      const Feature& feature, double delta = 0,
      const std::string& budget = "epsilon = 1, delta = 0.1, accounting = 'approximate'") {
    const std::string text =
        "version = 1\nsource = 't.csv'\nunit = " + unit_ + "\nbudget = { " + budget +
        ", ledger = 'l' }\n[columns]\nid = { type = 'integer' }\nx = { type = 'integer', lower = "
        "0, "
        "upper = 2 }\ntown = { type = 'integer', keys = { from = 1, to = 3 } }\n"
        "job = { type = 'integer' }\n[[statistics]]\n" +
        statistic;
    std::vector<Counts> outcomes;
    for (const std::string& rows : {more, less}) {
      scratch_.write("t.csv", "id,town,job,x\n" + rows);
      const ReleasePlan plan = planned(scratch_, text);
      const ExactAnswers answers = exact(plan, 1);
      BitSource bits = lastbit::testing::seeded_tape(90 + outcomes.size());
      Counts& counts = outcomes.emplace_back();
      for (std::int64_t i = 0; i < kReleases; ++i) {
        ++counts[feature(release_answers(plan, answers, bits)[0].lines)];
      }
    }
    return std::max(certain_loss(outcomes[0], outcomes[1], delta),
                    certain_loss(outcomes[1], outcomes[0], delta));
  }

  // A price that is kept is never exceeded; only all releases together show that it is nearly
  // reached.
  static void expect_between(double loss, double least, double most) {
    std::cout << "lost for certain: " << loss << " of " << most << "\n";
    EXPECT_LE(loss, most);
    if (kThinning == 1) {
      EXPECT_GE(loss, least);
    }
  }

  std::string unit_ = "'row'";
  Scratch scratch_;
};

// SLOW: ReleasePriceTest.*
TEST_F(ReleasePriceTest, CountKeepsItsEpsilonAndNeedsIt) {
  expect_between(certain_loss_of("kind = 'count'", "1,1,1,1\n2,1,1,1\n", "1,1,1,1\n", first_value),
                 0.75, 1);
}

TEST_F(ReleasePriceTest, SumKeepsItsEpsilonAndNeedsIt) {
  expect_between(
      certain_loss_of("kind = 'sum'\ncolumn = 'x'", "1,1,1,9\n2,1,1,1\n", "2,1,1,1\n", first_value),
      0.75, 1);
}

TEST_F(ReleasePriceTest, CellsOfOneUnitKeepTheirEpsilonAndNeedIt) {
  unit_ = "{ id = 'id', max_rows_per_group = 2, max_groups = 2 }";
  // The unit counts twice in each of two towns; two large numbers give it away.
  const std::string others = "2,1,1,1\n2,2,1,1\n3,2,1,1\n";
  const std::string somebody = "1,1,1,1\n1,1,1,1\n1,1,1,1\n1,2,1,1\n1,2,1,1\n1,3,1,1\n1,3,1,1\n";
  const double loss = certain_loss_of("kind = 'count'\nby = 'town'\nmax_groups = 3",
                                      others + somebody, others, smallest_value);
  expect_between(loss, 0.65, 1);
}

TEST_F(ReleasePriceTest, MeanKeepsItsEpsilon) {
  const std::string others = "2,1,1,0\n3,1,1,0\n4,1,1,1\n";
  expect_between(
      certain_loss_of("kind = 'mean'\ncolumn = 'x'", others + "1,1,1,2\n", others, first_value),
      0.2, 1);
}

TEST_F(ReleasePriceTest, QuantileKeepsItsEpsilon) {
  const std::string others = "2,1,1,1\n3,1,1,1\n4,1,1,0\n5,1,1,2\n";
  for (const std::string somebody : {"1,1,1,0\n", "1,1,1,2\n"}) {
    const double loss = certain_loss_of(
        "kind = 'quantiles'\ncolumn = 'x'\nupper = 3\nstep = 1\nquantiles = [0.5]\n"
        "interval_share = 0",
        others + somebody, others, first_value);
    expect_between(loss, 0.3, 1);
  }
}

TEST_F(ReleasePriceTest, TopKeepsItsEpsilonAndNeedsIt) {
  const std::string others = "2,1,1,1\n3,2,1,1\n";
  expect_between(certain_loss_of("kind = 'top'\ncolumn = 'town'\ncategories = [1, 2]\nk = 1",
                                 others + "1,1,1,1\n", others, first_choice),
                 0.75, 1);
}

TEST_F(ReleasePriceTest, KeyOfOneUnitIsShownNoMoreOftenThanDeltaSays) {
  const std::string statistic = "kind = 'count'\nby = 'job'\ndiscover = { delta = 0.1 }";
  const std::string others = "2,1,1,1\n3,1,1,1\n4,1,1,1\n";
  const auto loss = [&](double delta) {
    return certain_loss_of(statistic, others + "1,1,7,1\n", others, number_shown, delta);
  };
  expect_between(loss(0.1), 0, 1);
  // Nearly all of the delta is needed.
  if (kThinning == 1) {
    EXPECT_GT(loss(0.03), 1);
  }
}

// The same in rho and delta: converted with a further 1/100.
TEST_F(ReleasePriceTest, KeyOfOneUnitIsShownNoMoreOftenThanTheDeltaBesideRhoSays) {
  const std::string statistic = "kind = 'count'\nby = 'job'\ndiscover = { delta = 0.1 }";
  const std::string others = "2,1,1,1\n3,1,1,1\n4,1,1,1\n";
  const double epsilon = approximate_epsilon(Rational(1, 2), Rational(1, 100)).up();
  const auto loss = [&](double delta) {
    return certain_loss_of(statistic, others + "1,1,7,1\n", others, number_shown, delta,
                           "rho = 0.5, delta = 0.1");
  };
  expect_between(loss(0.11), 0, epsilon);
  // More than half of the delta is needed: noise is on whole numbers.
  if (kThinning == 1) {
    EXPECT_GT(loss(0.03), 1);
  }
}

TEST_F(ReleasePriceTest, GaussianCountKeepsItsRho) {
  const double delta = 0.01;
  const double epsilon = approximate_epsilon(Rational(1, 2), Rational(1, 100)).up();
  const double loss = certain_loss_of("kind = 'count'", "1,1,1,1\n2,1,1,1\n", "1,1,1,1\n",
                                      first_value, delta, "rho = 0.5");
  expect_between(loss, epsilon / 2, epsilon);
}

}  // namespace release_price_test
}  // namespace lastbit::engine
