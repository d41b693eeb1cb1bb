#include "tests/kernel/mutants.h"

#include <functional>
#include <limits>
#include <utility>

namespace lastbit::verify::testing {
namespace {

// Editor: walks through a certificate and offers the changes it knows of, one of which is taken at
// the end of the walk.
class Editor {
 public:
  explicit Editor(std::size_t wanted) : wanted_(wanted) {}

  std::size_t count() const { return count_; }
  std::string take() {
    change_();
    return description_;
  }

  void edit(Certificate& certificate) {
    edit(certificate.program);
    list("proofs", certificate.proofs);
    for (Proof& proof : certificate.proofs) {
      offer("direction", [&] { proof.swapped = !proof.swapped; });
      edit(proof.reasons);
      edit(proof.derivation);
    }
  }

 private:
  void offer(const std::string& description, std::function<void()> change) {
    if (count_++ != wanted_) return;
    description_ = description;
    change_ = std::move(change);
  }

  template <class T>
  void replace(const std::string& description, T& place, T by) {
    if (place == by) return;
    offer(description, [&place, by] { place = by; });
  }

  // list: an item is dropped, comes twice, or changes places with the next.
  template <class T>
  void list(const std::string& description, std::vector<T>& items) {
    for (std::size_t i = 0; i < items.size(); ++i) {
      const auto at = static_cast<std::ptrdiff_t>(i);
      offer(description + ": dropped", [&items, at] { items.erase(items.begin() + at); });
      offer(description + ": twice",
            [&items, at, i] { items.insert(items.begin() + at, T(items[i])); });
      if (i + 1 < items.size()) {
        offer(description + ": exchanged", [&items, i] { std::swap(items[i], items[i + 1]); });
      }
    }
  }

  void edit(const std::string& description, Rational& number) {
    replace(description + " + 1", number, number + Rational(1));
    replace(description + " - 1", number, number - Rational(1));
    replace(description + " * 2", number, number * Rational(2));
    replace(description + " / 2", number, number / Rational(2));
    replace(description + " negated", number, -number);
    replace(description + " = 0", number, Rational(0));
  }

  void edit(const std::string& description, std::size_t& index) {
    replace(description + " + 1", index, index + 1);
    if (index > 0) replace(description + " - 1", index, index - 1);
  }

  void edit(const std::string& description, Monomial& monomial) {
    list(description + " factor", monomial.powers);
    for (auto& [symbol, exponent] : monomial.powers) {
      replace(description + " symbol + 1", symbol, symbol + 1);
      if (symbol > 0) replace(description + " symbol - 1", symbol, symbol - 1);
      replace(description + " exponent + 1", exponent, exponent + 1);
      replace(description + " exponent - 1", exponent, exponent - 1);
    }
    for (const SymbolId symbol : {0, 1, 2}) {
      offer(description + " factor added",
            [&monomial, symbol] { monomial = monomial * Monomial{{{symbol, 1}}}; });
    }
  }

  // A polynomial is changed as a list of terms and put together again.
  void edit(const std::string& description, Polynomial& polynomial) {
    using Terms = std::vector<std::pair<Monomial, Rational>>;
    const Terms terms(polynomial.terms().begin(), polynomial.terms().end());
    for (std::size_t i = 0; i < terms.size(); ++i) {
      const auto term = [&](const std::string& what, const Monomial& monomial,
                            const Rational& coefficient) {
        offer(description + " " + what, [&polynomial, terms, i, monomial, coefficient] {
          Polynomial changed;
          for (std::size_t j = 0; j < terms.size(); ++j) {
            changed += j == i ? Polynomial::term(coefficient, monomial)
                              : Polynomial::term(terms[j].second, terms[j].first);
          }
          polynomial = changed;
        });
      };
      const auto& [monomial, coefficient] = terms[i];
      term("coefficient + 1", monomial, coefficient + Rational(1));
      term("coefficient - 1", monomial, coefficient - Rational(1));
      term("coefficient * 2", monomial, coefficient * Rational(2));
      term("coefficient / 2", monomial, coefficient / Rational(2));
      term("coefficient negated", monomial, -coefficient);
      term("term dropped", monomial, Rational(0));
      for (std::size_t k = 0; k < monomial.powers.size(); ++k) {
        for (const int by : {-1, 1}) {
          const auto [symbol, exponent] = monomial.powers[k];
          const Monomial without = monomial * inverse(Monomial{{monomial.powers[k]}});
          if (symbol + by >= 0) {
            term("symbol", without * Monomial{{{symbol + by, exponent}}}, coefficient);
          }
          term("exponent", monomial * Monomial{{{symbol, by}}}, coefficient);
        }
      }
    }
    const Polynomial one{Rational(1)};
    replace(description + " + 1", polynomial, polynomial + one);
    replace(description + " - 1", polynomial, polynomial - one);
    replace(description + " negated", polynomial, -polynomial);
    replace(description + " = 0", polynomial, Polynomial());
  }

