#include "lastbit/verify/certificate/program_json.h"

#include <algorithm>
#include <array>

namespace lastbit::verify {
namespace {

// The names of operators in certificates, in the order of the enumerators.
constexpr std::array<std::string_view, kOperatorCount> kOperators = {"number",
                                                                     "boolean",
                                                                     "variable",
                                                                     "entry",
                                                                     "add",
                                                                     "subtract",
                                                                     "multiply",
                                                                     "divide",
                                                                     "negate",
                                                                     "modulo",
                                                                     "abs",
                                                                     "min",
                                                                     "max",
                                                                     "clamp",
                                                                     "round",
                                                                     "round_half_even",
                                                                     "round_toward_zero",
                                                                     "floor",
                                                                     "ceil",
                                                                     "ln",
                                                                     "exp",
                                                                     "pow2ceil",
                                                                     "logistic",
                                                                     "less",
                                                                     "less_equal",
                                                                     "greater",
                                                                     "greater_equal",
                                                                     "equal",
                                                                     "not_equal",
                                                                     "and",
                                                                     "or",
                                                                     "not"};

constexpr std::array<std::string_view, 3> kReaches = {"value", "every", "one"};

template <class Names>
std::size_t index_in(const Names& names, const Field& field) {
  const std::string text = field.text();
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == text) return i;
  }
  field.fail("this word has no meaning here");
}

Json to_json(const Expression& expression) {
  Json json = {{"op", kOperators.at(static_cast<std::size_t>(expression.op))}};
  if (expression.op == Operator::kNumber || expression.op == Operator::kBoolean) {
    json["number"] = expression.number.to_string();
  }
  if (expression.op == Operator::kVariable || expression.op == Operator::kEntry) {
    json["name"] = expression.name;
  }
  if (expression.side != 0) json["side"] = expression.side;
  if (!expression.operands.empty()) {
    json["of"] = list_of(expression.operands, [](const Expression& e) { return to_json(e); });
  }
  return json;
}

Expression expression_from(const Field& field) {
  field.object({"op", "number?", "name?", "side?", "of?"});
  Expression expression;
  expression.op = static_cast<Operator>(index_in(kOperators, field["op"]));
  const bool is_number = expression.op == Operator::kNumber || expression.op == Operator::kBoolean;
  const bool is_named = expression.op == Operator::kVariable || expression.op == Operator::kEntry;
  if (is_number != field.has("number") || is_named != field.has("name")) {
    field.fail("an expression has the wrong fields");
  }
  if (is_number) expression.number = field["number"].rational();
  const bool is_truth = expression.number == Rational(0) || expression.number == Rational(1);
  if (expression.op == Operator::kBoolean && !is_truth) field.fail("a truth value is 0 or 1");
  if (is_named) expression.name = field["name"].text();
  if (field.has("side")) {
    if (expression.op != Operator::kVariable) field.fail("only variables have sides");
    expression.side = field["side"].whole(1, 2);
  }
  if (field.has("of")) expression.operands = list_from(field["of"], expression_from);
  if (static_cast<int>(expression.operands.size()) != argument_count(expression.op)) {
    field.fail("an operator has the wrong number of operands");
  }
  if (field.has("of") && expression.operands.empty()) field.fail("an empty field is left out");
  return expression;
}

Json to_json(const Block& block);
Block block_from(const Field& field);

struct StatementWriter {
  Json operator()(const Assign& s) const {
    return {{"do", "assign"}, {"name", s.name}, {"value", to_json(s.value)}};
  }
  Json operator()(const Sample& s) const {
    return {{"do", "sample"},
            {"name", s.name},
            {"sampler", sampler_name(s.sampler)},
            {"arguments", list_of(s.arguments, [](const Expression& e) { return to_json(e); })}};
  }
  Json operator()(const If& s) const {
    return {{"do", "if"},
            {"condition", to_json(s.condition)},
            {"then", to_json(s.then_block)},
            {"else", to_json(s.else_block)}};
  }
  Json operator()(const Loop& s) const {
    Json json = {{"do", "for"},
                 {"counter", s.counter},
                 {"from", to_json(s.from)},
                 {"to", to_json(s.to)},
                 {"body", to_json(s.body)}};
    if (s.guard) json["while"] = to_json(*s.guard);
    return json;
  }
  Json operator()(const Output& s) const {
    return {{"do", s.is_return ? "return" : "output"}, {"value", to_json(s.value)}};
  }
};

Json to_json(const Block& block) {
  return list_of(block, [](const Statement& s) { return std::visit(StatementWriter{}, s.what); });
}

