#include "lastbit/verify/report/step_words.h"

#include <fmt/core.h>

#include <algorithm>
#include <source_location>

#include "lastbit/base/error.h"
#include "lastbit/base/text.h"
#include "lastbit/verify/lang/printer.h"

namespace lastbit::verify {

const Draw& draw_of(const Goal& goal) {
  if (!goal.draw) {
    broken_invariant("a step shown at a draw has one", std::source_location::current());
  }
  return *goal.draw;
}

std::string code(const std::string& text) { return "`" + text + "`"; }

std::vector<std::string> code_of_facts(const std::vector<Fact>& facts, std::size_t first,
                                       const Names& names) {
  std::vector<std::string> texts;
  for (std::size_t i = first; i < facts.size(); ++i) {
    texts.push_back(code(print_fact(facts[i], names)));
  }
  return texts;
}

namespace {

// source_line: the line of the text without its indentation and its end.
std::string source_line(const std::string& text, int line) {
  std::size_t begin = 0;
  for (int i = 1; i < line && begin != std::string::npos; ++i) {
    begin = text.find('\n', begin);
    if (begin != std::string::npos) ++begin;
  }
  if (line < 1 || begin == std::string::npos) return "";
  std::string one = text.substr(begin, text.find('\n', begin) - begin);
  one.erase(0, std::min(one.find_first_not_of(' '), one.size()));
  if (one.starts_with("} else ")) one.erase(0, std::string_view("} else ").size());
  for (const std::string_view end : {";", " {"}) {
    if (one.ends_with(end)) one.resize(one.size() - end.size());
  }
  return one;
}

// line_of: the line of a loop in the program; 0 if it is not found.
int line_of(const Block& block, const Loop* wanted) {
  for (const Statement& statement : block) {
    if (const auto* loop = std::get_if<Loop>(&statement.what)) {
      if (loop == wanted) return statement.at.line;
      if (const int line = line_of(loop->body, wanted)) return line;
    } else if (const auto* branch = std::get_if<If>(&statement.what)) {
      if (const int line = line_of(branch->then_block, wanted)) return line;
      if (const int line = line_of(branch->else_block, wanted)) return line;
    }
  }
  return 0;
}

std::string draw_text(const Draw& draw, const Names& names) {
  std::string argument = print_polynomial(draw.parameter, names);
  if (draw.sampler == Sampler::kUniform) argument = "0, 1";
  if (draw.sampler == Sampler::kSign) argument = "";
  return fmt::format("{} <- {}({})", draw.name, sampler_name(draw.sampler), argument);
}

void set_statement(StepWords& words, const Goal& goal, const Names& names,
                   const PrintedProgram& program) {
  switch (waiting_for(goal)) {
    case Waiting::kDraw: {
      const Draw& draw = draw_of(goal);
      words.line = draw.at.line;
      const std::string source = source_line(program.text, words.line);
      const std::string start = fmt::format("{} <- {}(", draw.name, sampler_name(draw.sampler));
      words.statement = source.starts_with(start) ? source : draw_text(draw, names);
      return;
    }
    case Waiting::kRepeat:
      words.line = line_of(goal.program->body, goal.frames.back().loop->loop.get());
      words.statement = source_line(program.text, words.line);
      return;
    case Waiting::kEnd:
      return;
    default:
      words.line = next_statement(goal)->at.line;
      words.statement = source_line(program.text, words.line);
  }
}

class Visitor {
 public:
  Visitor(const Goal& goal, const std::vector<Goal>& after, const Names& names, StepWords& words)
      : goal_(goal), after_(after), names_(names), words_(words) {}