  void edit(const std::string& description, Fact& fact) {
    edit(description, fact.value);
    for (const Sign sign : {Sign::kZero, Sign::kNonNegative, Sign::kPositive}) {
      replace(description + " sign", fact.sign, sign);
    }
  }

  void edit(std::vector<Reason>& reasons) {
    list("reasons", reasons);
    for (Reason& reason : reasons) {
      list("reason", reason.terms);
      for (Term& term : reason.terms) {
        edit("reason coefficient", term.coefficient);
        list("reason facts", term.facts);
        for (std::size_t& fact : term.facts) edit("reason fact", fact);
        offer("reason fact added", [&term] { term.facts.push_back(0); });
        edit("reason", term.factor);
      }
    }
  }

  void edit(const std::string& description, Shift& shift) {
    edit(description + " by", shift.by);
    edit(description + " cost", shift.cost);
  }

  void edit_step(Couple& step) {
    edit("shift", step.shift);
    if (!step.test) return;
    edit("test", *step.test);
    edit("otherwise", *step.otherwise);
    offer("shifts exchanged", [&step] { std::swap(step.shift, *step.otherwise); });
    offer("choice dropped", [&step] {
      step.test.reset();
      step.otherwise.reset();
    });
  }
  void edit_step(CoupleCoin& step) { replace("face", step.swap, !step.swap); }
  void edit_step(IntroduceLaplace& step) { edit("statements", step.statements); }
  void edit_step(Mention& step) {
    for (const Operator op : {Operator::kAbs, Operator::kFloor, Operator::kExp}) {
      if (step.op != Operator::kEntry) replace("function", step.op, op);
    }
    for (Polynomial& argument : step.arguments) edit("argument", argument);
  }
  void edit_step(SplitOne& step) { edit("entry", step.entry); }
  void edit_step(SplitFunction& step) { edit("function", step.function); }
  void edit_step(SplitSign& step) { edit("value", step.value); }
  void edit_step(Repeat& step) { edit("case", step.disjunct); }
  void edit_step(UseInvariant& step) {
    edit("case at entry", step.entry);
    list("cases", step.disjuncts);
    for (Disjunct& disjunct : step.disjuncts) {
      list("offsets", disjunct.offsets);
      for (auto& offset : disjunct.offsets) {
        if (offset) edit("offset", *offset);
        offer("offset known or not", [&offset] {
          offset = offset ? std::nullopt : std::optional<Polynomial>(Polynomial());
        });
      }
      list("facts", disjunct.facts);
      for (Fact& fact : disjunct.facts) edit("invariant", fact);
      edit("spent", disjunct.spent);
    }
  }
  void edit_step(auto&) {}

  void edit(Derivation& derivation) {
    Step& step = derivation.step;
    const std::vector<Step> others = {Branch{},         Emit{},   Finish{},  Absurd{},
                                      Pointwise{},      GiveUp{}, Couple{},  CoupleCoin{},
                                      CoupleCoin{true}, Repeat{}, SplitOne{}};
    for (const Step& other : others) {
      if (other.index() != step.index()) offer("step replaced", [&step, other] { step = other; });
    }
    std::visit([this](auto& each) { edit_step(each); }, step);
    edit(derivation.reasons);
    list("goals", derivation.then);
    for (Derivation& next : derivation.then) {
      offer("step left out", [&derivation, &next] {
        const Derivation kept = next;
        derivation = kept;
      });
      edit(next);
    }
  }

  // The operators that an operator is mistaken for.
  static std::vector<Operator> alike(Operator op) {
    using enum Operator;
    const std::vector<std::vector<Operator>> classes = {
        {kAdd, kSubtract, kMultiply, kDivide, kModulo, kMin, kMax},
        {kNegate, kAbs, kFloor, kCeil, kLn, kExp, kPow2Ceil, kLogistic},
        {kRound, kRoundHalfEven, kRoundTowardZero},
        {kLess, kLessEqual, kGreater, kGreaterEqual, kEqual, kNotEqual},
        {kAnd, kOr}};
    for (const auto& each : classes) {
      for (const Operator one : each) {
        if (one == op) return each;
      }
    }
    return {};
  }

