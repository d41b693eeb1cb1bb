// Proofs as people see them: every form is made from the same tree, so the tree is tested in
// detail, and each form for what could go wrong in it.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <memory>
#include <regex>
#include <set>
#include <tuple>

#include "lastbit/base/test_support.h"
#include "lastbit/verify/kernel/check.h"
#include "lastbit/verify/lang/parser.h"
#include "lastbit/verify/report/derivation.h"
#include "lastbit/verify/report/html.h"
#include "lastbit/verify/report/latex.h"
#include "lastbit/verify/report/latex_math.h"
#include "lastbit/verify/report/smtlib.h"
#include "lastbit/verify/report/text.h"
#include "lastbit/verify/report/wording.h"

namespace lastbit::verify {
namespace report_test {

constexpr const char* kLaplace = R"(mechanism laplace(f: real, eps: real)
  requires eps > 0
  adjacent |f.1 - f.2| <= 1
{
  eta <- laplace(1 / eps);
  return f + eta;
})";

// By hand: eta.2 = eta.1 + f.1 - f.2 at cost eps. Symbols: f.1, f.2, eps, eta. Facts: eps > 0, then
// 1 - f.1 + f.2 >= 0 and 1 + f.1 - f.2 >= 0.
Certificate laplace_certificate() {
  const Polynomial by = Polynomial::symbol(0) - Polynomial::symbol(1);
  const Polynomial eps = Polynomial::symbol(2);
  const Monomial just_eps{{{2, 1}}};
  const Reason lower{{Term{Rational(1), {1}, just_eps}}};
  const Reason upper{{Term{Rational(1), {2}, just_eps}}};
  const Derivation finish{Finish{}, {}, {}};
  const Derivation emit{Emit{}, {}, {finish}};
  const Derivation couple{Couple{.shift = {by, eps}}, {lower, upper}, {emit}};
  return {parse_program(kLaplace), {Proof{false, {}, couple}}};
}

// Certificates that the prover once found; they contain loops, choices and functions.
Certificate stored(const std::string& name) {
  std::ifstream file(std::string(LASTBIT_SOURCE_DIR) + "/tests/verify/certificates/" + name);
  EXPECT_TRUE(file) << name;
  return read_certificate(std::string(std::istreambuf_iterator<char>(file), {}));
}

std::vector<Certificate> samples() {
  return {laplace_certificate(), stored("svt.cert"), stored("snapping.cert"),
          stored("smart_sum.cert")};
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << part << "\nis not in\n" << text;
}

// Three public numbers, so that texts can be read back by the parser.
Goal goal_of(const std::string& requirement, const std::string& claim) {
  const Program program = parse_program(
      "mechanism m(a: real, b: real, eps: real, f: real)\n  requires a > 0, b > 0, eps > 0" +
      requirement + "\n  adjacent |f.1 - f.2| <= 1\n  claims " + claim + "\n{ output 0; }");
  Obligations ignored;
  return start(std::make_shared<const Program>(program), false, ignored);
}

Polynomial any_polynomial() {
  const auto terms = *rc::gen::container<std::vector<std::tuple<int, int, int, int, int>>>(
      rc::gen::tuple(rc::gen::inRange(-6, 7), rc::gen::inRange(1, 5), rc::gen::inRange(-1, 2),
                     rc::gen::inRange(-1, 2), rc::gen::inRange(-1, 2)));
  Polynomial result;
  for (const auto& [numerator, denominator, a, b, eps] : terms) {
    Monomial monomial;
    for (const auto& [symbol, exponent] : {std::pair{0, a}, {1, b}, {2, eps}}) {
      if (exponent != 0) monomial.powers.emplace_back(symbol, exponent);
    }
    result += Polynomial::term(Rational(numerator) / Rational(denominator), monomial);
  }
  return result;
}

RC_GTEST_PROP(PrintPolynomial, IsReadBackByTheParserAsTheSamePolynomial, ()) {
  const Polynomial value = any_polynomial();
  Names names;
  names.learn(goal_of("", "1"));
  const std::string text = print_polynomial(value, names);
  RC_LOG() << text;
  // A claim that is a negative number would be refused.
  const Polynomial offset{Rational(1'000'000)};
  RC_ASSERT(goal_of("", "1000000 + (" + text + ")").claimed_epsilon == value + offset);
}

RC_GTEST_PROP(PrintFact, IsReadBackByTheParserAsTheSameFact, ()) {
  const Polynomial value = any_polynomial();
  const Sign sign = *rc::gen::element(Sign::kZero, Sign::kNonNegative, Sign::kPositive);
  RC_PRE(!value.constant());
  Names names;
  names.learn(goal_of("", "1"));
  std::string text = print_fact({value, sign}, names);
  RC_LOG() << text;
  if (sign == Sign::kZero) text = std::regex_replace(text, std::regex(" = "), " == ");
  const std::vector<Fact> facts = goal_of(", " + text, "1").facts;
  const auto is_it = [&](const Fact& fact) {
    return fact.sign == sign &&
           (fact.value == value || (sign == Sign::kZero && -fact.value == value));
  };
  RC_ASSERT(std::ranges::any_of(facts, is_it));
}

TEST(PrintPolynomial, PutsWhatIsCommonInFront) {
  const Goal goal = goal_of("", "1");
  Names names;
  names.learn(goal);
  const Polynomial a = Polynomial::symbol(0);
  const Polynomial b = Polynomial::symbol(1);
  const Polynomial one{Rational(1)};
  const Polynomial eps_over_4b =
      Polynomial::term(Rational(1) / Rational(4), Monomial{{{1, -1}, {2, 1}}});
  EXPECT_EQ(print_polynomial(eps_over_4b * (one + a), names), "eps*(a + 1)/(4*b)");
  EXPECT_EQ(print_polynomial(eps_over_4b, names), "eps/(4*b)");
  EXPECT_EQ(print_polynomial(-a - b, names), "-a - b");
  EXPECT_EQ(print_polynomial(a * a - one, names), "a^2 - 1");
  EXPECT_EQ(print_polynomial({}, names), "0");
  EXPECT_EQ(print_fact({one - a + b, Sign::kNonNegative}, names), "b + 1 >= a");
  EXPECT_EQ(print_fact({-a, Sign::kPositive}, names), "a < 0");
  EXPECT_EQ(print_fact(absurd(), names), "0 > 0");
}

TEST(Derive, TellsTheCouplingItsCostAndWhyItHolds) {
  const Derived derived = derive(laplace_certificate());
  ASSERT_EQ(derived.proofs.size(), 1U);
  const ShownStep& couple = derived.proofs[0].first;
  EXPECT_EQ(couple.rule, Rule::kLaplaceShift);
  EXPECT_EQ(couple.line, 6);  // the canonical text has a line with the claim
  EXPECT_EQ(couple.statement, "eta <- laplace(1 / eps)");
  EXPECT_EQ(couple.action, "`eta.2 = eta.1 + f.1 - f.2` at cost `eps`");
  EXPECT_EQ(couple.facts,
            (std::vector<std::string>{"`eps > 0`", "`f.1 - f.2 <= 1`", "`f.1 - f.2 >= -1`"}));
  ASSERT_EQ(couple.obligations.size(), 2U);
  EXPECT_EQ(couple.obligations[0].goal, "`eps*(f.2 + 1 - f.1) >= 0`");
  EXPECT_EQ(couple.obligations[0].parts,
            (std::vector<std::string>{"`eps` times (`f.1 - f.2 <= 1`)"}));
  ASSERT_EQ(couple.then.size(), 1U);
  const ShownStep& emit = couple.then[0];
  EXPECT_EQ(emit.rule, Rule::kOutput);
  EXPECT_EQ(emit.place, "1.1");
  EXPECT_EQ(emit.spent, "eps");
  EXPECT_EQ(emit.then.at(0).action, "the cost `eps` is within the claim `eps`");
}

std::size_t count_obligations(const ShownStep& step) {
  std::size_t count = step.obligations.size();
  for (const ShownStep& next : step.then) count += count_obligations(next);
  return count;
}

TEST(Derive, ShowsEveryObligationThatTheKernelCounts) {
  for (const Certificate& certificate : samples()) {
    const Derived derived = derive(certificate);
    std::size_t count = 0;
    for (const ShownProof& proof : derived.proofs) {
      count += proof.obligations.size() + count_obligations(proof.first);
    }
    EXPECT_EQ(count, check(certificate).obligations);
    EXPECT_EQ(derived.obligations, count);
  }
}

TEST(Derive, NamesWhatSymbolsStandFor) {
  const std::string svt = as_text(derive(stored("svt.cert")), 120);
  expect_contains(svt, "eta.2 = eta.1 + q[i].1 + 1 - q[i].2 at cost eps/(2*N)");
  expect_contains(svt, "ASSIGN count = count.1 + 1");
  expect_contains(svt, "true in both runs");
  expect_contains(svt, "another pass");
  const std::string snapping = as_text(derive(stored("snapping.cert")), 120);
  expect_contains(snapping, "z <- laplace(1/eps)");
  expect_contains(snapping, "by the definition of clamp(f.1, -B, B)");
  expect_contains(snapping, "z.2 = z.1 - f.2 - B at cost eps");
  EXPECT_EQ(svt.find('?'), std::string::npos) << "a symbol without a name";
}

TEST(Derive, RefusesWhatTheKernelRefuses) {
  Certificate wrong = laplace_certificate();
  std::get<Couple>(wrong.proofs[0].derivation.step).shift.cost = {};
  EXPECT_EQ(code_of([&] { derive(wrong); }), ErrorCode::kBadInput);
  EXPECT_EQ(code_of([&] { as_smtlib(wrong); }), ErrorCode::kBadInput);
}

TEST(Printed, RefusesAProgramWhoseTextMeansAnotherOne) {
  Program program = parse_program(kLaplace);
  EXPECT_EQ(printed(program).program, program);
  program.name = "safe(x: real) claims 0 #";
  EXPECT_EQ(code_of([&] { printed(program); }), ErrorCode::kBadInput);
  program = parse_program(kLaplace);
  program.locals.clear();
  EXPECT_EQ(code_of([&] { printed(program); }), ErrorCode::kBadInput);
}

TEST(TheoremText, NamesTheClaimAndItsConditions) {
  EXPECT_EQ(theorem_text(parse_program(kLaplace)),
            "laplace is eps-DP for all eps > 0 and inputs with |f.1 - f.2| <= 1");
  const Program two = parse_program(
      "mechanism m(q: real[n], n: int, eps: real)\n  requires eps > 0\n  adjacent one |q.1 - q.2| "
      "<= 1"
      "\n  claims 2 * eps, delta 1/100\n{ output 0; }");
  EXPECT_EQ(
      theorem_text(two),
      "m is (2 * eps, 0.01)-DP for all eps > 0 and inputs with |q.1 - q.2| <= 1 at one entry, "
      "all others equal");
  EXPECT_EQ(scaled_claim_text(two, Rational(1)), "2 * eps");
  EXPECT_EQ(scaled_claim_text(two, Rational(1) / Rational(4)), "eps/2");
}

TEST(AsText, KeepsToTheWidthWhereWordsAllowIt) {
  for (const std::size_t width : {60U, 80U, 120U}) {
    for (const Certificate& certificate : samples()) {
      std::string text = as_text(derive(certificate), width);
      std::erase_if(text, [](char c) { return (c & 0xC0) == 0x80; });
      std::size_t begin = 0;
      while (begin < text.size()) {
        const std::size_t end = text.find('\n', begin);
        const std::string line = text.substr(begin, end - begin);
        EXPECT_FALSE(line.ends_with(' ')) << "'" << line << "'";
        // Statements of the program and headings are not broken.
        const bool is_whole = line.find(" line ") != std::string::npos ||
                              line.find("spent") != std::string::npos || begin < 2000;
        EXPECT_TRUE(is_whole || line.size() <= width) << line;
        begin = end + 1;
      }
    }
  }
}

TEST(AsHtml, IsWholeAndLeadsNowhereElse) {
  for (const Certificate& certificate : samples()) {
    const std::string html = as_html(derive(certificate));
    for (const char* tag : {"details", "div", "p", "ul", "li", "ol", "figure", "code", "span"}) {
      const std::string name(tag);
      EXPECT_EQ(count_of(html, "<" + name + ">") + count_of(html, "<" + name + " "),
                count_of(html, "</" + name + ">"))
          << name;
    }
    for (const char* forbidden : {"<script", "http", "url(", "@import", "src="}) {
      EXPECT_EQ(html.find(forbidden), std::string::npos) << forbidden;
    }
    std::set<std::string> ids;
    const std::regex id("id=\"([^\"]+)\"");
    for (std::sregex_iterator it(html.begin(), html.end(), id), end; it != end; ++it) {
      EXPECT_TRUE(ids.insert((*it)[1]).second) << (*it)[1] << " is there twice";
    }
    const std::regex link("href=\"#([^\"]+)\"");
    for (std::sregex_iterator it(html.begin(), html.end(), link), end; it != end; ++it) {
      EXPECT_TRUE(ids.contains((*it)[1])) << (*it)[1];
    }
  }
}

TEST(AsHtml, EscapesTheProgram) {
  const std::string html = as_html(derive(laplace_certificate()));
  expect_contains(html, "eta &lt;- laplace(1 / eps);");
  EXPECT_EQ(html.find("<- laplace"), std::string::npos);
}

TEST(LatexMath, WritesExpressionsAsMathematics) {
  EXPECT_EQ(latex_math("eps/(4*N)"), "\\varepsilon /(4\\cdot N)");
  EXPECT_EQ(latex_math("q[i].1 - q[i].2 <= 1"), "q[i]_{1} - q[i]_{2} \\le  1");
  EXPECT_EQ(latex_math("noisy_T.2 = x^2"), "\\mathit{noisy\\_T}_{2} = x^{2}");
  EXPECT_EQ(latex_math("0.1 + i'2.1"), "0.1 + i^{\\prime 2}_{1}");
  EXPECT_EQ(latex_text("100% of {a_b} & #1 \\ ^~$"),
            "100\\% of \\{a\\_b\\} \\& \\#1 \\textbackslash{} "
            "\\textasciicircum{}\\textasciitilde{}\\$");
  EXPECT_EQ(latex_judgement("b > 0, the same"), "$b$ $>$ $0$, the same");
}

TEST(AsLatex, BalancesBracesAndDollars) {
  for (const Certificate& certificate : samples()) {
    const std::string tex = as_latex(derive(certificate));
    int depth = 0;
    int dollars = 0;
    for (std::size_t i = 0; i < tex.size(); ++i) {
      if (tex[i] == '\\') {
        ++i;  // whatever is escaped does not count
      } else if (tex[i] == '{') {
        ++depth;
      } else if (tex[i] == '}') {
        ASSERT_GT(depth--, 0) << tex.substr(0, i);
      } else if (tex[i] == '$') {
        ++dollars;
      }
      ASSERT_EQ(static_cast<unsigned char>(tex[i]) & 0x80U, 0U) << "LaTeX gets ASCII only";
    }
    EXPECT_EQ(depth, 0);
    EXPECT_EQ(dollars % 2, 0);
    expect_contains(tex, "\\end{document}");
  }
}

TEST(AsSmtlib, MakesAProblemOfEveryObligation) {
  for (const Certificate& certificate : samples()) {
    const SmtScript script = as_smtlib(certificate);
    EXPECT_EQ(script.problems, check(certificate).obligations);
    EXPECT_EQ(count_of(script.text, "(check-sat)\n(reset)\n"), script.problems);
    EXPECT_EQ(count_of(script.text, "(assert (not "), script.problems);
    EXPECT_EQ(count_of(script.text, "(set-logic QF_"), script.problems);
  }
  const std::string laplace = as_smtlib(laplace_certificate()).text;
  // eps - eps·f.1 + eps·f.2 >= 0 follows from 1 - f.1 + f.2 >= 0 and eps > 0.
  expect_contains(laplace, "(assert (>= (+ 1.0 (* (- 1.0) x0) (* 1.0 x1)) 0.0))");
  expect_contains(laplace,
                  "(assert (not (>= (+ (* (- 1.0) x0 x2) (* 1.0 x1 x2) (* 1.0 x2)) 0.0)))");
  expect_contains(laplace, "(assert (> x2 0.0))");
  expect_contains(laplace, "(set-logic QF_NRA)");
}

}  // namespace report_test
}  // namespace lastbit::verify
