#include "lastbit/verify/floats/snapping_program.h"

#include <gtest/gtest.h>

#include <string>

#include "lastbit/verify/lang/parser.h"

namespace lastbit::verify {
namespace snapping_program_test {

// program: the snapping mechanism with one of its parts replaced by another text.
Program program(const std::string& part = "", const std::string& other = "") {
  std::string text =
      "mechanism m(f: real, g: real, eps: real, B: real)\n"
      "  requires eps > 0, B > 0\n"
      "  adjacent |f.1 - f.2| <= 1\n"
      "  claims eps\n"
      "{\n"
      "  u <- uniform(0, 1);\n"
      "  s <- sign();\n"
      "  z := s * ln(u) / eps;\n"
      "  w := clamp(f, -B, B) + z;\n"
      "  return clamp(round(w, pow2ceil(1 / eps)), -B, B);\n"
      "}\n";
  if (!part.empty()) {
    const auto at = text.find(part);
    EXPECT_NE(at, std::string::npos) << part;
    text.replace(at, part.size(), other);
  }
  return parse_program(text, "m.dp");
}

std::string why_not(const std::string& part, const std::string& other) {
  const SnappingMatch match = match_snapping(program(part, other));
  EXPECT_EQ(match.program.has_value(), match.why_not.empty());
  return match.why_not;
}

TEST(MatchSnappingTest, FindsScaleBoundAndDistance) {
  const SnappingMatch match = match_snapping(program());
  ASSERT_TRUE(match.program.has_value()) << match.why_not;
  EXPECT_EQ(match.program->input, "f");
  const Expression eps{.op = Operator::kVariable, .name = "eps"};
  const Expression bound{.op = Operator::kVariable, .name = "B"};
  EXPECT_EQ(ratio(match.program->scale * product_of(eps), {}), Rational(1));
  EXPECT_EQ(ratio(match.program->half_width, product_of(bound)), Rational(1));
  EXPECT_EQ(ratio(match.program->distance, {}), Rational(1));
}

TEST(MatchSnappingTest, AcceptsOtherWaysToWriteTheSame) {
  EXPECT_EQ(why_not("s * ln(u) / eps", "(1 / eps) * ln(u) * -s"), "");
  EXPECT_EQ(why_not("clamp(f, -B, B) + z", "z + clamp(f, -B, B)"), "");
  EXPECT_EQ(why_not("  w := clamp(f, -B, B) + z;\n", "  x := clamp(f, 0 - B, B);\n  w := x + z;\n"),
            "it clamps to bounds that are not -B and B");
  EXPECT_EQ(why_not("  w := clamp(f, -B, B) + z;\n", "  x := clamp(f, -B, B);\n  w := x + z;\n"),
            "");
  EXPECT_EQ(why_not("claims eps", "claims 2 * eps"), "");
}

TEST(MatchSnappingTest, SaysWhatDiffers) {
  EXPECT_EQ(why_not("pow2ceil(1 / eps)", "1 / eps"),
            "its grid is not the smallest power of two from the scale on");
  EXPECT_EQ(why_not("pow2ceil(1 / eps)", "pow2ceil(1 / (2 * eps))"),
            "its grid is not the smallest power of two from the scale on");
  EXPECT_EQ(why_not("clamp(f, -B, B) + z", "f + z"),
            "its input is not clamped before noise is added");
  EXPECT_EQ(why_not("clamp(f, -B, B)", "clamp(f, -2 * B, 2 * B)"),
            "its two clamps have different bounds");
  EXPECT_EQ(why_not("clamp(f, -B, B)", "clamp(g, -B, B)"), "what it clamps first is not its input");
  EXPECT_EQ(why_not("return clamp(round(w, pow2ceil(1 / eps)), -B, B)", "return w"),
            "its output is not clamped");
  EXPECT_EQ(why_not("round(w", "round_half_even(w"),
            "its output is not rounded to a grid, ties up");
  EXPECT_EQ(why_not("claims eps", "claims eps / 2"),
            "its claim is not the distance of inputs divided by the scale");
  EXPECT_EQ(why_not("s * ln(u) / eps", "s * ln(u) / eps / 2"),
            "its grid is not the smallest power of two from the scale on");
  EXPECT_EQ(why_not("s * ln(u) / eps", "ln(u) / eps"),
            "its noise is not a sign times a scale times the logarithm of a uniform number");
  EXPECT_EQ(why_not("s * ln(u) / eps", "s * ln(u) * ln(u) / eps"),
            "its noise is not a sign times a scale times the logarithm of a uniform number");
}

TEST(MatchSnappingTest, RefusesMoreThanOneStraightRun) {
  EXPECT_EQ(why_not("  s <- sign();\n", "  s <- sign();\n  t <- sign();\n"),
            "it draws more than one uniform number and one sign");
  EXPECT_EQ(why_not("  u <- uniform(0, 1);\n", "  u <- laplace(1);\n"),
            "it draws something else than a uniform number and a sign");
  EXPECT_EQ(why_not("  z := s * ln(u) / eps;\n",
                    "  z := s * ln(u) / eps;\n  if z > 0 {\n    z := 0;\n  }\n"),
            "it branches or loops");
}

TEST(MatchSnappingTest, DoublingExpressionsEndEarly) {
  std::string doublings = "  z := s * ln(u) / eps;\n";
  for (int i = 0; i < 200; ++i) doublings += "  z := z + z;\n";
  EXPECT_EQ(why_not("  z := s * ln(u) / eps;\n", doublings), "its expressions are too long");
}

TEST(ProductTest, CancelsAndComparesWhateverTheOrder) {
  const Program parsed = program("s * ln(u) / eps", "s * ln(u) * (3 * eps) / (eps * 6 * eps)");
  const SnappingMatch match = match_snapping(parsed);
  EXPECT_EQ(match.why_not, "its grid is not the smallest power of two from the scale on");
}

}  // namespace snapping_program_test
}  // namespace lastbit::verify
