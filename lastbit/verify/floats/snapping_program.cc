#include "lastbit/verify/floats/snapping_program.h"

#include <algorithm>
#include <map>
#include <set>

#include "lastbit/base/error.h"

namespace lastbit::verify {
namespace {

// Mismatch: what the program lacks, in words; thrown and caught in this file only.
struct Mismatch {
  std::string why;
};
void require(bool holds, const char* why) {
  if (!holds) throw Mismatch{why};
}

void multiply_by(Product& product, const Expression& factor, int exponent) {
  auto& factors = product.factors;
  const auto same = std::ranges::find(factors, factor, &std::pair<Expression, int>::first);
  if (same == factors.end()) {
    factors.emplace_back(factor, exponent);
    return;
  }
  same->second += exponent;
  if (same->second == 0) factors.erase(same);
}

// exponent_of: the exponent of a factor in a product; 0 if it is missing.
int exponent_of(const Product& product, const Expression& factor) {
  const auto same = std::ranges::find(product.factors, factor, &std::pair<Expression, int>::first);
  return same == product.factors.end() ? 0 : same->second;
}

bool mentions(const Expression& expression, const std::set<std::string>& names) {
  const bool itself = (expression.op == Operator::kVariable || expression.op == Operator::kEntry) &&
                      names.contains(expression.name);
  return itself || std::ranges::any_of(expression.operands, [&](const Expression& operand) {
           return mentions(operand, names);
         });
}

bool mentions(const Product& product, const std::set<std::string>& names) {
  return std::ranges::any_of(product.factors,
                             [&](const auto& factor) { return mentions(factor.first, names); });
}

// size: how many operators and leaves an expression has. Assignments may double it, so it is limited.
constexpr std::size_t kMostNodes = 1000;
std::size_t size(const Expression& expression) {
  std::size_t count = 1;
  for (const Expression& operand : expression.operands) count += size(operand);
  return count;
}

Expression variable(const std::string& name) { return {.op = Operator::kVariable, .name = name}; }

// Straight: a body without branches and loops: its one result in terms of parameters and draws.
struct Straight {
  std::string uniform;
  std::string sign;
  Expression result;
};

class Reader {
 public:
  Straight read(const Block& body) {
    for (const Statement& statement : body) {
      require(!returned_, "something happens after the output");
      if (const auto* assign = std::get_if<Assign>(&statement.what)) {
        Expression value = inlined(assign->value);
        require(size(value) <= kMostNodes, "its expressions are too long");
        values_.insert_or_assign(assign->name, std::move(value));
      } else if (const auto* sample = std::get_if<Sample>(&statement.what)) {
        draw(*sample);
      } else if (const auto* output = std::get_if<Output>(&statement.what)) {
        straight_.result = inlined(output->value);
        returned_ = true;
      } else {
        throw Mismatch{"it branches or loops"};
      }
    }
    require(returned_, "it has no output");
    require(!straight_.uniform.empty() && !straight_.sign.empty(),
            "its noise is not made of one uniform number and one sign");
    return straight_;
  }

 private:
  void draw(const Sample& sample) {
    const bool uniform = sample.sampler == Sampler::kUniform;
    require(uniform || sample.sampler == Sampler::kSign,
            "it draws something else than a uniform number and a sign");
    std::string& name = uniform ? straight_.uniform : straight_.sign;
    require(name.empty() && !values_.contains(sample.name) && sample.name != straight_.uniform &&
                sample.name != straight_.sign,
            "it draws more than one uniform number and one sign");
    name = sample.name;
  }

  Expression inlined(const Expression& expression) const {
    if (expression.op == Operator::kVariable) {
      const auto value = values_.find(expression.name);
      if (value != values_.end()) return value->second;
    }
    require(expression.op != Operator::kEntry, "it works on lists");
    Expression copy = expression;
    for (Expression& operand : copy.operands) operand = inlined(operand);
    return copy;
  }

