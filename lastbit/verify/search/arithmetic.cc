#include "lastbit/verify/search/arithmetic.h"

#include <z3++.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <map>
#include <set>
#include <string>

namespace lastbit::verify {
namespace {

constexpr std::size_t kMaxColumns = 400;
constexpr int kRounds = 4;

// A monomial as the product of its positive symbols and of the others.
struct Parts {
  Monomial positive;
  Monomial state;
};

Parts parts_of(const std::vector<Symbol>& symbols, const Monomial& monomial) {
  Parts parts;
  for (const auto& power : monomial.powers) {
    const bool positive = symbols[static_cast<std::size_t>(power.first)].is_positive;
    (positive ? parts.positive : parts.state).powers.push_back(power);
  }
  return parts;
}

bool is_only_positive(const std::vector<Symbol>& symbols, const Monomial& monomial) {
  return parts_of(symbols, monomial).state.powers.empty();
}

// A multiple of a fact that may be part of a reason.
struct Column {
  std::size_t fact = 0;
  Monomial factor;
  friend auto operator<=>(const Column&, const Column&) = default;
};

// The columns that can help: multiples of facts that contain monomials of the goal, then those that
// contain monomials of the chosen ones, and so on.
std::vector<Column> columns_for(const Obligation& obligation) {
  std::set<Column> chosen;
  std::set<Monomial> wanted;
  const auto& goal_terms = obligation.goal.value.terms();
  for (const auto& [monomial, coefficient] : goal_terms) wanted.insert(monomial);
  // A goal about public parameters alone may need facts about anything, in the size of its terms; a
  // contradiction may need all facts as they are.
  const bool is_public = std::ranges::all_of(goal_terms, [&](const auto& term) {
    return is_only_positive(obligation.symbols, term.first);
  });
  const auto choose = [&](std::size_t fact, const Monomial& factor) {
    if (chosen.size() >= kMaxColumns || !chosen.insert({fact, factor}).second) return;
    for (const auto& [term, value] : obligation.facts[fact].value.terms()) {
      wanted.insert(term * factor);
    }
  };
  std::vector<std::vector<Parts>> with_state(obligation.facts.size());
  for (std::size_t i = 0; i < obligation.facts.size(); ++i) {
    std::vector<Monomial> pure;
    for (const auto& [monomial, coefficient] : obligation.facts[i].value.terms()) {
      Parts parts = parts_of(obligation.symbols, monomial);
      if (parts.state.powers.empty()) {
        pure.push_back(monomial);
      } else {
        with_state[i].push_back(std::move(parts));
      }
    }
    if (is_public || with_state[i].empty()) choose(i, {});
    if (!is_public && !with_state[i].empty()) continue;
    for (const Monomial& have : pure) {
      for (const auto& [need, value] : goal_terms) {
        if (is_only_positive(obligation.symbols, need)) choose(i, need * inverse(have));
      }
    }
  }
  std::set<Monomial> done;
  for (int round = 0; round < kRounds; ++round) {
    std::set<Monomial> now;
    std::ranges::set_difference(wanted, done, std::inserter(now, now.begin()));
    for (const Monomial& want : now) {
      const Parts need = parts_of(obligation.symbols, want);
      if (need.state.powers.empty()) continue;
      for (std::size_t i = 0; i < obligation.facts.size(); ++i) {
        for (const Parts& have : with_state[i]) {
          if (need.state == have.state) choose(i, need.positive * inverse(have.positive));
        }
      }
    }
    done.insert(now.begin(), now.end());
  }
  return {chosen.begin(), chosen.end()};
}

// A polynomial without its constant, and the constant.
std::pair<Polynomial, Rational> without_constant(const Polynomial& value) {
  const auto found = value.terms().find(Monomial{});
  if (found == value.terms().end()) return {value, Rational(0)};
  return {value - Polynomial(found->second), found->second};
}

// Obvious reasons: the goal is a fact plus a constant, or two facts contradict each other.
std::optional<Reason> simple_reason(const Obligation& obligation) {
  struct Known {
    Rational constant;
    bool is_strict;
    Term term;
  };
  std::map<Polynomial, Known> least;  // p + constant ≥ 0, the strongest for each p
  const auto learn = [&](const Polynomial& value, bool is_strict, Term term) {
    auto [rest, constant] = without_constant(value);
    const Known known{constant, is_strict, std::move(term)};
    const auto [place, is_new] = least.try_emplace(rest, known);
    const bool stronger =
        constant < place->second.constant || (constant == place->second.constant && is_strict);
    if (!is_new && stronger) place->second = known;
  };
  for (std::size_t i = 0; i < obligation.facts.size(); ++i) {
    const Fact& fact = obligation.facts[i];
    learn(fact.value, fact.sign == Sign::kPositive, {Rational(1), {i}, {}});
    if (fact.sign == Sign::kZero) learn(-fact.value, false, {Rational(-1), {i}, {}});
  }
  const auto fits = [&](const Rational& remainder, bool is_strict) {
    return remainder.sign() > 0 ||
           (remainder.sign() == 0 && (is_strict || obligation.goal.sign != Sign::kPositive));
  };
  if (obligation.goal.value.is_zero()) {
    for (const auto& [rest, known] : least) {
      const auto other = least.find(-rest);
      if (other == least.end()) continue;
      const Rational sum = known.constant + other->second.constant;
      if (fits(-sum, known.is_strict || other->second.is_strict)) {
        return Reason{{known.term, other->second.term}};
      }
    }
    return std::nullopt;
  }
  const auto [rest, constant] = without_constant(obligation.goal.value);
  const auto known = least.find(rest);
  if (known == least.end()) return std::nullopt;
  if (!fits(constant - known->second.constant, known->second.is_strict)) return std::nullopt;
  return Reason{{known->second.term}};
}

// A digest of an obligation, long enough that two never share one by accident; if they did, the
// kernel would refuse the reason.
class Digest {
 public:
  Digest& add(const Obligation& obligation) {
    for (const Fact& fact : obligation.facts) add(fact);
    return add(obligation.goal);
  }
  Digest& add(const Goal& goal) {
    for (const Fact& fact : goal.facts) add(fact);
    for (const auto& [name, values] : goal.values) {
      for (const Polynomial& value : values) add(Fact{value, Sign::kZero});
    }
    add(goal.spent);
    add(goal.frames.size() * 1000 + goal.symbols.size());
    return *this;
  }
  DigestValue value() const { return {one_, two_}; }

