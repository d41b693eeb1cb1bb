#include "lastbit/verify/lang/printer.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "lastbit/base/text.h"
#include "lastbit/verify/lang/level.h"

namespace lastbit::verify {
namespace {

int level_of(Operator op) {
  switch (op) {
    case Operator::kOr:
      return kOrLevel;
    case Operator::kAnd:
      return kAndLevel;
    case Operator::kNot:
      return kNotLevel;
    case Operator::kLess:
    case Operator::kLessEqual:
    case Operator::kGreater:
    case Operator::kGreaterEqual:
    case Operator::kEqual:
    case Operator::kNotEqual:
      return kComparisonLevel;
    case Operator::kAdd:
    case Operator::kSubtract:
      return kSumLevel;
    case Operator::kMultiply:
    case Operator::kDivide:
    case Operator::kModulo:
      return kProductLevel;
    case Operator::kNegate:
      return kUnaryLevel;
    default:
      return kPrimaryLevel;
  }
}

std::string_view sign_of(Operator op) {
  switch (op) {
    case Operator::kOr:
      return "or";
    case Operator::kAnd:
      return "and";
    case Operator::kLess:
      return "<";
    case Operator::kLessEqual:
      return "<=";
    case Operator::kGreater:
      return ">";
    case Operator::kGreaterEqual:
      return ">=";
    case Operator::kEqual:
      return "==";
    case Operator::kNotEqual:
      return "!=";
    case Operator::kAdd:
      return "+";
    case Operator::kSubtract:
      return "-";
    case Operator::kMultiply:
      return "*";
    case Operator::kDivide:
      return "/";
    case Operator::kModulo:
      return "%";
    default:
      return "";
  }
}

struct Printed {
  std::string text;
  int level = kPrimaryLevel;
};

Printed print(const Expression& expression);

// The text of an operand where at least `level` is needed.
std::string operand(const Expression& expression, int level) {
  Printed printed = print(expression);
  return printed.level >= level ? std::move(printed.text) : fmt::format("({})", printed.text);
}

Printed print_number(const Rational& number) {
  std::string text = number.to_string();
  if (text.find('/') != std::string::npos) return {std::move(text), kProductLevel};
  return {std::move(text), number.sign() < 0 ? kUnaryLevel : kPrimaryLevel};
}

bool contains_abs(const Expression& expression) {
  return expression.op == Operator::kAbs || std::ranges::any_of(expression.operands, contains_abs);
}

Printed print_call(const Expression& expression) {
  std::vector<std::string> arguments;
  for (const Expression& argument : expression.operands) {
    arguments.push_back(print(argument).text);
  }
  // Bars inside bars would be hard to read.
  if (expression.op == Operator::kAbs && !contains_abs(expression.operands[0])) {
    return {fmt::format("|{}|", operand(expression.operands[0], kSumLevel))};
  }
  return {fmt::format("{}({})", function_name(expression.op), joined(arguments, ", "))};
}

Printed print(const Expression& expression) {
  const auto& operands = expression.operands;
  const int level = level_of(expression.op);
  switch (expression.op) {
    case Operator::kNumber:
      return print_number(expression.number);
    case Operator::kBoolean:
      return {expression.number.sign() != 0 ? "true" : "false"};
    case Operator::kVariable:
      if (expression.side == 0) return {expression.name};
      return {fmt::format("{}.{}", expression.name, expression.side)};
    case Operator::kEntry:
      return {fmt::format("{}[{}]", expression.name, print(operands[0]).text)};
    case Operator::kNot:
      return {fmt::format("not {}", operand(operands[0], level)), level};
    case Operator::kNegate:
      return {fmt::format("-{}", operand(operands[0], level)), level};
    default:
      break;
  }
  if (!function_name(expression.op).empty()) return print_call(expression);
  // Signs group to the left; comparisons do not group at all.
  const int left = level == kComparisonLevel ? level + 1 : level;
  return {fmt::format("{} {} {}", operand(operands[0], left), sign_of(expression.op),
                      operand(operands[1], level + 1)),
          level};
}

std::string print_conditions(const std::vector<Expression>& conditions,
                             std::string_view separator) {
  std::vector<std::string> parts;
  for (const Expression& condition : conditions) {
    parts.push_back(operand(condition, kComparisonLevel));
  }
  return joined(parts, separator);
}

std::string print_sample(const Sample& sample) {
  std::vector<std::string> arguments;
  if (sample.sampler == Sampler::kUniform) arguments = {"0", "1"};
  for (const Expression& argument : sample.arguments) {
    arguments.push_back(print_expression(argument));
  }
  return fmt::format("{} <- {}({})", sample.name, sampler_name(sample.sampler),
                     joined(arguments, ", "));
}

std::string print_loop(const Loop& loop) {
  const std::string guard = loop.guard ? print_expression(*loop.guard) : "";
  // The parser gives such names to the counters of loops that have none.
  if (loop.counter.starts_with('_')) {
    return fmt::format("while {} at most {}", guard, print_expression(loop.to));
  }
  return fmt::format("for {} in {} .. {}{}{}", loop.counter, print_expression(loop.from),
                     print_expression(loop.to), loop.guard ? " while " : "", guard);
}

class Printer {
 public:
  std::string run(const Program& program) {
    header(program);
    block(program.body, 0);
    text_ += '\n';
    return std::move(text_);
  }

