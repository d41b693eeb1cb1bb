#include "lastbit/verify/lang/parser.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "lastbit/base/text.h"
#include "lastbit/verify/lang/expression_parser.h"
#include "lastbit/verify/lang/token_stream.h"
#include "lastbit/verify/lang/types.h"
#include "lastbit/verify/lang/words.h"

namespace lastbit::verify {
namespace {

class Parser {
 public:
  explicit Parser(const Source& source) : tokens_(source) {}

  Program run();

 private:
  void parameters();
  Parameter parameter();
  void check_lengths() const;
  void clauses();
  Adjacency adjacency();
  void claims();
  void default_claim(Position at);

  Block block();
  Statement statement();
  void assign_or_sample(Statement& into);
  Sample sample(std::string name);
  If conditional();
  Loop counted_loop();
  Loop guarded_loop();
  Output output(bool is_return);
  [[noreturn]] void unknown_statement() const;

  TokenStream tokens_;
  Program program_;
  std::unordered_map<std::string, Position> lengths_;  // where each length is named first
  int depth_ = 0;                                      // of blocks
  int guarded_loops_ = 0;
};

Program Parser::run() {
  if (!tokens_.is("mechanism")) {
    const std::vector<std::string> word = {"mechanism"};
    throw tokens_.unexpected(
        "'mechanism'",
        did_you_mean(tokens_.peek().text, word,
                     "a program starts like this: mechanism name(f: real, eps: real)"));
  }
  tokens_.take();
  // A mechanism may have the name of a function or a sampler: it is never mentioned again.
  const std::string_view title = tokens_.peek().text;
  const bool is_callable = function_of_name(title) || sampler_of_name(title);
  program_.name = (is_callable ? tokens_.take() : tokens_.expect_new_name("the mechanism")).text;
  parameters();
  clauses();
  program_.body = block();
  if (tokens_.peek().kind != TokenKind::kEnd) {
    throw tokens_.unexpected("the end of the file", "a file holds one mechanism");
  }
  check_program(program_, tokens_.source());
  return std::move(program_);
}

void Parser::parameters() {
  tokens_.expect("(", "the parameters stand in parentheses: (f: real, eps: real)");
  std::unordered_map<std::string_view, Position> seen;
  do {
    const Token& name = tokens_.peek();
    program_.parameters.push_back(parameter());
    if (!seen.emplace(name.text, name.at).second) {
      throw tokens_.error(name.at, fmt::format("two parameters are called {}", quote(name.text)),
                          "give each a name of its own");
    }
    if (program_.parameters.size() > kMaxParameters) {
      throw tokens_.error(name.at, fmt::format("there are more than {} parameters", kMaxParameters),
                          "use a list");
    }
  } while (tokens_.accept(","));
  tokens_.expect(")", "separate parameters by ',' and close the parenthesis");
  check_lengths();
}

Parameter Parser::parameter() {
  Parameter parameter;
  parameter.name = tokens_.expect_new_name("a parameter").text;
  tokens_.expect(":", "give the type of the parameter: name: real");
  const auto type = type_of_name(tokens_.peek().text);
  if (!type) {
    const std::vector<std::string> types = {"real", "int", "bool"};
    throw tokens_.unexpected(
        "a type", did_you_mean(tokens_.peek().text, types, "the types are real, int and bool"));
  }
  tokens_.take();
  parameter.type = *type;
  if (tokens_.is("[")) {
    const Position at = tokens_.take().at;
    if (type == Type::kBool) {
      throw tokens_.error(at, "a list of bool was declared", "use a list of int: 0 and 1");
    }
    const Token& length = tokens_.expect_new_name("the parameter that is the list's length");
    parameter.length = length.text;
    lengths_.emplace(parameter.length, length.at);
    tokens_.expect("]", "a list is declared with its length: q: real[n]");
  }
  return parameter;
}

void Parser::check_lengths() const {
  std::unordered_map<std::string_view, const Parameter*> by_name;
  std::vector<std::string> whole;
  for (const Parameter& parameter : program_.parameters) {
    by_name.emplace(parameter.name, &parameter);
    if (parameter.type == Type::kInt && parameter.length.empty()) whole.push_back(parameter.name);
  }
  // In the order of the declarations, so that the first mistake is the one reported.
  for (const Parameter& list : program_.parameters) {
    if (list.length.empty()) continue;
    const auto found = by_name.find(list.length);
    if (found != by_name.end() && found->second->type == Type::kInt &&
        found->second->length.empty()) {
      continue;
    }
    throw tokens_.error(
        lengths_.at(list.length),
        fmt::format("the length {} is not an int parameter", quote(list.length)),
        did_you_mean(list.length, whole, fmt::format("add the parameter {}: int", list.length)));
  }
}

void Parser::clauses() {
  bool required = false;
  bool adjacent = false;
  bool claimed = false;
  const auto first = [&](bool& seen, const Token& word) {
    if (std::exchange(seen, true)) {
      throw tokens_.error(word.at, fmt::format("there is a second clause {}", quote(word.text)),
                          "write one, with ',' between its parts");
    }
  };
  while (!tokens_.is("{")) {
    const Token& word = tokens_.peek();
    if (tokens_.accept("requires")) {
      first(required, word);
      do {
        for (Expression& condition : parse_conditions(tokens_)) {
          program_.requirements.push_back(std::move(condition));
        }
      } while (tokens_.accept(","));
    } else if (tokens_.accept("adjacent")) {
      first(adjacent, word);
      do program_.adjacent.push_back(adjacency());
      while (tokens_.accept(","));
    } else if (tokens_.accept("claims")) {
      first(claimed, word);
      claims();
    } else {
      const std::vector<std::string> words = {"requires", "adjacent", "claims"};
      throw tokens_.unexpected("'requires', 'adjacent', 'claims' or '{'",
                               did_you_mean(word.text, words, "the body stands in braces"));
    }
  }
  if (!adjacent) {
    throw tokens_.unexpected("'adjacent'",
                             "say which inputs are private and how far apart they may be: adjacent "
                             "|f.1 - f.2| <= 1");
  }
  if (!claimed) default_claim(tokens_.peek().at);
}

Adjacency Parser::adjacency() {
  Adjacency clause;
  if (tokens_.accept("every"))
    clause.reach = Reach::kEvery;
  else if (tokens_.accept("one"))
    clause.reach = Reach::kOne;
  clause.conditions = parse_conditions(tokens_, Sides::kAllowed);
  return clause;
}

void Parser::claims() {
  program_.claimed_epsilon = parse_expression(tokens_);
  if (!tokens_.accept(",")) return;
  tokens_.expect("delta", "behind the loss only `, delta …` can stand");
  program_.claimed_delta = parse_expression(tokens_);
}

void Parser::default_claim(Position at) {
  const bool has_eps = std::ranges::any_of(program_.parameters, [](const Parameter& parameter) {
    return parameter.name == "eps" && parameter.length.empty();
  });
  if (!has_eps) {
    throw tokens_.error(at, "the mechanism claims no privacy loss",
                        "name it, as in `claims 2 * e`, or add the parameter eps: real");
  }
  program_.claimed_epsilon.op = Operator::kVariable;
  program_.claimed_epsilon.name = "eps";
  program_.claimed_epsilon.at = at;
}

Block Parser::block() {
  const Token& open = tokens_.expect("{", "a block stands in braces");
  if (++depth_ > kMaxDepth) {
    throw tokens_.error(open.at, fmt::format("blocks are nested deeper than {}", kMaxDepth),
                        "flatten the program");
  }
  Block statements;
  while (!tokens_.accept("}")) {
    if (tokens_.peek().kind == TokenKind::kEnd) {
      throw tokens_.unexpected("'}'", fmt::format("close the block of line {}", open.at.line));
    }
    statements.push_back(statement());
  }
  --depth_;
  return statements;
}

Statement Parser::statement() {
  Statement found;
  found.at = tokens_.peek().at;
  if (tokens_.accept("if")) {
    found.what = conditional();
  } else if (tokens_.accept("for")) {
    found.what = counted_loop();
  } else if (tokens_.accept("while")) {
    found.what = guarded_loop();
  } else if (tokens_.accept("output")) {
    found.what = output(false);
  } else if (tokens_.accept("return")) {
    found.what = output(true);
    if (depth_ != 1 || !tokens_.is("}")) {
      throw tokens_.error(found.at, "`return` is not the last statement of the mechanism",
                          "use `output`, which goes on");
    }
  } else {
    assign_or_sample(found);
  }
  return found;
}

void Parser::unknown_statement() const {
  const std::vector<std::string> words = {"if", "for", "while", "output", "return"};
  throw tokens_.unexpected(
      "a statement",
      did_you_mean(tokens_.peek().text, words,
                   "write x := e; or x <- sampler(…); or if, for, while, output, return"));
}

void Parser::assign_or_sample(Statement& into) {
  const std::string_view next = tokens_.peek(1).text;
  if (tokens_.peek().kind != TokenKind::kName || (next != ":=" && next != "<-")) {
    unknown_statement();
  }
  std::string name(tokens_.expect_new_name("a variable").text);
  if (tokens_.accept(":=")) {
    Assign assign;
    assign.name = std::move(name);
    assign.value = parse_expression(tokens_);
    into.what = std::move(assign);
  } else {
    tokens_.take();
    into.what = sample(std::move(name));
  }
  tokens_.expect(";", "end the statement with ';'");
}

Sample Parser::sample(std::string name) {
  const Token& word = tokens_.peek();
  const auto sampler = sampler_of_name(word.text);
  if (!sampler) {
    throw tokens_.unexpected("a sampler",
                             did_you_mean(word.text, sampler_names(),
                                          "the samplers are " + joined(sampler_names(), ", ") +
                                              "; `:=` assigns a value"));
  }
  tokens_.take();
  Sample drawn;
  drawn.name = std::move(name);
  drawn.sampler = *sampler;
  // The ends of the interval are written because they tell what is drawn; they are not arguments.
  const int written = sampler == Sampler::kUniform ? 2 : argument_count(*sampler);
  drawn.arguments = parse_arguments(tokens_, word.text, static_cast<std::size_t>(written));
  if (sampler == Sampler::kUniform) {
    for (const int end : {0, 1}) {
      const Expression& argument = drawn.arguments[static_cast<std::size_t>(end)];
      if (argument.op == Operator::kNumber && argument.number == Rational(end)) continue;
      throw tokens_.error(argument.at, "`uniform` draws from another interval than (0, 1)",
                          "write uniform(0, 1) and scale the result");
    }
    drawn.arguments.clear();
  }
  return drawn;
}

If Parser::conditional() {
  If found;
  found.condition = parse_expression(tokens_);
  found.then_block = block();
  if (!tokens_.accept("else")) return found;
  if (!tokens_.is("if")) {
    found.else_block = block();
    return found;
  }
  // The tree of a chain of `else if` is as deep as the chain is long.
  const Token& word = tokens_.peek();
  if (++depth_ > kMaxDepth) {
    throw tokens_.error(word.at, fmt::format("a chain of `else if` is longer than {}", kMaxDepth),
                        "flatten the program");
  }
  found.else_block.push_back(statement());
  --depth_;
  return found;
}

Loop Parser::counted_loop() {
  Loop loop;
  loop.counter = tokens_.expect_new_name("the counter").text;
  tokens_.expect("in", "a loop reads: for i in 0 .. n { … }");
  loop.from = parse_expression(tokens_);
  tokens_.expect("..", "give the range of the counter: 0 .. n");
  loop.to = parse_expression(tokens_);
  if (tokens_.accept("while")) loop.guard = parse_expression(tokens_);
  loop.body = block();
  return loop;
}

// while c at most e { … } is a counted loop whose counter has a name that nobody can write.
Loop Parser::guarded_loop() {
  Loop loop;
  loop.counter = fmt::format("_pass{}", ++guarded_loops_);
  loop.from.at = tokens_.peek().at;
  loop.guard = parse_expression(tokens_);
  constexpr std::string_view kBound = "every loop has a bound: while c at most n { … }";
  tokens_.expect("at", kBound);
  tokens_.expect("most", kBound);
  loop.to = parse_expression(tokens_);
  loop.body = block();
  return loop;
}

Output Parser::output(bool is_return) {
  Output found;
  found.value = parse_expression(tokens_);
  found.is_return = is_return;
  tokens_.expect(";", "end the statement with ';'");
  return found;
}

}  // namespace

Program parse_program(std::string_view text, std::string_view file_name) {
  if (text.size() > kMaxSourceBytes) {
    throw Error(ErrorCode::kBadText, fmt::format("{}:1:1", file_name),
                fmt::format("the program has {} bytes", text.size()),
                fmt::format("a program has at most {} bytes", kMaxSourceBytes));
  }
  const Source source(text, file_name);
  return Parser(source).run();
}

}  // namespace lastbit::verify
