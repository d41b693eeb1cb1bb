#include "lastbit/verify/refute/refute.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "lastbit/base/stopwatch.h"
#include "lastbit/base/test_support.h"
#include "lastbit/verify/lang/expectation.h"
#include "lastbit/verify/lang/parser.h"
#include "lastbit/verify/refute/candidates.h"
#include "lastbit/verify/refute/law.h"

namespace lastbit::verify {
namespace refute_test {

using refutation::Candidate;
using refutation::Candidates;
using refutation::Deadline;
using refutation::Event;
using refutation::Path;

std::string read(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::vector<std::filesystem::path> corpus(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  const auto root = std::filesystem::path(LASTBIT_SOURCE_DIR) / "corpus" / folder;
  for (const auto& entry : std::filesystem::directory_iterator(root)) {
    if (entry.path().extension() == ".dp") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

Program broken(const std::string& name) {
  return parse_program(
      read(std::filesystem::path(LASTBIT_SOURCE_DIR) / "corpus/broken" / (name + ".dp")));
}

// A scalar mechanism with sensitivity 1 around a body.
Program scalar(const std::string& body, const std::string& claim = "eps") {
  return parse_program(
      "mechanism m(f: real, eps: real) requires eps > 0 adjacent |f.1 - f.2| <= 1 "
      "claims " +
      claim + " {" + body + "}");
}

// A mechanism on a list of queries that all move by at most 1.
Program queries(const std::string& body) {
  return parse_program(
      "mechanism m(q: real[n], n: int, eps: real) requires eps > 0, n >= 1 "
      "adjacent every |q.1 - q.2| <= 1 claims eps {" +
      body + "}");
}

// The search ends with its first success; the limit is for slow builds.
const RefuteOptions kPatient{.seconds = 60};

Witness found(const Program& program) {
  std::string why_not;
  const std::optional<Witness> witness = refute(program, kPatient, &why_not);
  EXPECT_TRUE(witness) << program.name << ": " << why_not;
  if (!witness) throw Error(ErrorCode::kInternal, "test", "nothing was found", "");
  const WitnessCheck check = check_witness(program, *witness);
  EXPECT_TRUE(check.holds) << program.name << ": " << check.problem << "\n" << explain(*witness);
  return *witness;
}

// SLOW: RefuteTest.EveryBrokenMechanismOfTheCorpusIsRefuted
TEST(RefuteTest, EveryBrokenMechanismOfTheCorpusIsRefuted) {
  int count = 0;
  for (const auto& file : corpus("broken")) {
    const std::string text = read(file);
    ASSERT_EQ(read_expectation(text), (Expectation{"refuted", ""})) << file;
    const Witness witness = found(parse_program(text, file.string()));
    const Ball allowed = exp(witness.epsilon) * witness.probability2 + witness.delta;
    EXPECT_TRUE(certainly_greater(witness.probability1, allowed)) << file;
    ++count;
  }
  EXPECT_GE(count, 30);
}

// SLOW: RefuteTest.NoCorrectMechanismIsRefuted
TEST(RefuteTest, NoCorrectMechanismIsRefuted) {
  for (const std::string folder : {"correct", "controls"}) {
    for (const auto& file : corpus(folder)) {
      std::string why_not;
      const auto witness =
          refute(parse_program(read(file)), {.seconds = 60, .pairs = 15}, &why_not);
      EXPECT_FALSE(witness) << file << "\n" << (witness ? explain(*witness) : "");
      // At least one pair of runs was really compared.
      EXPECT_FALSE(why_not.starts_with("0 ")) << file << ": " << why_not;
    }
  }
}

TEST(RefuteTest, PathsOfEveryMechanismCarryAllProbability) {
  for (const std::string folder : {"correct", "broken", "controls"}) {
    for (const auto& file : corpus(folder)) {
      const Program program = parse_program(read(file));
      Candidates candidates(program);
      const Deadline deadline(60);
      for (int i = 0; i < 4; ++i) {
        const std::optional<Candidate> candidate = candidates.next(deadline);
        if (!candidate) break;
        refutation::Arithmetic<Ball> arithmetic(128);
        Ball total(0, 128);
        for (const Path& path : refutation::paths_of(program, candidate->second, {}, deadline)) {
          const auto mass =
              refutation::probability(path.noises, path.system.intervals(), arithmetic, {deadline});
          total = total + path.weight.ball(128) * mass.high;
        }
        EXPECT_LT(abs(total - Ball(1, 128)).upper(), 0x1p-70) << file << " " << total.to_string();
      }
    }
  }
}

TEST(RefuteTest, HalfTheNoiseLosesTwice) {
  const Witness witness = found(broken("laplace_half_noise"));
  EXPECT_TRUE(witness.loss.contains(2));
  EXPECT_FALSE(witness.infinite_loss);
  EXPECT_EQ(witness.event, "output = [_] with output[0] <= 0");
  EXPECT_TRUE(witness.probability1.contains(rational("1/2")));
  EXPECT_TRUE(overlaps(witness.probability2, exp(Ball(-2, 128)) / Ball(2, 128)));
}

TEST(RefuteTest, NoisyMaximumOfTwoHasItsClosedForm) {
  // Noise of scale 1 in place of 2: Pr[index 1] is 1/2 at distance 0, e^(−2)·(2 + 2)/4 at 2.
  const Witness witness = found(queries(R"(
    best := 0; index := 0;
    for i in 0 .. n {
      y <- laplace(1 / eps);
      if i == 0 or q[i] + y > best { best := q[i] + y; index := i; }
    }
    return index;)"));
  EXPECT_EQ(witness.event, "output = [1]");
  EXPECT_TRUE(witness.probability1.contains(rational("1/2")));
  EXPECT_TRUE(overlaps(witness.probability2, exp(Ball(-2, 128))));
}

TEST(RefuteTest, ValueOfTheNoisyMaximumLosesHalfForEachQuery) {
  const Witness witness = found(broken("noisy_max_value"));
  EXPECT_EQ(witness.parameters.front(), (std::pair<std::string, std::string>("n", "3")));
  EXPECT_TRUE(witness.loss.contains(rational("3/2")));
}

TEST(RefuteTest, OutputsThatOneRunNeverGivesAreInfiniteLosses) {
  for (const std::string name :
       {"noisy_max_exponential_value", "svt_no_query_noise", "smart_sum_no_block_noise"}) {
    const Witness witness = found(broken(name));
    EXPECT_TRUE(witness.infinite_loss) << name;
    EXPECT_TRUE(witness.probability2.is_exact() && witness.probability2.contains(0)) << name;
    EXPECT_FALSE(witness.loss.is_finite()) << name;
    EXPECT_NE(explain(witness).find("infinite"), std::string::npos) << name;
  }
}

TEST(RefuteTest, IrrationalClaimsAreCompared) {
  // A coin of 4/5 loses ln 4, and claims ln 3; one of 3/4 loses what it claims.
  EXPECT_TRUE(found(broken("randomized_response_rational_understated"))
                  .loss.contains(ln(Ball(4, 128)).lower_rational()));
}

TEST(RefuteTest, DeltaIsSpentByTheUnionOfEvents) {
  // Each of eight rare outputs alone is within δ = 1/20; together they have probability 1/10.
  const std::string body = R"(
    bad <- bernoulli(1/10);
    k := 0;
    for i in 0 .. 3 { b <- bernoulli(1/2); if b { k := 2 * k + 1; } else { k := 2 * k; } }
    if bad { if f > 0 { output k; } else { output k + 8; } } else { output 100; })";
  const Witness witness = found(scalar(body, "0, delta 1/20"));
  EXPECT_NE(witness.event.find(" or "), std::string::npos);
  EXPECT_TRUE(witness.probability1.contains(rational("1/10")));
  EXPECT_FALSE(refute(scalar(body, "0, delta 1/10"), {.seconds = 60, .pairs = 20}));
}

// SLOW: RefuteTest.SumsOfManyNoisesAreEnclosedByBoxes
TEST(RefuteTest, SumsOfManyNoisesAreEnclosedByBoxes) {
  const Witness witness = found(queries(R"(
    s := 0;
    for i in 0 .. n { y <- laplace(1 / (3 * eps)); s := s + q[i] + y; }
    x <- laplace(1 / (3 * eps)); s := s + x;
    z <- laplace(1 / (3 * eps)); s := s + z;
    return s;)"));
  EXPECT_GT(witness.loss.lower(), 1);
}

TEST(RefuteTest, SensitivityIsTakenFromTheAdjacency) {
  const Program program = parse_program(
      "mechanism m(f: real, D: real, eps: real) requires eps > 0, D >= 10 "
      "adjacent |f.1 - f.2| <= D { y <- laplace((D - 1/10) / eps); return f + y; }");
  EXPECT_GT(found(program).loss.lower(), 1.001);
  const Program one_sided = parse_program(
      "mechanism m(f: int, eps: real) requires eps > 0 "
      "adjacent 0 <= f.2 - f.1 <= 3 { y <- discrete_laplace(2 / eps); return f + y; }");
  EXPECT_TRUE(found(one_sided).loss.contains(rational("3/2")));
}

TEST(RefuteTest, ParametersFarFromOneAreFound) {
  std::string names;
  std::string requirements;
  for (int i = 0; i < 200; ++i) {
    names += ", p" + std::to_string(i) + ": real";
    requirements += ", p" + std::to_string(i) + " > " + std::to_string(i);
  }
  found(parse_program("mechanism m(f: real, eps: real" + names + ") requires eps > 0" +
                      requirements + ", p7 < 15/2 adjacent |f.1 - f.2| <= 1 " +
                      "{ y <- laplace(1 / (2 * eps)); return f + y; }"));
}

TEST(RefuteTest, RulesForTiesMakeNoDifference) {
  for (const std::string rounding :
       {"round(f + y, 1/2)", "round_half_even(f + y, 1/2)", "round_toward_zero(f + y, 1/2)",
        "floor(f + y)", "ceil(f + y)", "clamp(floor(2 * (f + y) + 1/2), -2, 2)"}) {
    EXPECT_FALSE(
        refute(scalar("y <- laplace(1 / eps); return " + rounding + ";"), {.seconds = 0.1}))
        << rounding;
    const Witness witness = found(scalar("y <- laplace(1 / (2 * eps)); return " + rounding + ";"));
    EXPECT_GT(witness.loss.lower(), 1.01) << rounding;
  }
}

// Text of a random expression over noisy values that never reads the input.
std::string random_number(int depth) {
  const int kind = depth == 0 ? *rc::gen::inRange(0, 3) : *rc::gen::inRange(0, 10);
  const auto part = [&] { return random_number(depth - 1); };
  const std::string constant = std::to_string(*rc::gen::inRange(-2, 3));
  const std::string factor = std::to_string(*rc::gen::inRange(1, 4)) + "/2";
  switch (kind) {
    case 0:
      return constant;
    case 1:
    case 3:
      return "v";
    case 4:
      return "(" + part() + " + " + factor + " * " + part() + ")";
    case 5:
      return "max(" + part() + ", " + part() + ")";
    case 6:
      return "clamp(" + part() + ", " + constant + ", 2)";
    case 7:
      return "abs(" + part() + ")";
    case 8:
      return "round(" + *rc::gen::element<std::string>("v", "w", "(v - w)") + ", " + factor + ")";
    default:
      return "w";
  }
}

std::string random_block(int depth) {
  std::string text;
  for (int i = *rc::gen::inRange(1, 3); i > 0; --i) {
    if (depth > 0 && *rc::gen::arbitrary<bool>()) {
      text += "if " + random_number(1) + " < " + random_number(1) + " {" + random_block(depth - 1) +
              "} else {" + random_block(depth - 1) + "}";
    } else {
      text += "output " + random_number(2) + ";";
    }
  }
  return text;
}

// SLOW: RefuteTest.FunctionsOfNoisyValuesAreNeverRefuted
RC_GTEST_PROP(RefuteTest, FunctionsOfNoisyValuesAreNeverRefuted, ()) {
  // Both values together are noisy enough, so anything computed from them is private too.
  const std::string body =
      "x <- laplace(2 / eps); y <- laplace(2 / eps); v := f + x; w := y - f;" + random_block(2);
  std::string why_not;
  const auto witness = refute(scalar(body), {.seconds = 60, .pairs = 2}, &why_not);
  RC_ASSERT(!witness);
  RC_CLASSIFY(!why_not.starts_with("0 "), "compared");
}

TEST(RefuteTest, ExplanationsTellEverything) {
  EXPECT_EQ(explain(found(broken("svt_no_query_noise"))), R"(at      T = 0, n = 2, eps = 1
run 1   q = [1, -1]
run 2   q = [0, 0]
event   output = [true, false]
P1      [0.39346934 +/- 2.88e-10]
P2      0
loss    infinite: run 2 never does this
claimed 1
)");
  const Program leaking =
      scalar("b <- bernoulli(1/8); if b { output f; } else { output 0 - 1; }", "0, delta 1/16");
  EXPECT_EQ(explain(found(leaking)), R"(at      eps = 1
run 1   f = 0
run 2   f = 1
event   output = [0]
P1      0.125
P2      0
loss    infinite: run 2 never does this
claimed 0, with delta 0.0625
but     P1 - e^claimed * P2 = 0.125 > delta
)");
}

TEST(RefuteTest, ExplanationsWithADeltaShowTheDifferenceThatDecides) {
  // 1/2 − √e/(2e) = 0.1967… exceeds δ.
  const std::string text =
      explain(found(scalar("y <- laplace(1 / eps); return f + y;", "eps / 2, delta 1/10")));
  EXPECT_NE(text.find("\nbut     P1 - e^claimed * P2 = [0.1967"), std::string::npos) << text;
  EXPECT_NE(text.find("] > delta\n"), std::string::npos) << text;
}

TEST(RefuteTest, ExplanationsHaveNoLineForParametersThatAreNotThere) {
  const std::string text =
      explain(found(parse_program("mechanism m(f: real) adjacent |f.1 - f.2| <= 1 claims 1 "
                                  "{ y <- laplace(1/2); return f + y; }")));
  EXPECT_TRUE(text.starts_with("run 1   f = ")) << text;
}

TEST(RefuteTest, CheckRejectsWitnessesThatWereTamperedWith) {
  const Program program = broken("svt_unlimited");
  const Witness good = found(program);
  const auto rejected = [&](const auto& change) {
    Witness bad = good;
    change(bad);
    return !check_witness(program, bad).holds;
  };
  EXPECT_FALSE(rejected([](Witness&) {}));
  EXPECT_TRUE(rejected([](Witness& w) { std::swap(w.input1, w.input2); }));
  EXPECT_TRUE(rejected([](Witness& w) { w.input2 = w.input1; }));
  EXPECT_TRUE(rejected([](Witness& w) { w.input1[0].second = "[100, 100, 100]"; }));
  EXPECT_TRUE(rejected([](Witness& w) { w.input1[0].second = "[0]"; }));
  EXPECT_TRUE(rejected([](Witness& w) { w.input1[0].second = "[0, x]"; }));
  EXPECT_TRUE(rejected([](Witness& w) { w.input1.clear(); }));
  EXPECT_TRUE(rejected([](Witness& w) { w.parameters.clear(); }));
  EXPECT_TRUE(rejected([](Witness& w) { w.parameters.back().second = "-1"; }));
  EXPECT_TRUE(rejected([](Witness& w) { w.parameters.back().second = "5"; }));
  EXPECT_TRUE(rejected([](Witness& w) { w.probability1 = Ball(rational("1/7"), 64); }));
  EXPECT_TRUE(rejected([](Witness& w) { w.epsilon = Ball(rational("1/2"), 64); }));
  EXPECT_TRUE(rejected([](Witness& w) { w.infinite_loss = true; }));
  EXPECT_TRUE(rejected([](Witness& w) { w.event += " or " + w.event; }));
  for (const char* event :
       {"", "output", "output = [", "output = [_] with ", "output = [1, ]",
        "output = [_, _] with output[7] <= 1", "output = [] or ",
        "output = [_, _] with output[0] < 1", "output = [true]", "output = [] then",
        "output = [true, false] then impossible", "output then impossible"}) {
    EXPECT_TRUE(rejected([&](Witness& w) { w.event = event; })) << event;
  }
}

TEST(RefuteTest, OneEventCountedThriceProvesNothing) {
  // Pr[f + y ≤ 0] is 1/2 and 1/(2e): within δ once, beyond it if it were counted three times.
  const Program program = scalar("y <- laplace(1 / eps); return f + y;", "eps / 2, delta 4/10");
  const std::string once = "output = [_] with output[0] <= 0";
  const Ball p1(rational("3/2"), 128);
  const Witness witness{{{"eps", "1"}},
                        {{"f", "0"}},
                        {{"f", "1"}},
                        once + " or " + once + " or " + once,
                        p1,
                        p1 * exp(Ball(-1, 128)),
                        Ball(rational("1/2"), 128),
                        Ball(rational("2/5"), 128),
                        Ball(1, 128)};
  EXPECT_EQ(check_witness(program, witness).problem, "the event is not certainly too likely");
}

TEST(RefuteTest, EventsSurviveTheirText) {
  for (const char* text :
       {"output = []", "output = [true, -3/7, _]", "output = [_, _] with output[0] <= -1/3",
        "output = [_, 2, _] with output[0] in [-1, 1] and output[2] - output[0] >= 5",
        "output = [_, _] with output[1] - output[0] = 2", "output = [true] or output = [_, 1]",
        "output = [] then impossible", "output = [_, 1] then impossible with output[0] <= 0",
        "output = [1] then impossible or output = [1]"}) {
    EXPECT_EQ(refutation::event_text(refutation::parsed_event(text)), text);
  }
  const Event overlapping = refutation::parsed_event("output = [1] or output = [_]");
  EXPECT_FALSE(refutation::are_disjoint(overlapping));
  EXPECT_TRUE(refutation::are_disjoint(
      refutation::parsed_event("output = [1] or output = [_] then impossible")));
  EXPECT_TRUE(refutation::are_disjoint(refutation::parsed_event("output = [1] or output = [2]")));
}

double seconds_of(const auto& action) {
  const Stopwatch watch;
  action();
  return watch.seconds();
}

TEST(RefuteTest, HostileProgramsEndInTimeWithNothing) {
  const std::vector<std::string> bodies = {
      "x := 3; for i in 0 .. 1000000000 { x := x * x + 1; } return x;",
      "x := 1; for i in 0 .. 1000000000 { x := logistic(x * x); } return x > 0;",
      "x := 1; for i in 0 .. 1000 { x := exp(x); } return x > f;",
      "s := 0; for i in 0 .. 1000 { y <- laplace(1 / eps); s := s + y; } return s > f;",
      R"(s := 0; c := 0;
         for i in 0 .. 12 { y <- laplace(1 / eps); s := s + y; if s > f { c := c + 1; } }
         return c;)",
      "y <- laplace(1 / eps); z <- laplace(1 / eps); return y * z + f;",
      "y <- laplace(1 / (f - f)); return y;",
      "y <- laplace(0 - eps); return y;",
      "return ln(0 - 1 - f * f);",
      "y <- discrete_laplace(1000000000); z <- discrete_laplace(1000000000); return y + z > f;",
      "u <- uniform(0, 1); return ln(u) + u > f;",
      "for i in 0 .. 40 { b <- bernoulli(1/2); output b; }",
  };
  for (const std::string& body : bodies) {
    std::string why_not;
    // Sanitizers slow the last steps down; an endless loop would be far beyond this.
    EXPECT_LT(
        seconds_of([&] { EXPECT_FALSE(refute(scalar(body), {.seconds = 0.1}, &why_not)) << body; }),
        5)
        << body;
    EXPECT_FALSE(why_not.empty());
  }
}

TEST(RefuteTest, ReasonsAreGivenWhenNothingCouldBeComputed) {
  std::string why_not;
  EXPECT_FALSE(refute(scalar("y <- laplace(1 / eps); z <- laplace(1); return y * z + f;"),
                      {.seconds = 1}, &why_not));
  EXPECT_NE(why_not.find("multiplies noise by noise"), std::string::npos) << why_not;
  EXPECT_FALSE(refute(scalar("y <- laplace(1 / eps); return f + y;"), {.seconds = 0}, &why_not));
  EXPECT_NE(why_not.find("time"), std::string::npos) << why_not;
}

}  // namespace refute_test
}  // namespace lastbit::verify
