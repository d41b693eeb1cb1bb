// Mutation: thousands of certificates that differ from a proof in one place. What the kernel accepts
// must still be a theorem.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <set>
#include <sstream>
#include <string_view>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/verify/kernel/check.h"
#include "lastbit/verify/lang/printer.h"
#include "lastbit/verify/lang/test_support.h"
#include "lastbit/verify/refute/refute.h"
#include "tests/kernel/forge.h"
#include "tests/kernel/mutants.h"

namespace lastbit::verify::testing {
namespace {

// is_accepted: the certificate survives the way through its text and the kernel.
bool is_accepted(const Certificate& certificate) {
  try {
    (void)check(read_certificate(write_certificate(certificate)));
    return true;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBadInput) << error.what();
    return false;
  }
}

bool contains_all(const std::vector<Expression>& all, const std::vector<Expression>& some) {
  return std::ranges::all_of(
      some, [&](const Expression& e) { return std::ranges::find(all, e) != all.end(); });
}

// is_narrower: the second adjacency has the conditions of the first, or one with a smaller bound.
bool is_narrower(const Adjacency& first, const Adjacency& second) {
  if (first.reach != second.reach || first.list != second.list) return false;
  if (contains_all(second.conditions, first.conditions)) return true;
  if (first.conditions.size() != 1 || second.conditions.size() != 1) return false;
  const Expression& one = first.conditions[0];
  const Expression& two = second.conditions[0];
  if (one.op != Operator::kLessEqual || one.operands[0] != two.operands[0]) return false;
  if (two.op == Operator::kLess) return one.operands[1] == two.operands[1];
  return two.op == Operator::kLessEqual && two.operands[1].op == Operator::kNumber &&
         one.operands[1].op == Operator::kNumber &&
         two.operands[1].number <= one.operands[1].number;
}

// says_less: whoever believes the first theorem must believe the second: it asks for more, or it
// claims less.
bool says_less(const Program& first, Program second) {
  if (contains_all(second.requirements, first.requirements)) {
    second.requirements = first.requirements;
  }
  if (first.adjacent.size() <= second.adjacent.size() &&
      std::ranges::equal(first.adjacent,
                         std::vector(second.adjacent.begin(),
                                     second.adjacent.begin() + std::ssize(first.adjacent)),
                         is_narrower)) {
    second.adjacent = first.adjacent;
  }
  const Expression& claim = second.claimed_epsilon;
  if (claim.op == Operator::kMultiply && claim.operands[0] == first.claimed_epsilon) {
    second.claimed_epsilon = first.claimed_epsilon;  // doubled
  }
  if (second.claimed_delta.op == Operator::kNumber &&
      second.claimed_delta.number > first.claimed_delta.number) {
    second.claimed_delta = first.claimed_delta;
  }
  if (first.parameters.size() == second.parameters.size()) {
    for (std::size_t i = 0; i < first.parameters.size(); ++i) {
      Parameter& narrow = second.parameters[i];  // whole numbers are numbers
      if (first.parameters[i].type == Type::kReal) narrow.type = Type::kReal;
    }
  }
  return second == first;
}

std::vector<std::string> lines_of(const Program& program) {
  std::istringstream text(print_program(program));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

// difference: the lines of the second program that the first does not have, and the other way round.
std::string difference(const Program& first, const Program& second) {
  std::string result;
  const auto add = [&](char sign, const auto& from, const auto& to) {
    for (const std::string& line : from) {
      if (std::ranges::find(to, line) == to.end()) result += "  " + (sign + line) + "\n";
    }
  };
  const auto one = lines_of(first);
  const auto two = lines_of(second);
  add('-', one, two);
  add('+', two, one);
  return result.empty() ? "  (the same lines)\n" : result;
}

// Under sanitizers everything takes twenty times as long; a part of the sample shows what they look
// for, and the slow proofs are left to the other build.
#ifdef LASTBIT_SANITIZED
constexpr std::size_t kThinning = 25;
const std::vector<std::string_view> kSlow = {"noisy_m", "svt", "adaptive", "clipped",
                                             "exponential_c"};
#else
constexpr std::size_t kThinning = 1;
const std::vector<std::string_view> kSlow;
#endif

// LASTBIT_MUTANTS=n tries n mutants of every certificate, LASTBIT_MUTANTS=0 all of them. The sample
// of an ordinary test run is spread evenly over all changes, and little time is spent on each.
const char* wish() { return std::getenv("LASTBIT_MUTANTS"); }
std::size_t wanted_mutants() {
  return wish() == nullptr ? 100 / kThinning
                           : static_cast<std::size_t>(std::strtoul(wish(), nullptr, 10));
}
double seconds_to_refute() { return wish() == nullptr ? 0.05 : 0.5; }

struct Figures {
  std::size_t tried = 0;
  std::size_t accepted = 0;
  std::size_t same_theorem = 0;
  std::size_t weaker_theorem = 0;
  std::set<std::string> others;  // theorems that differ, and that nothing refutes
};

// judge: an accepted mutant is harmless. Another theorem than the original one must not be refuted.
void judge(const Mechanism& mechanism, const Mutant& mutant, Figures& figures) {
  ++figures.tried;
  if (!is_accepted(mutant.certificate)) return;
  ++figures.accepted;
  const Program& theorem = mutant.certificate.program;
  if (theorem == mechanism.certificate.program) {
    ++figures.same_theorem;
    return;
  }
  if (says_less(mechanism.certificate.program, theorem)) {
    ++figures.weaker_theorem;
    return;
  }
  const std::string what = mechanism.name + ", " + mutant.change + ":\n" +
                           difference(mechanism.certificate.program, theorem);
  if (!figures.others.insert(what).second) return;
  const auto witness = refute(theorem, {.seconds = seconds_to_refute(), .pairs = 400});
  EXPECT_FALSE(witness.has_value()) << "The kernel accepts a false theorem.\n"
                                    << what << (witness ? explain(*witness) : "");
}

TEST(MutationTest, AcceptedMutantsAreTheorems) {
  Figures figures;
  std::vector<std::string_view> left_out = kSlow;
  left_out.emplace_back("noisy_max_");
  for (const Mechanism& mechanism : proved(left_out)) {
    const std::size_t count = count_mutants(mechanism.certificate);
    const std::size_t wanted = wanted_mutants();
    const std::size_t tried = wanted == 0 ? count : std::min(count, wanted);
    for (std::size_t i = 0; i < tried; ++i) {
      judge(mechanism, make_mutant(mechanism.certificate, i * count / tried), figures);
    }
  }
  std::cout << figures.tried << " mutants, " << figures.accepted
            << " accepted: " << figures.same_theorem << " prove the same theorem, "
            << figures.weaker_theorem << " a weaker one, " << figures.others.size()
            << " another one that nothing refutes\n";
  if (wish() != nullptr) {
    for (const std::string& other : figures.others) std::cout << other;
  }
  EXPECT_GT(figures.tried, 2'000U / kThinning);
  // A kernel that accepts nothing would pass as well: the proofs themselves are accepted, and a few
  // mutants must be, such as those with a reason that says more than is needed.
  EXPECT_GT(figures.accepted, 0U);
  EXPECT_LT(figures.accepted * 4, figures.tried);
}

// damaged: the text with a few bytes changed, removed, repeated or taken from another text.
std::string damaged(std::string text, const std::string& other, Dice& dice) {
  static const std::string kBytes = "0123456789-/,:.[]{}\"\\ naefst\n\x00\xff";
  const std::size_t at = dice.below(text.size());
  const std::size_t length = 1 + dice.below(dice.one_in(4) ? 200 : 4);
  switch (dice.below(6)) {
    case 0:
      text[at] = static_cast<char>(text[at] ^ (1 << dice.below(8)));
      break;
    case 1:
      text[at] = kBytes[dice.below(kBytes.size())];
      break;
    case 2:
      text.erase(at, length);
      break;
    case 3:
      text.insert(at, text.substr(dice.below(text.size()), length));
      break;
    case 4:
      text.insert(at, 1, kBytes[dice.below(kBytes.size())]);
      break;
    default:
      text.replace(at, length, other.substr(dice.below(other.size()), length));
  }
  return text;
}

// judge_text: a damaged text is refused, is the old text, or proves a theorem.
void judge_text(const Mechanism& mechanism, const std::string& text, Figures& figures) {
  ++figures.tried;
  Mutant mutant;
  try {
    mutant = {read_certificate(text), "damaged text"};
  } catch (const Error& error) {
    ASSERT_EQ(error.code(), ErrorCode::kBadInput) << error.what();
    return;
  }
  --figures.tried;
  judge(mechanism, mutant, figures);
}

TEST(MutationTest, DamagedTextsAreRefusedOrTheorems) {
  Dice dice(20260711);
  Figures figures;
  const std::vector<Mechanism> mechanisms =
      proved({"noisy_m", "svt", "adaptive", "smart", "clipped", "exponential_c"});
  std::vector<std::string> texts;
  for (const Mechanism& each : mechanisms) texts.push_back(write_certificate(each.certificate));
  const std::size_t wanted = 20'000 / kThinning;
  for (std::size_t i = 0; i < wanted; ++i) {
    const std::size_t which = dice.below(texts.size());
    judge_text(mechanisms[which], damaged(texts[which], dice.pick(texts), dice), figures);
  }
  std::cout << figures.tried << " damaged texts, " << figures.accepted
            << " accepted: " << figures.same_theorem << " prove the same theorem\n";
  EXPECT_EQ(figures.tried, wanted);
}

TEST(MutationTest, EveryProofOfTheCorpusIsAccepted) {
  const std::vector<Mechanism> mechanisms = proved(kSlow);
  EXPECT_GE(mechanisms.size(), kSlow.empty() ? 38U : 20U);
  for (const auto& [name, certificate] : mechanisms) {
    EXPECT_TRUE(is_accepted(certificate)) << name;
    const Theorem theorem = check(certificate);
    EXPECT_EQ(theorem.program, certificate.program) << name;
    EXPECT_GE(theorem.steps, 3U) << name;
  }
}

}  // namespace
}  // namespace lastbit::verify::testing
