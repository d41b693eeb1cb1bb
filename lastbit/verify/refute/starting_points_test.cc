#include "lastbit/verify/refute/starting_points.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "lastbit/base/test_support.h"
#include "lastbit/verify/lang/parser.h"
#include "lastbit/verify/refute/candidates.h"
#include "lastbit/verify/refute/refute.h"

namespace lastbit::verify {
namespace starting_points_test {

using refutation::Candidate;
using refutation::Candidates;
using refutation::Deadline;
using refutation::landmarks;
using refutation::literals_of;

// A mechanism with the parameters and the adjacency that its text starts with, at eps > 0.
Program with_inputs(const std::string& inputs, const std::string& adjacency,
                    const std::string& body) {
  return parse_program("mechanism m(" + inputs + ", eps: real) requires eps > 0 adjacent " +
                       adjacency + " {" + body + "}");
}

Program scalar(const std::string& body) { return with_inputs("f: real", "|f.1 - f.2| <= 1", body); }

// What a search of this many pairs of runs finds, checked; the seconds are for slow builds.
std::optional<Witness> found(const Program& program, int pairs) {
  const auto witness = refute(program, {.seconds = 60, .pairs = pairs});
  if (witness) {
    EXPECT_TRUE(check_witness(program, *witness).holds) << explain(*witness);
  }
  return witness;
}

// A pair of runs of these programs takes far less than a millisecond.
constexpr int kSoon = 100;

TEST(StartingPointsTest, ThresholdsOfAnySizeAreFound) {
  for (const std::string threshold : {"4", "8", "20", "100", "1000000", "1e30", "7.3", "-40"}) {
    for (const std::string comparison : {">", ">=", "<", "<=", "=="}) {
      const std::string condition = "f " + comparison + " " + threshold;
      const auto witness =
          found(scalar("if " + condition + " { output 1; } else { output 0; }"), kSoon);
      EXPECT_TRUE(witness && witness->infinite_loss) << condition;
    }
  }
}

TEST(StartingPointsTest, ThresholdsBehindArithmeticAreFound) {
  for (const std::string condition :
       {"2 * f > 100", "f / 3 > 70", "f + 30 > 1000", "f - 30 > 1000", "3 - f > 500",
        "round(f, 1) > 77", "abs(f) > 50", "max(f, 9) > 60 + 3", "clamp(f, 40, 90) != 40"}) {
    EXPECT_TRUE(found(scalar("return " + condition + ";"), 2 * kSoon)) << condition;
  }
}

TEST(StartingPointsTest, ThresholdsForNoisyValuesAreFound) {
  EXPECT_TRUE(found(scalar("y <- laplace(1 / eps); x := f + y;"
                           "if x > 100 { output f; } else { output x; }"),
                    kSoon));
  EXPECT_TRUE(found(scalar("y <- laplace(max(1, f - 200) / eps); return y;"), kSoon));
}

TEST(StartingPointsTest, ThresholdsForListsAreFound) {
  EXPECT_TRUE(found(with_inputs("q: real[n], n: int", "one |q.1 - q.2| <= 1", R"(
    for i in 0 .. n {
      y <- laplace(1 / eps); output q[i] + y; if q[i] > 100 { output 1; } else { output 0; }
    })"),
                    2 * kSoon));
  // Only the first entry is large.
  EXPECT_TRUE(found(with_inputs("q: real[n], n: int", "every |q.1 - q.2| <= 1", R"(
    return q[0] > 500 and q[1] < 10 and n > 1;)"),
                    6 * kSoon));
}

TEST(StartingPointsTest, EveryEntryIsMovedWhereOneMayMove) {
  for (const std::string entry : {"0", "1", "2", "3", "4", "5", "n - 2", "n - 1", "k"}) {
    for (const std::string direction : {"q.1 - q.2", "q.2 - q.1"}) {
      const auto witness = found(parse_program("mechanism m(q: real[n], n: int, k: int, eps: real)"
                                               " requires eps > 0, n >= 3, k >= 1, k < n - 1"
                                               " adjacent one 0 <= " +
                                               direction + " <= 1 { return q[" + entry + "]; }"),
                                 3 * kSoon);
      EXPECT_TRUE(witness && witness->infinite_loss) << entry << ", " << direction;
    }
  }
}

TEST(StartingPointsTest, EntriesThatOnlyLongListsHaveAreMoved) {
  for (const std::string adjacency : {"one |q.1 - q.2| <= 1", "every |q.1 - q.2| <= 1"}) {
    EXPECT_TRUE(found(with_inputs("q: real[n], n: int", adjacency, "return q[17];"), 10 * kSoon))
        << adjacency;
    EXPECT_TRUE(found(parse_program("mechanism m(q: real[n], n: int) requires n >= 20 adjacent " +
                                    adjacency + " claims 0 { return q[n - 10]; }"),
                      kSoon))
        << adjacency;
  }
}

TEST(StartingPointsTest, PublicParametersAreThresholdsToo) {
  EXPECT_TRUE(
      found(parse_program("mechanism m(f: int, T: int, eps: real) requires eps > 0, T >= 900"
                          " adjacent |f.1 - f.2| <= 1 { return f > T; }"),
            kSoon));
}

TEST(StartingPointsTest, FractionsAreTriedForRealsOnly) {
  const std::string body = "y <- discrete_laplace(1 / eps); return f + y;";
  const auto witness = found(scalar(body), kSoon);
  ASSERT_TRUE(witness);
  EXPECT_TRUE(witness->infinite_loss);
  EXPECT_FALSE(found(with_inputs("f: int", "|f.1 - f.2| <= 1", body), kSoon));
  // Halves round up, so 1/2 and 0 differ; whole numbers, and halves moved by 1, do as promised.
  EXPECT_TRUE(found(with_inputs("f: real", "|f.1 - f.2| <= 1/2",
                                "y <- laplace(1 / (2 * eps)); return round(f, 1) + y;"),
                    kSoon));
}

TEST(StartingPointsTest, StrictBoundsAreNearlyReached) {
  const std::string body = "y <- laplace(99/100 / eps); return f + y;";
  EXPECT_TRUE(found(with_inputs("f: real", "|f.1 - f.2| < 1", body), kSoon));
  EXPECT_TRUE(found(with_inputs("f: real", "-1 < f.1 - f.2 < 1", body), kSoon));
  EXPECT_FALSE(found(
      with_inputs("f: real", "|f.1 - f.2| < 1", "y <- laplace(1 / eps); return f + y;"), kSoon));
  EXPECT_TRUE(found(
      with_inputs("f: int", "|f.1 - f.2| < 30", "y <- laplace(57/2 / eps); return f + y;"), kSoon));
  EXPECT_TRUE(found(with_inputs("f: real, D: real", "|f.1 - f.2| < D",
                                "y <- laplace(99/100 * D / eps); return f + y;"),
                    kSoon));
}

TEST(StartingPointsTest, ClaimsBelowZeroAreTriedUnlessRequirementsExcludeThem) {
  const std::string rest = "adjacent |f.1 - f.2| <= 1 { y <- laplace(1 / eps); return f + y; }";
  EXPECT_TRUE(found(parse_program("mechanism m(f: real, eps: real) " + rest), kSoon));
  EXPECT_FALSE(
      found(parse_program("mechanism m(f: real, eps: real) requires eps > 0 " + rest), kSoon));
}

TEST(StartingPointsTest, LiteralsOfPublicScalesAreNotPrivate) {
  const Program program = scalar(R"(
    y <- laplace(11 / eps); z <- laplace(12 + abs(f)); x := 13;
    for i in 14 .. 15 while y < 16 { if f > 17 or x < 18 { output 19; } else { output -20; } }
    for i in 0 .. floor(f) + 21 { output 22; })");
  std::string text;
  for (const Rational& literal : literals_of(program, {"f"})) text += literal.to_string() + " ";
  EXPECT_EQ(text, "22 21 -20 19 18 17 16 13 12 ");
}

TEST(StartingPointsTest, LandmarksAreFewDistinctAndNotUsual) {
  std::vector<Rational> numbers;
  for (int i = 0; i < 12; ++i) numbers.emplace_back(i * i + 1);
  const std::vector<Rational> many = landmarks(numbers);
  EXPECT_EQ(many.size(), refutation::kMostLandmarks);
  for (const Rational& value : many) {
    EXPECT_EQ(std::ranges::count(many, value), 1) << value.to_string();
    EXPECT_FALSE(value.is_integer() && abs(value) <= 3) << value.to_string();
  }
  EXPECT_TRUE(landmarks({0, 1}).empty());
  const std::vector<Rational> ten = {10, -10, 9, 11, rational("19/2"), rational("21/2"), 100, 20};
  EXPECT_EQ(landmarks({10}), ten);
}

TEST(StartingPointsTest, CandidatesHaveTheirTypesMeetRequirementsAndAreAdjacent) {
  const Program program = parse_program(
      "mechanism m(f: real, k: int, b: bool, q: int[n], n: int, T: real, eps: real) "
      "requires eps > 0, n >= 1, T > 100/3 "
      "adjacent |f.1 - f.2| < 3/2, |k.1 - k.2| <= 5/2, every |q.1 - q.2| <= 3 "
      "{ return f > 51/2 or k > 7 or b or q[0] > T; }");
  Candidates candidates(program);
  std::set<Candidate> seen;
  for (int i = 0; i < 3000; ++i) {
    const std::optional<Candidate> candidate = candidates.next(Deadline(60));
    ASSERT_TRUE(candidate);
    EXPECT_TRUE(seen.insert(*candidate).second);
    EXPECT_TRUE(refutation::meets_requirements(program, candidate->first));
    EXPECT_TRUE(refutation::are_adjacent(program, candidate->first, candidate->second));
    for (const auto& run : {candidate->first, candidate->second}) {
      const auto whole = [&](const std::string& name) {
        return std::ranges::all_of(run.at(name), [](const Rational& x) { return x.is_integer(); });
      };
      EXPECT_TRUE(whole("k") && whole("q") && whole("n"));
    }
  }
  const auto starts_at = [&](const std::string& name, const Rational& value) {
    return std::ranges::any_of(
        seen, [&](const Candidate& c) { return c.first.at(name).front() == value; });
  };
  EXPECT_TRUE(starts_at("f", rational("1/2")));
  EXPECT_TRUE(starts_at("f", rational("51/2")));
  EXPECT_TRUE(starts_at("k", 7));
  EXPECT_TRUE(starts_at("q", 34));
}

}  // namespace starting_points_test
}  // namespace lastbit::verify