 private:
  Digest& add(const Fact& fact) {
    add(static_cast<std::size_t>(fact.sign) + 11);
    return add(fact.value);
  }
  Digest& add(const Polynomial& value) {
    for (const auto& [monomial, coefficient] : value.terms()) {
      add(word_of(coefficient.numerator()));
      add(word_of(coefficient.denominator()));
      for (const auto& [symbol, exponent] : monomial.powers) {
        add(static_cast<std::size_t>(symbol) * 131 + static_cast<std::size_t>(exponent + 65));
      }
    }
    return *this;
  }
  static std::size_t word_of(const Integer& number) {
    if (number.fits_int64()) return static_cast<std::size_t>(number.to_int64());
    return std::hash<std::string>()(number.to_string());
  }
  void add(std::size_t word) {
    one_ = (one_ ^ word) * 0x9E3779B97F4A7C15U + 0x632BE59BD9B4E019U;
    two_ = (two_ + word) * 0xD1342543DE82EF95U;
    two_ ^= two_ >> 29;
  }

  std::size_t one_ = 1;
  std::size_t two_ = 2;
};

}  // namespace

struct Arithmetic::Solver {
  z3::context context;
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  // One solver for all questions: creating one takes longer than most questions do.
  z3::solver solver{context, z3::solver::simple()};
  z3::solver points{context, z3::solver::simple()};
  std::vector<z3::expr> pool;

  // Scope: assertions made in it are removed at its end.
  struct Scope {
    explicit Scope(z3::solver& of) : solver(of) { solver.push(); }
    ~Scope() { solver.pop(); }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    z3::solver& solver;
  };

