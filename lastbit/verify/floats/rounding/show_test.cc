#include "lastbit/verify/floats/rounding/show.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "lastbit/base/test_support.h"
#include "lastbit/verify/floats/rounding/gappa.h"

namespace lastbit::verify {
namespace show_test {

const FloatFormat kDouble = FloatFormat::unbounded(53);
const Ranges kRanges = {{"f", Extent::between(-64, 64)},
                        {"lambda", Extent::between(1, 2)},
                        {"y", Extent::at_most(-64)},
                        {"x", Extent::all()}};

// A derivation reads as on paper: (1/eps × ln(R))(1+η)^2 and so on.
TEST(RoundingShowTest, SnappingDerivationReadsAsOnPaper) {
  EXPECT_EQ(
      as_text(derive_rounding(snapping_formula(-1), kRanges, kDouble)),
      R"(  1  f ⇓ f, (f, f)                                                                             EXACT
  2  -1 ⇓ -1, (-1, -1)                                                                         EXACT
  3  lambda ⇓ lambda, (lambda, lambda)                                                         EXACT
  4  U ⇓ u, (U/(1+2η), U)                                                                       UNIF
  5  ln(U) ⇓ LN(u), (ln(U/(1+2η))(1+η), ln(U)/(1+η))                                         LN-OP 4
  6  lambda × ln(U) ⇓ lambda ⊗ LN(u)                                                         OP 3, 5
       low   (lambda × ln(U/(1+2η)))(1+η)^2
       high  (lambda × ln(U))/(1+η)^2
  7  (-1) × (lambda × ln(U)) ⇓ (-1) ⊗ (lambda ⊗ LN(u))                                    SCALE 2, 6
       low   (-lambda × ln(U))/(1+η)^2
       high  (-lambda × ln(U/(1+2η)))(1+η)^2
  8  f + (-1) × (lambda × ln(U)) ⇓ f ⊕ (-1) ⊗ (lambda ⊗ LN(u))                               OP 1, 7
       low   min((f - (lambda × ln(U))/(1+η)^2)(1+η), (f - (lambda × ln(U))/(1+η)^2)/(1+η))
       high  max((f - (lambda × ln(U/(1+2η)))(1+η)^2)(1+η), (f - (lambda ×
             ln(U/(1+2η)))(1+η)^2)/(1+η))
)");
}

TEST(RoundingShowTest, ThresholdOfTheUniformReadsAsOnPaper) {
  const UniformThreshold threshold = invert_rounding(snapping_formula(1), FloatComparison::kAtMost,
                                                     Formula::exact("y"), kRanges, kDouble);
  EXPECT_EQ(as_text(threshold), R"(U < T
  T ≥ exp(((y(1+η) - f) ÷ lambda)(1+η)^2)
  T ≤ exp(max(((y/(1+η) - f) ÷ lambda)(1+η)^2, ((y/(1+η) - f) ÷ lambda)/(1+η)^2))(1+2η)
)");
  EXPECT_NE(latex_threshold(threshold).find("e^{\\left(\\left(y(1+\\eta)-f\\right)\\div \\lambda"),
            std::string::npos)
      << latex_threshold(threshold);
}

TEST(RoundingShowTest, LinesOfLongDerivationsFitTheTerminal) {
  const Formula noisy = clamp_to(round_to(snapping_formula(1), 2), 64);
  const Formula formula = (noisy * Formula::real("x") - noisy) / Formula::number(rational("1/3"));
  std::istringstream lines(as_text(derive_rounding(formula, kRanges, kDouble)));
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    const auto columns =
        std::ranges::count_if(line, [](char c) { return (static_cast<int>(c) & 0xc0) != 0x80; });
    EXPECT_LE(columns, 100) << line;
    EXPECT_FALSE(line.ends_with(' ')) << line;
  }
  EXPECT_GT(count, 20);
}

TEST(RoundingShowTest, LatexIsADocumentWithAFigureForEachStep) {
  const std::string tex = as_latex(derive_rounding(snapping_formula(1), kRanges, kDouble));
  EXPECT_TRUE(tex.starts_with("\\documentclass"));
  EXPECT_TRUE(tex.ends_with("\\end{document}\n"));
  EXPECT_NE(tex.find("\\infer{5}{LN-OP}{\\text{(4)}\\quad }{\\ln\\left(U\\right) \\Downarrow "
                     "\\mathrm{LN}\\left(u\\right),"),
            std::string::npos)
      << tex;
  EXPECT_EQ(std::ranges::count(tex, '{'), std::ranges::count(tex, '}'));
}

TEST(RoundingShowTest, FormulasKeepTheParenthesesThatRoundingNeeds) {
  const Formula a = Formula::exact("a");
  const Formula b = Formula::real("b_1");
  EXPECT_EQ(float_text(a - (b - a)), "a ⊖ (fl(b_1) ⊖ a)");
  EXPECT_EQ(float_text(a * (b * a) / a), "a ⊗ (fl(b_1) ⊗ a) ⊘ a");
  EXPECT_EQ(real_text(-(a + b)), "-(a + b_1)");
  EXPECT_EQ(real_text(Formula::number(-2) * a), "(-2) × a");
  EXPECT_EQ(latex_float(ln(b)), "\\mathrm{LN}\\left(\\mathrm{fl}(\\mathit{b\\_1})\\right)");
}

std::string message(const auto& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(RoundingRefusalTest, PartsThatReachZeroAreNamed) {
  const Formula x = Formula::real("x");
  const auto derive = [&](const Formula& formula) {
    return message([&] { derive_rounding(formula, kRanges, kDouble); });
  };
  EXPECT_NE(derive(Formula::number(1) / (x - x)).find("a division by x - x"), std::string::npos);
  EXPECT_NE(derive(ln(x * x)).find("the logarithm of x × x"), std::string::npos);
  EXPECT_NE(derive(ln(Formula::exact("f"))).find("the logarithm of f"), std::string::npos);
}

TEST(RoundingRefusalTest, ImpossibleQuestionsAreRefused) {
  const Formula x = Formula::real("x");
  const Formula u = Formula::uniform();
  const auto derive = [](const Formula& formula, const Ranges& ranges, const FloatFormat& format) {
    return code_of([&] { derive_rounding(formula, ranges, format); });
  };
  EXPECT_EQ(derive(x, {}, kDouble), ErrorCode::kBadParameter);
  EXPECT_EQ(derive(x, kRanges, FloatFormat::binary64()), ErrorCode::kBadParameter);
  EXPECT_EQ(derive(u, {{"U", Extent::between(0, rational("1/2"))}}, kDouble),
            ErrorCode::kBadParameter);
  EXPECT_EQ(derive(u, {{"U", Extent::between(rational("1/2"), 1)}}, kDouble),
            ErrorCode::kBadParameter);
  EXPECT_EQ(derive(exp(x), kRanges, kDouble), ErrorCode::kNotSupported);
  EXPECT_EQ(derive(clamp_to(x, rational("1/3")), kRanges, kDouble), ErrorCode::kBadParameter);
  EXPECT_EQ(code_of([&] { round_to(x, 3); }), ErrorCode::kBadParameter);
  EXPECT_EQ(code_of([&] { clamp_to(x, 0); }), ErrorCode::kBadParameter);
  EXPECT_EQ(code_of([&] { snapping_formula(0); }), ErrorCode::kBadParameter);
  for (const char* name : {"", "U", "u", "eta", "2x", "a b", "λ"}) {
    EXPECT_EQ(code_of([&] { Formula::exact(name); }), ErrorCode::kBadParameter) << name;
  }
}

TEST(RoundingRefusalTest, FormulasThatGrowWithoutEndAreRefused) {
  Formula deep = Formula::exact("a");
  EXPECT_EQ(code_of([&] {
              for (int i = 0; i <= Formula::kMaxDepth; ++i) deep = deep + Formula::exact("a");
            }),
            ErrorCode::kNotSupported);
  // Shared nodes: 2^64 nodes when written out.
  Formula wide = Formula::exact("a");
  for (int i = 0; i < 64; ++i) wide = wide + wide;
  EXPECT_EQ(code_of([&] { derive_rounding(wide, {{"a", Extent::all()}}, kDouble); }),
            ErrorCode::kNotSupported);
  EXPECT_EQ(real_text(wide), "…");
}

TEST(RoundingRefusalTest, ValuesOutsideTheRangesAreRefused) {
  const Ranges ranges = {{"a", Extent::between(0, 1)}};
  const RoundingDerivation derivation = derive_rounding(Formula::exact("a"), ranges, kDouble);
  EXPECT_EQ(code_of([&] { rounding_enclosure(derivation, {{"a", 2}}, 100); }),
            ErrorCode::kBadParameter);
  EXPECT_EQ(code_of([&] { rounding_enclosure(derivation, {}, 100); }), ErrorCode::kBadParameter);
  EXPECT_EQ(code_of([&] { float_value(Formula::exact("a"), {{"a", rational("1/3")}}, kDouble); }),
            ErrorCode::kBadParameter);
}

TEST(RoundingRefusalTest, InversionsWithoutOneThresholdAreRefused) {
  const Formula u = Formula::uniform();
  const Formula x = Formula::real("x");
  const auto invert = [&](const Formula& formula, const Formula& target) {
    return code_of(
        [&] { invert_rounding(formula, FloatComparison::kAtLeast, target, kRanges, kDouble); });
  };
  EXPECT_EQ(invert(u + u, Formula::number(1)), ErrorCode::kNotSupported);
  EXPECT_EQ(invert(x, Formula::number(1)), ErrorCode::kNotSupported);
  EXPECT_EQ(invert(Formula::number(1) / u, Formula::number(1)), ErrorCode::kNotSupported);
  EXPECT_EQ(invert(x * u, Formula::number(1)), ErrorCode::kNotSupported);
  EXPECT_EQ(invert(u / x, Formula::number(1)), ErrorCode::kNotSupported);
  EXPECT_EQ(invert(exp(u), Formula::number(1)), ErrorCode::kNotSupported);
  EXPECT_EQ(invert(min(u, x), Formula::number(1)), ErrorCode::kNotSupported);
  EXPECT_EQ(invert(u, u), ErrorCode::kBadParameter);
  EXPECT_EQ(invert(clamp_to(ln(u), 4), Formula::number(-4)), ErrorCode::kNotSupported);
  EXPECT_EQ(invert(clamp_to(ln(u), 4), Formula::number(5)), ErrorCode::kNotSupported);
}

TEST(RoundingRefusalTest, GappaIsAskedAboutFiniteRangesOnly) {
  const Formula snapping = snapping_formula(1);
  EXPECT_EQ(code_of([&] { gappa_script(snapping, kRanges, kDouble); }), ErrorCode::kNotSupported);
  const Ranges finite = {{"f", Extent::between(-64, 64)}, {"lambda", Extent::between(1, 2)}};
  EXPECT_EQ(code_of([&] { gappa_script(snapping, finite, kDouble); }), ErrorCode::kNotSupported);
  EXPECT_EQ(code_of([&] { gappa_script(Formula::exact("f"), finite, kDouble, 0); }),
            ErrorCode::kBadParameter);
  EXPECT_EQ(code_of([&] { gappa_script(round_to(Formula::exact("f"), 1), finite, kDouble); }),
            ErrorCode::kNotSupported);
}

}  // namespace show_test
}  // namespace lastbit::verify