  void edit(const std::string& description, Expression& expression) {
    if (expression.op == Operator::kNumber) edit(description + " number", expression.number);
    if (expression.op == Operator::kBoolean) {
      replace(description + " truth", expression.number, Rational(1) - expression.number);
    }
    if (expression.op == Operator::kVariable || expression.op == Operator::kEntry) {
      for (const std::string& name : names_) replace(description + " name", expression.name, name);
    }
    if (expression.side != 0) replace(description + " run", expression.side, 3 - expression.side);
    for (const Operator op : alike(expression.op)) replace(description + " op", expression.op, op);
    for (std::size_t i = 0; i + 1 < expression.operands.size(); ++i) {
      offer(description + " operands exchanged",
            [&expression, i] { std::swap(expression.operands[i], expression.operands[i + 1]); });
    }
    for (Expression& operand : expression.operands) {
      offer(description + " only operand", [&expression, &operand] {
        const Expression kept = operand;
        expression = kept;
      });
      edit(description, operand);
    }
  }

  void edit_statement(Assign& statement) {
    for (const std::string& name : names_) replace("assigned name", statement.name, name);
    edit("assigned", statement.value);
  }
  void edit_statement(Sample& statement) {
    for (const std::string& name : names_) replace("drawn name", statement.name, name);
    for (int i = 0; i < kSamplerCount; ++i) {
      replace("sampler", statement.sampler, static_cast<Sampler>(i));
    }
    for (Expression& argument : statement.arguments) edit("scale", argument);
  }
  void edit_statement(If& statement) {
    edit("condition", statement.condition);
    offer("branches exchanged",
          [&statement] { std::swap(statement.then_block, statement.else_block); });
    edit(statement.then_block);
    edit(statement.else_block);
  }
  void edit_statement(Loop& statement) {
    edit("from", statement.from);
    edit("to", statement.to);
    if (statement.guard) {
      edit("guard", *statement.guard);
      offer("guard dropped", [&statement] { statement.guard.reset(); });
    }
    edit(statement.body);
  }
  void edit_statement(Output& statement) { edit("output", statement.value); }

  void edit(Block& block) {
    list("statements", block);
    for (Statement& statement : block) {
      std::visit([this](auto& each) { edit_statement(each); }, statement.what);
    }
  }

  void edit(Program& program) {
    for (auto* variables : {&program.parameters, &program.locals}) {
      for (const Parameter& variable : *variables) names_.push_back(variable.name);
    }
    for (auto* variables : {&program.parameters, &program.locals}) {
      list("variables", *variables);
      for (Parameter& variable : *variables) {
        for (const Type type : {Type::kBool, Type::kInt, Type::kReal}) {
          replace("type", variable.type, type);
        }
        if (!variable.length.empty()) replace("length", variable.length, std::string());
      }
    }
    list("requirements", program.requirements);
    for (Expression& requirement : program.requirements) edit("requirement", requirement);
    list("adjacencies", program.adjacent);
    for (Adjacency& adjacency : program.adjacent) {
      for (const Reach reach : {Reach::kValue, Reach::kEvery, Reach::kOne}) {
        replace("reach", adjacency.reach, reach);
      }
      list("adjacency", adjacency.conditions);
      for (Expression& condition : adjacency.conditions) edit("adjacency", condition);
    }
    edit("epsilon", program.claimed_epsilon);
    edit("delta", program.claimed_delta);
    const auto scaled = [](const Expression& e, Operator op) {
      return Expression{.op = op, .operands = {e, {.number = Rational(2)}}};
    };
    replace("epsilon doubled", program.claimed_epsilon,
            scaled(program.claimed_epsilon, Operator::kMultiply));
    replace("epsilon halved", program.claimed_epsilon,
            scaled(program.claimed_epsilon, Operator::kDivide));
    edit(program.body);
  }

  std::size_t wanted_;
  std::size_t count_ = 0;
  std::string description_;
  std::function<void()> change_;
  std::vector<std::string> names_;
};

}  // namespace

std::size_t count_mutants(const Certificate& original) {
  Certificate copy = original;
  Editor editor(std::numeric_limits<std::size_t>::max());
  editor.edit(copy);
  return editor.count();
}

Mutant make_mutant(const Certificate& original, std::size_t index) {
  Mutant mutant{original, ""};
  Editor editor(index);
  editor.edit(mutant.certificate);
  mutant.change = editor.take();
  return mutant;
}

}  // namespace lastbit::verify::testing