Sampler sampler_from(const Field& field) {
  const std::string name = field.text();
  for (int i = 0; i < kSamplerCount; ++i) {
    if (sampler_name(static_cast<Sampler>(i)) == name) return static_cast<Sampler>(i);
  }
  field.fail("there is no such sampler");
}

Statement statement_from(const Field& field) {
  const std::string kind = field["do"].text();
  if (kind == "assign") {
    field.object({"do", "name", "value"});
    return {Assign{field["name"].text(), expression_from(field["value"])}, {}};
  }
  if (kind == "sample") {
    field.object({"do", "name", "sampler", "arguments"});
    return {Sample{field["name"].text(), sampler_from(field["sampler"]),
                   list_from(field["arguments"], expression_from)},
            {}};
  }
  if (kind == "if") {
    field.object({"do", "condition", "then", "else"});
    return {If{expression_from(field["condition"]), block_from(field["then"]),
               block_from(field["else"])},
            {}};
  }
  if (kind == "for") {
    field.object({"do", "counter", "from", "to", "while?", "body"});
    Loop loop{field["counter"].text(), expression_from(field["from"]), expression_from(field["to"]),
              std::nullopt, block_from(field["body"])};
    if (field.has("while")) loop.guard = expression_from(field["while"]);
    return {std::move(loop), {}};
  }
  if (kind != "output" && kind != "return") field.fail("there is no such statement");
  field.object({"do", "value"});
  return {Output{expression_from(field["value"]), kind == "return"}, {}};
}

Block block_from(const Field& field) { return list_from(field, statement_from); }

Json to_json(const Parameter& parameter) {
  Json json = {{"name", parameter.name}, {"type", type_name(parameter.type)}};
  if (!parameter.length.empty()) json["length"] = parameter.length;
  return json;
}

Parameter parameter_from(const Field& field) {
  field.object({"name", "type", "length?"});
  Parameter parameter{field["name"].text(), Type::kReal, ""};
  const std::string type = field["type"].text();
  const auto types = {Type::kBool, Type::kInt, Type::kReal};
  const auto* found =
      std::find_if(types.begin(), types.end(), [&](Type t) { return type_name(t) == type; });
  if (found == types.end()) field.fail("there is no such type");
  parameter.type = *found;
  if (field.has("length")) {
    parameter.length = field["length"].text();
    if (parameter.length.empty()) field.fail("an empty field is left out");
  }
  return parameter;
}

Json to_json(const Adjacency& adjacency) {
  Json json = {{"reach", kReaches.at(static_cast<std::size_t>(adjacency.reach))},
               {"conditions",
                list_of(adjacency.conditions, [](const Expression& e) { return to_json(e); })}};
  if (adjacency.reach != Reach::kValue) json["list"] = adjacency.list;
  return json;
}

Adjacency adjacency_from(const Field& field) {
  field.object({"reach", "list?", "conditions"});
  Adjacency adjacency;
  adjacency.reach = static_cast<Reach>(index_in(kReaches, field["reach"]));
  if ((adjacency.reach != Reach::kValue) != field.has("list")) {
    field.fail("an adjacency has the wrong fields");
  }
  if (field.has("list")) adjacency.list = field["list"].text();
  adjacency.conditions = list_from(field["conditions"], expression_from);
  if (adjacency.conditions.empty()) field.fail("an adjacency needs a condition");
  return adjacency;
}

}  // namespace

Json to_json(const Program& program) {
  const auto expression = [](const Expression& e) { return to_json(e); };
  const auto parameter = [](const Parameter& p) { return to_json(p); };
  const auto adjacency = [](const Adjacency& a) { return to_json(a); };
  return {{"name", program.name},
          {"parameters", list_of(program.parameters, parameter)},
          {"requires", list_of(program.requirements, expression)},
          {"adjacent", list_of(program.adjacent, adjacency)},
          {"epsilon", to_json(program.claimed_epsilon)},
          {"delta", to_json(program.claimed_delta)},
          {"locals", list_of(program.locals, parameter)},
          {"body", to_json(program.body)}};
}

Program program_from(const Field& field) {
  field.object(
      {"name", "parameters", "requires", "adjacent", "epsilon", "delta", "locals", "body"});
  return {.name = field["name"].text(),
          .parameters = list_from(field["parameters"], parameter_from),
          .requirements = list_from(field["requires"], expression_from),
          .adjacent = list_from(field["adjacent"], adjacency_from),
          .claimed_epsilon = expression_from(field["epsilon"]),
          .claimed_delta = expression_from(field["delta"]),
          .locals = list_from(field["locals"], parameter_from),
          .body = block_from(field["body"])};
}

}  // namespace lastbit::verify