 private:
  void header(const Program& program) {
    std::vector<std::string> parameters;
    for (const Parameter& parameter : program.parameters) {
      const std::string length = parameter.length.empty() ? "" : "[" + parameter.length + "]";
      parameters.push_back(
          fmt::format("{}: {}{}", parameter.name, type_name(parameter.type), length));
    }
    text_ += fmt::format("mechanism {}({})\n", program.name, joined(parameters, ", "));
    if (!program.requirements.empty()) {
      text_ += fmt::format("  requires {}\n", print_conditions(program.requirements, ", "));
    }
    std::vector<std::string> clauses;
    for (const Adjacency& clause : program.adjacent) clauses.push_back(print_adjacency(clause));
    if (!clauses.empty()) text_ += fmt::format("  adjacent {}\n", joined(clauses, ", "));
    text_ += fmt::format("  claims {}", print_expression(program.claimed_epsilon));
    if (program.claimed_delta != Expression{}) {
      text_ += fmt::format(", delta {}", print_expression(program.claimed_delta));
    }
    text_ += '\n';
  }

  void block(const Block& statements, int indent) {
    text_ += "{\n";
    for (const Statement& statement : statements) {
      text_.append(static_cast<std::size_t>(indent) + 2, ' ');
      this->statement(statement, indent + 2);
      text_ += '\n';
    }
    text_.append(static_cast<std::size_t>(indent), ' ');
    text_ += '}';
  }

  void statement(const Statement& statement, int indent) {
    text_ += print_head(statement);
    if (const auto* branch = std::get_if<If>(&statement.what)) {
      text_ += ' ';
      block(branch->then_block, indent);
      otherwise(branch->else_block, indent);
    } else if (const auto* loop = std::get_if<Loop>(&statement.what)) {
      text_ += ' ';
      block(loop->body, indent);
    } else {
      text_ += ';';
    }
  }

  void otherwise(const Block& statements, int indent) {
    if (statements.empty()) return;
    text_ += " else ";
    if (statements.size() == 1 && std::holds_alternative<If>(statements[0].what)) {
      statement(statements[0], indent);
    } else {
      block(statements, indent);
    }
  }

  std::string text_;
};

}  // namespace

std::string print_expression(const Expression& expression) { return print(expression).text; }

std::string print_adjacency(const Adjacency& clause) {
  const std::string_view word = clause.reach == Reach::kEvery ? "every "
                                : clause.reach == Reach::kOne ? "one "
                                                              : "";
  return fmt::format("{}{}", word, print_conditions(clause.conditions, " and "));
}

std::string print_head(const Statement& statement) {
  if (const auto* assign = std::get_if<Assign>(&statement.what)) {
    return fmt::format("{} := {}", assign->name, print_expression(assign->value));
  }
  if (const auto* sample = std::get_if<Sample>(&statement.what)) return print_sample(*sample);
  if (const auto* branch = std::get_if<If>(&statement.what)) {
    return fmt::format("if {}", print_expression(branch->condition));
  }
  if (const auto* loop = std::get_if<Loop>(&statement.what)) return print_loop(*loop);
  const Output& output = std::get<Output>(statement.what);
  return fmt::format("{} {}", output.is_return ? "return" : "output",
                     print_expression(output.value));
}

std::string print_program(const Program& program) { return Printer().run(program); }

}  // namespace lastbit::verify