  void operator()(const Couple& step) {
    if (!step.test || !step.otherwise) {
      words_.action = shift_text(step.shift);
      return;
    }
    words_.action = fmt::format("where {}: {}; elsewhere: {}", code(print_fact(*step.test, names_)),
                                shift_text(step.shift), shift_text(*step.otherwise));
    words_.arrivals = {code(print_fact(*step.test, names_)), "elsewhere"};
  }
  void operator()(const CoupleCoin& step) {
    const std::string& name = draw_of(goal_).name;
    const bool is_sign = draw_of(goal_).sampler == Sampler::kSign;
    words_.arrivals = {code(name + (is_sign ? ".1 = 1" : ".1 = true")),
                       code(name + (is_sign ? ".1 = -1" : ".1 = false"))};
    if (!step.swap) {
      words_.action = fmt::format("both runs draw the same {}, at no cost", code(name));
      return;
    }
    words_.action = fmt::format("the second run draws the other face of {}", code(name));
    if (is_sign) {
      words_.action += ", at no cost";
      return;
    }
    Names names = names_;
    names.learn(after_.front());
    const Polynomial cost = after_.front().spent - goal_.spent;
    words_.action += fmt::format(", at cost {} for true and {} for false", polynomial(cost, names),
                                 polynomial(-cost, names));
  }
  void operator()(const GiveUp&) {
    words_.action = fmt::format("the case {} is given up; its probability {} is charged to delta",
                                code(draw_of(goal_).name + " = true"),
                                polynomial(draw_of(goal_).parameter, names_));
  }
  void operator()(const IntroduceLaplace& step) {
    Names names = names_;
    names.learn(after_.front());
    const Draw& noise = draw_of(after_.front());
    words_.action = fmt::format("this draw and the {} statements behind it are {}", step.statements,
                                code(draw_text(noise, names)));
  }
  void operator()(const Branch&) {
    arrive_at_branch(std::get<If>(next_statement(goal_)->what).condition);
  }
  void operator()(const Mention&) {}
  void operator()(const SplitOne& step) {
    const ListEntry& entry = goal_.entries.at(step.entry);
    const std::string name =
        fmt::format("{}[{}]", entry.list, print_polynomial(entry.index, names_));
    words_.action = fmt::format("by cases: is {} the entry that differs?", code(name));
    words_.arrivals = {code(name) + " is before it", code(name) + " is the one",
                       code(name) + " is behind it"};
  }
  void operator()(const SplitFunction& step) {
    const Polynomial& value = goal_.functions.at(step.function).value;
    words_.action = fmt::format("by the definition of {}", polynomial(value, names_));
    number_arrivals();
  }
  void operator()(const SplitSign& step) {
    const std::string value = print_polynomial(step.value, names_);
    words_.action = fmt::format("by the sign of {}", code(value));
    for (const char* sign : {" < 0", " = 0", " > 0"}) words_.arrivals.push_back(code(value + sign));
  }
  void operator()(const Absurd&) { words_.action = "these facts exclude each other"; }
  void operator()(const UseInvariant& step) {
    const LoopHead head = loop_head(goal_);
    Names names = names_;
    names.learn(after_.front());
    words_.action = step.disjuncts.size() == 1
                        ? "before every pass the invariant holds"
                        : fmt::format("before every pass one of {} invariants holds; at first ({})",
                                      step.disjuncts.size(), step.entry + 1);
    for (std::size_t i = 0; i < step.disjuncts.size(); ++i) {
      const std::string number = step.disjuncts.size() == 1 ? "" : fmt::format("({}) ", i + 1);
      words_.notes.push_back(number + disjunct_text(head, step.disjuncts[i], names));
    }
    arrive_at_loop(step, head);
  }
  void operator()(const Repeat& step) {
    const auto& disjuncts = goal_.frames.back().loop->disjuncts;
    words_.action = disjuncts.size() == 1
                        ? "the invariant holds again"
                        : fmt::format("the invariant ({}) holds again", step.disjunct + 1);
  }
  void operator()(const Emit&) {
    if (!goal_.result) {
      words_.action = "both runs output the same";
    } else if (!goal_.result_is_assumed) {
      words_.action = fmt::format("let the first run return {}",
                                  polynomial(Polynomial::symbol(*goal_.result), names_));
    } else {
      words_.action = "the second run returns it, too";
    }
  }
  void operator()(const Finish&) {
    words_.action =
        fmt::format("the cost {} is within the claim {}", polynomial(goal_.spent, names_),
                    polynomial(goal_.claimed_epsilon, names_));
    if (!goal_.claimed_delta.is_zero()) {
      words_.action +=
          fmt::format(", and {} within delta = {}", polynomial(goal_.spent_delta, names_),
                      polynomial(goal_.claimed_delta, names_));
    }
  }
  void operator()(const Pointwise&) {
    words_.action =
        "one coupling for every possible result: when the first run returns it, so does the second";
  }

 private:
  static std::string polynomial(const Polynomial& value, const Names& names) {
    return code(print_polynomial(value, names));
  }