  const z3::expr& coefficient(std::size_t index) {
    while (pool.size() <= index) {
      pool.push_back(context.real_const(("c" + std::to_string(pool.size())).c_str()));
    }
    return pool[index];
  }
  z3::expr number(const Rational& value) {
    const std::string text = value.numerator().to_string() + "/" + value.denominator().to_string();
    return context.real_val(text.c_str());
  }
  unsigned milliseconds_left() const {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    return static_cast<unsigned>(std::clamp<long long>(left.count(), 0, 600'000));
  }

  // The conditions on the coefficients: for every monomial the sum has what the goal has, or less
  // where the monomial is positive anyway. With `factor`, the goal is factor·claimed − spent.
  template <class Target>
  void add_conditions(Target& target, const Obligation& obligation,
                      const std::vector<Column>& columns, const z3::expr* factor,
                      const Polynomial& claimed) {
    std::map<Monomial, z3::expr_vector> rows;
    const auto row = [&](const Monomial& monomial) -> z3::expr_vector& {
      return rows.try_emplace(monomial, context).first->second;
    };
    z3::expr_vector strict(context);
    for (std::size_t j = 0; j < columns.size(); ++j) {
      const Fact& fact = obligation.facts[columns[j].fact];
      const z3::expr& c = coefficient(j);
      if (fact.sign != Sign::kZero) target.add(c >= 0);
      if (fact.sign == Sign::kPositive) strict.push_back(c);
      for (const auto& [monomial, value] : fact.value.terms()) {
        row(monomial * columns[j].factor).push_back(number(value) * c);
      }
    }
    for (const auto& [monomial, value] : obligation.goal.value.terms()) row(monomial);
    for (const auto& [monomial, value] : claimed.terms()) row(monomial);
    for (auto& [monomial, terms] : rows) {
      const auto found = obligation.goal.value.terms().find(monomial);
      z3::expr wanted =
          number(found == obligation.goal.value.terms().end() ? Rational(0) : found->second);
      if (factor != nullptr) {
        const auto of_claim = claimed.terms().find(monomial);
        if (of_claim != claimed.terms().end()) wanted = wanted + number(of_claim->second) * *factor;
      }
      const z3::expr total = terms.empty() ? context.real_val(0) : z3::sum(terms);
      if (is_only_positive(obligation.symbols, monomial)) {
        target.add(total <= wanted);
        strict.push_back(wanted - total);
      } else {
        target.add(total == wanted);
      }
    }
    if (obligation.goal.sign == Sign::kPositive) {
      target.add((strict.empty() ? context.real_val(0) : z3::sum(strict)) > 0);
    }
  }

  std::optional<Rational> value_in(const z3::model& model, const z3::expr& expression) {
    const z3::expr value = model.eval(expression, true);
    if (!value.is_numeral()) return std::nullopt;
    return Rational::parse(Z3_get_numeral_string(context, value));
  }
};

// Points in which all facts of a goal hold, with every product of symbols treated as a separate
// number: a fact that fails in one of them does not follow from the facts by linear arithmetic.
struct Arithmetic::PointTest {
  PointTest(Solver& of, const Goal& from) : solver(of), goal(from), scope(of.points) {
    for (const Fact& fact : goal.facts) {
      const z3::expr value = expression(fact.value);
      if (fact.sign == Sign::kZero) solver.points.add(value == 0);
      if (fact.sign == Sign::kNonNegative) solver.points.add(value >= 0);
      if (fact.sign == Sign::kPositive) solver.points.add(value > 0);
    }
  }

  bool refutes(const Fact& fact) {
    if (std::ranges::any_of(found, [&](const auto& point) { return fails_at(fact, point); })) {
      return true;
    }
    const Solver::Scope inner(solver.points);
    const z3::expr value = expression(fact.value);
    solver.points.add(fact.sign == Sign::kPositive ? value <= 0 : value < 0);
    if (solver.points.check() != z3::sat) return false;
    const z3::model model = solver.points.get_model();
    std::map<Monomial, Rational> point;
    for (const auto& [monomial, variable] : variables) {
      const auto at = solver.value_in(model, variable);
      if (!at) return false;
      point.emplace(monomial, *at);
    }
    found.push_back(std::move(point));
    return true;
  }

  z3::expr expression(const Polynomial& value) {
    z3::expr_vector terms(solver.context);
    for (const auto& [monomial, coefficient] : value.terms()) {
      terms.push_back(solver.number(coefficient) * variable(monomial));
    }
    return terms.empty() ? solver.context.real_val(0) : z3::sum(terms);
  }

  z3::expr variable(const Monomial& monomial) {
    if (monomial.powers.empty()) return solver.context.real_val(1);
    const auto known = variables.find(monomial);
    if (known != variables.end()) return known->second;
    const z3::expr made = solver.coefficient(variables.size());
    variables.emplace(monomial, made);
    if (is_positive(goal.symbols, monomial)) solver.points.add(made > 0);
    return made;
  }

  bool fails_at(const Fact& fact, const std::map<Monomial, Rational>& point) const {
    Rational total(0);
    for (const auto& [monomial, coefficient] : fact.value.terms()) {
      if (monomial.powers.empty()) {
        total += coefficient;
        continue;
      }
      const auto at = point.find(monomial);
      if (at == point.end()) return false;
      total += coefficient * at->second;
    }
    return fact.sign == Sign::kPositive ? total.sign() <= 0 : total.sign() < 0;
  }

  Solver& solver;
  const Goal& goal;
  Solver::Scope scope;
  std::map<Monomial, z3::expr> variables;
  std::vector<std::map<Monomial, Rational>> found;
};

DigestValue digest_of(const Goal& goal) { return Digest().add(goal).value(); }

Arithmetic::Arithmetic() : solver_(std::make_unique<Solver>()) {}
Arithmetic::~Arithmetic() = default;

void Arithmetic::set_deadline(double seconds) {
  solver_->deadline = std::chrono::steady_clock::now() +
                      std::chrono::milliseconds(static_cast<long long>(seconds * 1000));
}

std::optional<Reason> Arithmetic::reason_for(const Obligation& obligation) {
  const Fact& goal = obligation.goal;
  if (is_positive(obligation.symbols, goal.value)) return Reason{};
  if (auto reason = simple_reason(obligation)) return reason;
  const auto key = Digest().add(obligation).value();
  const auto known = answers_.find(key);
  if (known != answers_.end()) return known->second;
  return answers_[key] = solve(obligation);
}

std::optional<Reason> Arithmetic::solve(const Obligation& obligation) {
  const std::vector<Column> columns = columns_for(obligation);
  const unsigned left = solver_->milliseconds_left();
  if (left == 0) return std::nullopt;
  try {
    z3::solver& solver = solver_->solver;
    const Solver::Scope scope(solver);
    solver_->add_conditions(solver, obligation, columns, nullptr, {});
    if (solver.check() != z3::sat) return std::nullopt;
    const z3::model model = solver.get_model();
    Reason reason;
    for (std::size_t j = 0; j < columns.size(); ++j) {
      const auto value = solver_->value_in(model, solver_->coefficient(j));
      if (!value) return std::nullopt;
      if (value->sign() != 0) {
        reason.terms.push_back({*value, {columns[j].fact}, columns[j].factor});
      }
    }
    return reason;
  } catch (const z3::exception&) {
    return std::nullopt;  // the solver gave up; a missing reason is always safe
  }
}

bool Arithmetic::follows(const Goal& goal, const Polynomial& value, Sign sign) {
  if (const auto known = holds({value, sign})) return *known;
  if (sign == Sign::kZero) {
    return follows(goal, value, Sign::kNonNegative) && follows(goal, -value, Sign::kNonNegative);
  }
  return reason_for({goal.symbols, goal.facts, {value, sign}, ""}).has_value();
}

std::vector<bool> Arithmetic::which_follow(const Goal& goal, const std::vector<Fact>& candidates) {
  std::vector<bool> result(candidates.size(), false);
  std::vector<Fact> halves;  // inequalities only
  std::vector<std::size_t> of;
  std::vector<bool> fails(candidates.size(), false);
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const Fact& fact = candidates[i];
    if (const auto known = holds(fact)) {
      result[i] = *known;
      continue;
    }
    result[i] = true;  // until a half fails
    halves.push_back({fact.value, fact.sign == Sign::kZero ? Sign::kNonNegative : fact.sign});
    of.push_back(i);
    if (fact.sign != Sign::kZero) continue;
    halves.push_back({-fact.value, Sign::kNonNegative});
    of.push_back(i);
  }
  PointTest points(*solver_, goal);
  for (std::size_t j = 0; j < halves.size(); ++j) {
    if (!result[of[j]]) continue;
    if (points.refutes(halves[j])) {
      result[of[j]] = false;
      continue;
    }
    result[of[j]] = follows(goal, halves[j].value, halves[j].sign);
  }
  return result;
}

bool Arithmetic::is_absurd(const Goal& goal) {
  return reason_for({goal.symbols, goal.facts, absurd(), ""}).has_value();
}

std::optional<Rational> Arithmetic::least_factor(const Goal& goal) {
  if (goal.claimed_epsilon.is_zero()) return std::nullopt;
  const Obligation obligation{goal.symbols, goal.facts, {-goal.spent, Sign::kNonNegative}, ""};
  Obligation for_columns = obligation;
  for_columns.goal.value = goal.claimed_epsilon - goal.spent;
  if (for_columns.goal.value.is_zero()) for_columns.goal.value = goal.claimed_epsilon;
  const std::vector<Column> columns = columns_for(for_columns);
  try {
    z3::optimize optimize(solver_->context);
    const z3::expr factor = solver_->context.real_const("factor");
    optimize.add(factor >= 0);
    solver_->add_conditions(optimize, obligation, columns, &factor, goal.claimed_epsilon);
    optimize.minimize(factor);
    if (optimize.check() != z3::sat) return std::nullopt;
    return solver_->value_in(optimize.get_model(), factor);
  } catch (const z3::exception&) {
    return std::nullopt;
  }
}

}  // namespace lastbit::verify
