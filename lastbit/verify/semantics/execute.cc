#include "lastbit/verify/semantics/execute.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/base/text.h"
#include "lastbit/verify/semantics/evaluate.h"

namespace lastbit::verify {
namespace {

struct State {
  std::vector<LogNumber> values;
  std::vector<Rational> outputs;
  friend std::strong_ordering operator<=>(const State&, const State&) = default;
};

// The states a run can be in at one place of the program; equal states are one.
using Cloud = std::map<State, Rational>;

constexpr int kMaxNesting = 200;

Error bad_input(const std::string& name, std::string_view problem, std::string_view remedy) {
  return Error::bad_parameter("execute", name, problem, remedy);
}

std::string place_of(Position at) {
  return "line " + std::to_string(at.line) + ", column " + std::to_string(at.column);
}

void merge(Cloud& cloud, const State& state, const Rational& mass) {
  if (mass.sign() > 0) cloud[state] += mass;
}

class Run {
 public:
  Run(const Program& program, const ExecutionInputs& inputs, const ExecutionLimits& limits)
      : limits_(limits) {
    check(inputs);
    names_.base = inputs.base;
    for (const Parameter& parameter : program.parameters) take(parameter, inputs);
    for (const Parameter& local : program.locals) slot(local.name);
  }

  Execution execute(const Program& program) {
    Cloud cloud{{start_, Rational(1)}};
    cloud = block(program.body, std::move(cloud), 0);
    for (const auto& [state, mass] : cloud) result_.outputs.add(state.outputs, mass);
    return std::move(result_);
  }

 private:
  void check(const ExecutionInputs& inputs) const {
    if (inputs.base <= Rational(1)) {
      throw bad_input("base", "is at most 1", "give a rational above 1");
    }
    if (limits_.radius < 0) throw bad_input("radius", "is negative", "keep at least the value 0");
  }

  std::size_t slot(const std::string& name) {
    const auto [found, is_new] = names_.slots.emplace(name, start_.values.size());
    if (is_new) start_.values.emplace_back();
    return found->second;
  }

  void take(const Parameter& parameter, const ExecutionInputs& inputs) {
    if (!parameter.length.empty()) {
      const auto list = inputs.lists.find(parameter.name);
      const auto length = inputs.numbers.find(parameter.length);
      if (list == inputs.lists.end()) {
        throw bad_input(parameter.name, "has no value", "give a list");
      }
      if (length == inputs.numbers.end() ||
          length->second != Rational(Integer(list->second.size()))) {
        throw bad_input(parameter.name, "is not as long as it says", "give the right length");
      }
      names_.lists.insert(*list);
      return;
    }
    const auto number = inputs.numbers.find(parameter.name);
    const auto logarithm = inputs.logarithms.find(parameter.name);
    if ((number == inputs.numbers.end()) == (logarithm == inputs.logarithms.end())) {
      throw bad_input(parameter.name, "has no value or two", "give it among numbers or logarithms");
    }
    start_.values[slot(parameter.name)] = number != inputs.numbers.end()
                                              ? LogNumber(number->second)
                                              : LogNumber(logarithm->second, 1);
  }

  Cloud block(const Block& statements, Cloud cloud, int nesting) {
    if (nesting > kMaxNesting) {
      throw Error(ErrorCode::kNotSupported, "execute", "statements are nested too deeply",
                  "write a flatter program");
    }
    for (const Statement& statement : statements) {
      count(cloud.size(), statement.at);
      cloud = step(statement, cloud, nesting);
    }
    return cloud;
  }

  void count(std::size_t steps, Position at) {
    steps_ += steps;
    if (steps_ <= limits_.steps) return;
    throw Error(ErrorCode::kNotSupported, place_of(at), "the run has too many states or passes",
                "lower the radius or the lengths of lists, or raise the limit of steps");
  }

  Cloud step(const Statement& statement, const Cloud& cloud, int nesting) {
    if (const auto* assign = std::get_if<Assign>(&statement.what)) return assigned(*assign, cloud);
    if (const auto* sample = std::get_if<Sample>(&statement.what)) {
      return sampled(*sample, statement.at, cloud);
    }
    if (const auto* branch = std::get_if<If>(&statement.what)) {
      return branched(*branch, cloud, nesting);
    }
    if (const auto* loop = std::get_if<Loop>(&statement.what)) {
      return looped(*loop, statement.at, cloud, nesting);
    }
    return emitted(std::get<Output>(statement.what), cloud);
  }

  // The value of the expression in the state; if there is none, the state's mass is written off.
  std::optional<LogNumber> value(const Expression& expression, const State& state,
                                 const Rational& mass) {
    auto found = evaluate(names_, state.values, expression);
    if (!found) result_.impossible += mass;
    return found;
  }

  std::size_t known_slot(const std::string& name) const {
    const auto found = names_.slots.find(name);
    if (found != names_.slots.end()) return found->second;
    throw Error(ErrorCode::kMismatch, "execute", "there is no variable " + quote(name),
                "declare it among the locals");
  }

  Cloud assigned(const Assign& assign, const Cloud& cloud) {
    const std::size_t target = known_slot(assign.name);
    Cloud next;
    for (const auto& [state, mass] : cloud) {
      const auto result = value(assign.value, state, mass);
      if (!result) continue;
      State after = state;
      after.values[target] = *result;
      merge(next, after, mass);
    }
    return next;
  }

