#include "lastbit/verify/refute/starting_points.h"

#include <algorithm>
#include <functional>
#include <set>

namespace lastbit::verify::refutation {
namespace {

constexpr std::size_t kMostBits = 256;

// The literals of a program that are worth trying.
class Literals {
 public:
  Literals(const Program& program, const std::set<std::string>& private_names) {
    for (const Parameter& parameter : program.parameters) {
      if (!private_names.contains(parameter.name)) public_names_.insert(parameter.name);
    }
    collect(program.body);
  }

  // Numbers of one magnitude are told apart by their sign.
  std::set<std::pair<Rational, Rational>, std::greater<>> found;

 private:
  void collect(const Expression& expression) {
    for_each_part(expression, [&](const Expression& e) {
      const bool fits = e.op == Operator::kNumber &&
                        e.number.numerator().bit_length() < kMostBits &&
                        e.number.denominator().bit_length() < kMostBits;
      if (fits) found.emplace(abs(e.number), e.number);
    });
  }

  void collect_unless_public(const Expression& expression) {
    const auto is_not_public = [this](const std::string& name) {
      return !public_names_.contains(name);
    };
    if (mentions(expression, is_not_public)) collect(expression);
  }

  void collect(const Block& block) {
    for (const Statement& statement : block) {
      std::visit([this](const auto& what) { collect(what); }, statement.what);
    }
  }
  void collect(const Assign& assign) { collect(assign.value); }
  void collect(const Output& output) { collect(output.value); }
  void collect(const Sample& sample) {
    for (const Expression& argument : sample.arguments) collect_unless_public(argument);
  }
  void collect(const If& branch) {
    collect(branch.condition);
    collect(branch.then_block);
    collect(branch.else_block);
  }
  void collect(const Loop& loop) {
    collect_unless_public(loop.from);
    collect_unless_public(loop.to);
    if (loop.guard) collect(*loop.guard);
    collect(loop.body);
  }

  std::set<std::string> public_names_;
};

}  // namespace

Rational Pattern::at(std::size_t i, std::size_t size) const {
  switch (shape) {
    case kFirst:
      return i == 0 ? one : other;
    case kLast:
      return i + 1 == size ? one : other;
    case kAlternating:
      return i % 2 == 0 ? one : other;
    case kOnly:
      return i == index ? one : other;
    case kRamp:
      return one + other * Rational(static_cast<std::int64_t>(i));
    default:
      return i < (size + 1) / 2 ? one : other;
  }
}

const std::vector<Pattern>& changes() {
  static const Rational half(1, 2);
  static const std::vector<Pattern> patterns = {
      {1, 1},
      {1, -1},
      {1, 0, Pattern::kFirst},
      {1, 0, Pattern::kLast},
      {-1, -1},
      {-1, 1},
      {half, half},
      {-1, 1, Pattern::kLast},
      {1, -1, Pattern::kLast},
      {1, -1, Pattern::kFirst},
      {-1, 1, Pattern::kFirst},
      {1, -1, Pattern::kAlternating},
      {-1, 0, Pattern::kFirst},
      {-1, 0, Pattern::kLast},
      {half, 0, Pattern::kFirst},
  };
  return patterns;
}

std::vector<Pattern> changes_of_one(std::size_t most) {
  std::vector<Pattern> patterns;
  for (std::size_t entry = 0; entry < most; ++entry) {
    for (const int direction : {1, -1}) {
      patterns.push_back({direction, 0, Pattern::kOnly, entry});
    }
  }
  return patterns;
}

const std::vector<Pattern>& bases() {
  static const Rational half(1, 2);
  static const std::vector<Pattern> patterns = {
      {0, 0},
      {0, 1},
      {2, -2},
      {-2, 2},
      {-3, -3},
      {3, 3},
      {half, half},
      {5, -5},
      {-5, 5},
      {-8, -8},
      {1, 0},
      {0, 1, Pattern::kRamp},
      {0, -1, Pattern::kRamp},
      {3, -3, Pattern::kLast},
  };
  return patterns;
}

void for_each_part(const Expression& expression,
                   const std::function<void(const Expression&)>& visit) {
  visit(expression);
  for (const Expression& operand : expression.operands) for_each_part(operand, visit);
}

bool mentions(const Expression& expression, const std::function<bool(const std::string&)>& is) {
  bool found = false;
  for_each_part(expression,
                [&](const Expression& e) { found = found || (!e.name.empty() && is(e.name)); });
  return found;
}

std::vector<Rational> literals_of(const Program& program,
                                  const std::set<std::string>& private_names) {
  std::vector<Rational> result;
  for (const auto& [magnitude, number] : Literals(program, private_names).found) {
    if (result.size() == kMostNumbers / 2) break;
    result.push_back(number);
  }
  return result;
}

std::vector<Rational> landmarks(const std::vector<Rational>& numbers) {
  std::vector<Rational> result;
  const auto add = [&](const Rational& value) {
    const bool usual = value.is_integer() && abs(value) <= 3;
    if (usual || result.size() == kMostLandmarks) return;
    if (std::ranges::find(result, value) == result.end()) result.push_back(value);
  };
  for (const Rational& number : numbers) add(number);
  for (const Rational& number : numbers) add(-number);
  for (const Rational& distance : {Rational(1), Rational(1, 2)}) {
    for (const Rational& number : numbers) {
      if (number.is_integer() && abs(number) <= 3) continue;
      add(number - distance);
      add(number + distance);
    }
  }
  for (const Rational& a : numbers) {
    if (result.size() == kMostLandmarks) break;
    for (const Rational& b : numbers) {
      if (b.sign() != 0) add(a / b);
      add(a * b);
      add(a - b);
      add(a + b);
    }
  }
  return result;
}

}  // namespace lastbit::verify::refutation
