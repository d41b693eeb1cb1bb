#include "lastbit/verify/report/theorem.h"

#include <fmt/core.h>

#include <memory>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/base/text.h"
#include "lastbit/verify/lang/parser.h"
#include "lastbit/verify/lang/printer.h"
#include "lastbit/verify/report/wording.h"

namespace lastbit::verify {
namespace {

std::string listed(const std::vector<Expression>& expressions, std::string_view separator) {
  std::vector<std::string> parts;
  for (const Expression& expression : expressions) parts.push_back(print_expression(expression));
  return joined(parts, separator);
}

std::string inputs_text(const Adjacency& clause) {
  const std::string conditions = listed(clause.conditions, " and ");
  switch (clause.reach) {
    case Reach::kEvery:
      return conditions + " at every entry";
    case Reach::kOne:
      return conditions + " at one entry, all others equal";
    case Reach::kValue:
      break;
  }
  return conditions;
}

}  // namespace

std::string privacy_text(const Program& program) {
  const std::string epsilon = print_expression(program.claimed_epsilon);
  if (program.claimed_delta != Expression{}) {
    return fmt::format("({}, {})-DP", epsilon, print_expression(program.claimed_delta));
  }
  const bool is_word = epsilon.find(' ') == std::string::npos;
  return is_word ? epsilon + "-DP" : fmt::format("({})-DP", epsilon);
}

std::string condition_text(const Program& program) {
  std::vector<std::string> clauses;
  for (const Adjacency& clause : program.adjacent) clauses.push_back(inputs_text(clause));
  const std::string inputs =
      clauses.empty() ? "no private inputs" : "inputs with " + joined(clauses, ", ");
  if (program.requirements.empty()) return "all " + inputs;
  return fmt::format("all {} and {}", listed(program.requirements, ", "), inputs);
}

std::string theorem_text(const Program& program) {
  return fmt::format("{} is {} for {}", program.name, privacy_text(program),
                     condition_text(program));
}

std::string scaled_claim_text(const Program& program, const Rational& factor) {
  if (factor == Rational(1)) return print_expression(program.claimed_epsilon);
  Obligations ignored;
  const Goal goal = start(std::make_shared<const Program>(program), false, ignored);
  Names names;
  names.learn(goal);
  return print_polynomial(Polynomial(factor) * goal.claimed_epsilon, names);
}

PrintedProgram printed(const Program& program) {
  const auto refused = [](const std::string& problem) {
    return Error(ErrorCode::kBadInput, "certificate",
                 "its program cannot be written in the mechanism language: " + problem,
                 "certificates are written by lastbit prove --certificate");
  };
  PrintedProgram result{print_program(program), {}};
  try {
    result.program = parse_program(result.text, "program");
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kInternal) throw;
    throw refused(error.problem());
  }
  if (result.program != program) throw refused("its text means another program");
  return result;
}

}  // namespace lastbit::verify