  std::map<std::string, Expression> values_;
  Straight straight_;
  bool returned_ = false;
};

struct Clamped {
  Expression inner;
  Product bound;
};

// clamped: the parts of clamp(inner, −B, B).
Clamped clamped(const Expression& expression, const char* why) {
  require(expression.op == Operator::kClamp, why);
  const Product low = product_of(expression.operands.at(1));
  Product high = product_of(expression.operands.at(2));
  require(ratio(low, high) == Rational(-1), "it clamps to bounds that are not -B and B");
  return {expression.operands.at(0), std::move(high)};
}

// scale_of: λ of a noise s·λ·ln(u). Its sign does not matter, since that of s is fair.
Product scale_of(const Expression& noise, const Straight& straight) {
  Product product = product_of(noise);
  const Expression sign = variable(straight.sign);
  const Expression logarithm = {.op = Operator::kLn, .operands = {variable(straight.uniform)}};
  require(exponent_of(product, sign) == 1 && exponent_of(product, logarithm) == 1,
          "its noise is not a sign times a scale times the logarithm of a uniform number");
  multiply_by(product, sign, -1);
  multiply_by(product, logarithm, -1);
  product.coefficient = abs(product.coefficient);
  return product;
}

// Adjacent: inputs `name` are at most `distance` apart, and nothing else is private.
struct Adjacent {
  std::string name;
  Product distance;
};

Adjacent adjacent_of(const Program& program) {
  constexpr const char* kWhy = "its inputs are not numbers with |f.1 - f.2| <= D";
  require(program.adjacent.size() == 1 && program.adjacent[0].reach == Reach::kValue &&
              program.adjacent[0].conditions.size() == 1,
          kWhy);
  const Expression& condition = program.adjacent[0].conditions[0];
  require(condition.op == Operator::kLessEqual || condition.op == Operator::kLess, kWhy);
  const Expression& apart = condition.operands.at(0);
  require(apart.op == Operator::kAbs && apart.operands.at(0).op == Operator::kSubtract, kWhy);
  const Expression& first = apart.operands[0].operands.at(0);
  const Expression& second = apart.operands[0].operands.at(1);
  require(first.op == Operator::kVariable && second.op == Operator::kVariable &&
              first.name == second.name && first.side != 0 && second.side != 0 &&
              first.side != second.side,
          kWhy);
  Product distance = product_of(condition.operands.at(1));
  require(!mentions(distance, {first.name}), kWhy);
  return {first.name, std::move(distance)};
}

bool is_zero(const Expression& expression) {
  return expression.op == Operator::kNumber && expression.number.sign() == 0;
}

SnappingProgram matched(const Program& program) {
  const Adjacent adjacent = adjacent_of(program);
  const Straight straight = Reader().read(program.body);
  const Clamped outer = clamped(straight.result, "its output is not clamped");
  require(outer.inner.op == Operator::kRound, "its output is not rounded to a grid, ties up");
  const Expression& sum = outer.inner.operands.at(0);
  require(sum.op == Operator::kAdd, "what it rounds is not a sum of input and noise");
  const bool input_first = sum.operands.at(0).op == Operator::kClamp;
  const Clamped inner = clamped(sum.operands.at(input_first ? 0 : 1),
                                "its input is not clamped before noise is added");
  require(inner.inner == variable(adjacent.name), "what it clamps first is not its input");
  require(ratio(inner.bound, outer.bound) == Rational(1), "its two clamps have different bounds");
  SnappingProgram found{adjacent.name, outer.bound,
                        scale_of(sum.operands.at(input_first ? 1 : 0), straight),
                        adjacent.distance};
  const std::set<std::string> secret = {adjacent.name, straight.uniform, straight.sign};
  require(!mentions(found.scale, secret) && !mentions(found.half_width, secret),
          "its scale or its bound is not public");
  const Expression& grid = outer.inner.operands.at(1);
  require(grid.op == Operator::kPow2Ceil &&
              ratio(product_of(grid.operands.at(0)), found.scale) == Rational(1),
          "its grid is not the smallest power of two from the scale on");
  const auto claim = ratio(product_of(program.claimed_epsilon) * found.scale, found.distance);
  require(claim && *claim >= Rational(1) && is_zero(program.claimed_delta),
          "its claim is not the distance of inputs divided by the scale");
  return found;
}

}  // namespace

Product product_of(const Expression& expression) {
  switch (expression.op) {
    case Operator::kNumber:
      return {expression.number, {}};
    case Operator::kNegate: {
      Product product = product_of(expression.operands.at(0));
      product.coefficient = -product.coefficient;
      return product;
    }
    case Operator::kMultiply:
      return product_of(expression.operands.at(0)) * product_of(expression.operands.at(1));
    case Operator::kDivide: {
      const Product divisor = product_of(expression.operands.at(1));
      if (divisor.coefficient.sign() != 0) {
        return product_of(expression.operands.at(0)) * inverse(divisor);
      }
      break;
    }
    default:
      break;
  }
  Product atom;
  atom.factors.emplace_back(expression, 1);
  return atom;
}

Product inverse(const Product& a) {
  Product result{Rational(1) / a.coefficient, a.factors};
  for (auto& factor : result.factors) factor.second = -factor.second;
  return result;
}

Product operator*(const Product& a, const Product& b) {
  Product result{a.coefficient * b.coefficient, a.factors};
  for (const auto& [factor, exponent] : b.factors) multiply_by(result, factor, exponent);
  return result;
}

std::optional<Rational> ratio(const Product& a, const Product& b) {
  if (b.coefficient.sign() == 0) return std::nullopt;
  const Product quotient = a * inverse(b);
  if (!quotient.factors.empty()) return std::nullopt;
  return quotient.coefficient;
}

SnappingMatch match_snapping(const Program& program) {
  try {
    return {matched(program), ""};
  } catch (const Mismatch& mismatch) {
    return {std::nullopt, mismatch.why};
  }
}

}  // namespace lastbit::verify