  Cloud emitted(const Output& output, const Cloud& cloud) {
    Cloud next;
    for (const auto& [state, mass] : cloud) {
      const auto result = value(output.value, state, mass);
      if (!result) continue;
      State after = state;
      after.outputs.push_back(rational_part(*result, "an output"));
      merge(next, after, mass);
    }
    return next;
  }

  Cloud branched(const If& branch, const Cloud& cloud, int nesting) {
    Cloud taken;
    Cloud other;
    for (const auto& [state, mass] : cloud) {
      const auto condition = value(branch.condition, state, mass);
      if (condition) merge(condition->factor.sign() != 0 ? taken : other, state, mass);
    }
    Cloud next = block(branch.then_block, std::move(taken), nesting + 1);
    for (const auto& [state, mass] : block(branch.else_block, std::move(other), nesting + 1)) {
      merge(next, state, mass);
    }
    return next;
  }

  // The state at the head of a loop, by the end of its counter's range, which is evaluated once.
  using Heads = std::map<LogNumber, Cloud>;

  Cloud looped(const Loop& loop, Position at, const Cloud& cloud, int nesting) {
    const std::size_t counter = known_slot(loop.counter);
    Heads heads;
    for (const auto& [state, mass] : cloud) {
      const auto from = value(loop.from, state, mass);
      if (!from) continue;
      const auto to = value(loop.to, state, mass);
      if (!to) continue;
      State at_head = state;
      at_head.values[counter] = Rational(rational_part(*from, "the start of a loop").ceil());
      merge(heads[*to], at_head, mass);
    }
    Cloud done;
    for (auto& [to, inside] : heads) {
      for (int pass = 0; !inside.empty(); ++pass) {
        count(inside.size(), at);
        inside = entering(loop, counter, to, inside, done);
        if (pass == limits_.passes) {
          for (const auto& [state, mass] : inside) result_.unfinished += mass;
          break;
        }
        inside = counted_up(block(loop.body, std::move(inside), nesting + 1), counter);
      }
    }
    return done;
  }

  // The states that begin another pass; the others are done.
  Cloud entering(const Loop& loop, std::size_t counter, const LogNumber& to, const Cloud& cloud,
                 Cloud& done) {
    Cloud inside;
    for (const auto& [state, mass] : cloud) {
      bool goes_on = compare(state.values[counter], to) < 0;
      if (goes_on && loop.guard) {
        const auto guard = value(*loop.guard, state, mass);
        if (!guard) continue;
        goes_on = guard->factor.sign() != 0;
      }
      merge(goes_on ? inside : done, state, mass);
    }
    return inside;
  }

  static Cloud counted_up(const Cloud& cloud, std::size_t counter) {
    Cloud next;
    for (const auto& [state, mass] : cloud) {
      State after = state;
      after.values[counter] = add(state.values[counter], Rational(1));
      merge(next, after, mass);
    }
    return next;
  }

  Cloud sampled(const Sample& sample, Position at, const Cloud& cloud) {
    const std::size_t target = known_slot(sample.name);
    if (static_cast<int>(sample.arguments.size()) != argument_count(sample.sampler)) {
      throw Error(ErrorCode::kMismatch, place_of(at), "a sampler has the wrong number of arguments",
                  "execute programs that the parser accepts");
    }
    Cloud next;
    for (const auto& [state, mass] : cloud) {
      std::optional<LogNumber> argument = LogNumber();  // of samplers that take none
      if (!sample.arguments.empty()) argument = value(sample.arguments.front(), state, mass);
      if (!argument) continue;
      const auto law = law_of(sample.sampler, *argument, at);
      if (!law) {
        result_.impossible += mass;
        continue;
      }
      count(law->masses().size(), at);
      result_.truncated += mass * (Rational(1) - law->total());
      for (const auto& [drawn, probability] : law->masses()) {
        State after = state;
        after.values[target] = drawn;
        merge(next, after, mass * probability);
      }
    }
    return next;
  }

  // Nothing if the parameter is impossible.
  std::optional<FiniteDistribution<Rational>> law_of(Sampler sampler, const LogNumber& argument,
                                                     Position at) const {
    switch (sampler) {
      case Sampler::kSign:
        return FiniteDistribution<Rational>::uniform({-1, 1});
      case Sampler::kBernoulli: {
        const Rational& p = rational_part(argument, "a probability");
        if (p.sign() < 0 || p > Rational(1)) return std::nullopt;
        FiniteDistribution<Rational> law;
        law.add(1, p);
        law.add(0, Rational(1) - p);
        return law;
      }
      case Sampler::kGeometric:
      case Sampler::kDiscreteLaplace: {
        if (argument.factor.sign() <= 0) return std::nullopt;
        const Rational alpha = exp_of(negated(inverse(argument)), names_.base);
        return sampler == Sampler::kGeometric ? truncated_geometric(alpha, limits_.radius)
                                              : truncated_discrete_laplace(alpha, limits_.radius);
      }
      default:
        throw Error(ErrorCode::kNotSupported, place_of(at),
                    std::string(sampler_name(sampler)) +
                        " is continuous, so the run has no finite "
                        "law",
                    "use sign, bernoulli, geometric or discrete_laplace");
    }
  }

  const ExecutionLimits limits_;
  ExecutionNames names_;
  State start_;
  Execution result_;
  std::size_t steps_ = 0;
};

}  // namespace

Execution execute(const Program& program, const ExecutionInputs& inputs,
                  const ExecutionLimits& limits) {
  return Run(program, inputs, limits).execute(program);
}

}  // namespace lastbit::verify