  // The goals of a branch come in this order: true in both runs, false in both, true in the first
  // only, true in the second only; the last two are left out where both runs must agree.
  void arrive_at_branch(const Expression& condition) {
    Goal scratch = goal_;
    Obligations ignored;
    const auto cases = [&](int run, bool truth) {
      return conditions(scratch, condition, run, truth, ignored);
    };
    const auto arrive = [&](std::size_t count, const char* text) {
      words_.arrivals.insert(words_.arrivals.end(), count, text);
    };
    if (const int side = goal_.frames.back().side; side != 0) {
      words_.action = fmt::format("by cases of the condition, in the {} run alone",
                                  side == 1 ? "first" : "second");
      arrive(cases(side - 1, true).size(), "true");
      arrive(cases(side - 1, false).size(), "false");
      return;
    }
    words_.action = "by cases of the condition in the two runs";
    const auto true1 = cases(0, true);
    const auto false1 = cases(0, false);
    const auto true2 = cases(1, true);
    const auto false2 = cases(1, false);
    const bool same = true1 == true2 && false1 == false2;
    arrive(same ? true1.size() : true1.size() * true2.size(), "true in both runs");
    arrive(same ? false1.size() : false1.size() * false2.size(), "false in both runs");
    if (same) return;
    arrive(true1.size() * false2.size(), "true in the first run only");
    arrive(false1.size() * true2.size(), "true in the second run only");
  }

  std::string shift_text(const Shift& shift) const {
    const std::string& name =
        goal_.symbols.at(static_cast<std::size_t>(draw_of(goal_).symbol)).name;
    if (shift.by.is_zero()) {
      if (shift.cost.is_zero()) {
        return fmt::format("both runs draw the same {}, at no cost", code(name));
      }
      return fmt::format("both runs draw the same {}, counted as cost {}", code(name),
                         polynomial(shift.cost, names_));
    }
    const std::string second =
        draw_of(goal_).sampler == Sampler::kUniform
            ? fmt::format("{0}.2 = exp(-({1}))*{0}.1", name, print_polynomial(shift.by, names_))
            : fmt::format("{}.2 = {}", name, print_increment(name + ".1", shift.by, names_));
    return fmt::format("{} at cost {}", code(second), polynomial(shift.cost, names_));
  }

  static std::string disjunct_text(const LoopHead& head, const Disjunct& disjunct,
                                   const Names& names) {
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < head.variables.size(); ++i) {
      const auto& offset = disjunct.offsets.at(i);
      if (!offset) continue;
      const std::string& first = names[head.variables[i].symbols[0]];
      const std::string& second = names[head.variables[i].symbols[1]];
      const Polynomial value = Polynomial::symbol(head.variables[i].symbols[0]) + *offset;
      parts.push_back(code(fmt::format(
          "{} = {}", second, offset->is_zero() ? first : print_polynomial(value, names))));
    }
    for (const std::string& fact : code_of_facts(disjunct.facts, 0, names)) parts.push_back(fact);
    parts.push_back(
        fmt::format("the cost so far is at most {}", polynomial(disjunct.spent, names)));
    return joined(parts, ", ");
  }

  void arrive_at_loop(const UseInvariant& step, const LoopHead& head) {
    Goal scratch = goal_;
    Obligations ignored;
    const Loop& loop = std::get<Loop>(next_statement(goal_)->what);
    const Polynomial to = evaluate(scratch, loop.to, 0, ignored);
    // Every goal inside the loop knows that counter + 1 <= to; the first goal of each disjunct is
    // the one whose counter has reached its end.
    const Fact inside{to - Polynomial::symbol(head.counter) - Polynomial(Rational(1)),
                      Sign::kNonNegative};
    std::size_t number = 0;
    for (const Goal& goal : after_) {
      const bool repeats = std::ranges::any_of(goal.frames, [&](const Frame& frame) {
        return frame.loop && frame.loop->head.counter == head.counter;
      });
      const bool is_exit = std::ranges::find(goal.facts, inside) == goal.facts.end();
      if (is_exit) ++number;
      std::string text = goal.is_stuck ? "only one run goes on"
                         : repeats     ? "another pass"
                         : is_exit     ? "no more passes"
                                       : "the condition ends the loop";
      if (step.disjuncts.size() > 1) text += fmt::format(", from ({})", number);
      words_.arrivals.push_back(text);
    }
  }

  void number_arrivals() {
    if (after_.size() < 2) return;
    for (std::size_t i = 0; i < after_.size(); ++i) {
      words_.arrivals.push_back(fmt::format("case {} of {}", i + 1, after_.size()));
    }
  }

  const Goal& goal_;
  const std::vector<Goal>& after_;
  const Names& names_;
  StepWords& words_;
};

}  // namespace

StepWords words_of(const Goal& goal, const Step& step, const std::vector<Goal>& after,
                   const Names& names, const PrintedProgram& program) {
  StepWords words;
  set_statement(words, goal, names, program);
  Visitor visitor(goal, after, names, words);
  std::visit(visitor, step);
  words.arrivals.resize(after.size());
  return words;
}

}  // namespace lastbit::verify
