#include "lastbit/verify/refute/paths.h"

#include <algorithm>

#include "lastbit/verify/refute/evaluate.h"

namespace lastbit::verify::refutation {
namespace {

// The branches of a tree of runs, left to right: a run asks which way to go, and the next run
// repeats all answers up to the last one that can still be raised, and raises it.
class Trail {
 public:
  int choose(int count) {
    if (next_ == trail_.size()) trail_.push_back({0, count});
    return trail_[next_++].chosen;
  }
  // advance: whether there is another run.
  bool advance() {
    next_ = 0;
    while (!trail_.empty() && trail_.back().chosen + 1 == trail_.back().count) trail_.pop_back();
    if (trail_.empty()) return false;
    ++trail_.back().chosen;
    return true;
  }

 private:
  struct Fork {
    int chosen;
    int count;
  };
  std::vector<Fork> trail_;
  std::size_t next_ = 0;
};

bool is_truth_valued(const Expression& expression, const Program& program) {
  if (expression.op == Operator::kBoolean || expression.op >= Operator::kLess) return true;
  if (expression.op != Operator::kVariable && expression.op != Operator::kEntry) return false;
  const auto is_it = [&](const Parameter& p) {
    return p.name == expression.name && p.type == Type::kBool;
  };
  return std::ranges::any_of(program.parameters, is_it) ||
         std::ranges::any_of(program.locals, is_it);
}

class Run final : public Decisions {
 public:
  Run(const Program& program, const Instance& instance, const PathLimits& limits,
      const Deadline& deadline, Trail& trail)
      : program_(program),
        instance_(instance),
        limits_(limits),
        deadline_(deadline),
        trail_(trail),
        evaluator_([this](const Expression& e, const auto& index) { return look_up(e, index); },
                   this) {}

  Path execute() {
    try {
      execute(program_.body);
    } catch (const ImpossibleOperation&) {
      path_.is_impossible = true;
    }
    return std::move(path_);
  }

  bool holds(const HalfSpace& condition) override {
    const HalfSpace other = condition.complement();
    const bool may_hold = path_.system.allows(condition, path_.noises);
    const bool may_fail = path_.system.allows(other, path_.noises);
    // The rest has probability 0; either answer is fine.
    if (!may_hold || !may_fail) return may_hold;
    const bool taken = trail_.choose(2) == 0;
    path_.system.require(taken ? condition : other, path_.noises);
    return taken;
  }

  LinearForm step(const LinearForm& form) override {
    return added({Noise::Law::kStep, 1, form, -1});
  }

  LinearForm minus_logarithm(const LinearForm& form) override {
    const bool is_draw = form.terms.size() == 1 && form.constant.sign() == 0 &&
                         form.terms[0].second == 1 &&
                         noise(form.terms[0].first).law == Noise::Law::kUniform;
    if (!is_draw) throw not_supported("the program takes ln of noise that is not uniform");
    const int uniform = form.terms[0].first;
    if (noise(uniform).twin >= 0) return {0, {{noise(uniform).twin, 1}}};
    const LinearForm result = added({Noise::Law::kExponential, 1, {}, uniform});
    noise(uniform).twin = result.terms[0].first;
    return result;
  }

  bool has_density(const LinearForm& form) const override {
    return !is_whole(form.terms, path_.noises);
  }

 private:
  Noise& noise(int index) { return path_.noises[static_cast<std::size_t>(index)]; }

  LinearForm added(Noise noise) {
    path_.noises.push_back(std::move(noise));
    return {0, {{static_cast<int>(path_.noises.size()) - 1, 1}}};
  }

  Value look_up(const Expression& expression, const std::optional<Rational>& index) const {
    if (!index) {
      const auto local = locals_.find(expression.name);
      if (local != locals_.end()) return local->second;
    }
    const auto parameter = instance_.find(expression.name);
    if (parameter == instance_.end()) {
      throw not_supported("a variable is read before it has a value");
    }
    const std::vector<Rational>& list = parameter->second;
    if (!index) return Value::of(list.empty() ? Rational(0) : list.front());
    const bool inside = index->is_integer() && index->sign() >= 0 &&
                        *index < Rational(static_cast<std::int64_t>(list.size()));
    if (!inside) return Value::of(Rational(0));
    return Value::of(list[static_cast<std::size_t>(index->numerator().to_int64())]);
  }

  void count_step() {
    if (++steps_ > limits_.steps) throw not_supported("the program takes too many steps");
    deadline_.check();
  }

  void execute(const Block& block) {
    for (const Statement& statement : block) {
      count_step();
      std::visit([this](const auto& what) { run(what); }, statement.what);
    }
  }

  void run(const Assign& assign) { locals_[assign.name] = evaluator_.value(assign.value); }

  void run(const If& branch) {
    execute(evaluator_.truth(branch.condition) ? branch.then_block : branch.else_block);
  }

  void run(const Loop& loop) {
    const Rational to = evaluator_.value(loop.to).rational();
    for (Rational i = evaluator_.value(loop.from).rational(); i < to; i += 1) {
      count_step();
      locals_[loop.counter] = Value::of(i);
      if (loop.guard && !evaluator_.truth(*loop.guard)) return;
      execute(loop.body);
    }
  }

  void run(const Output& output) {
    const Value value = evaluator_.value(output.value);
    if (value.irrational)
      throw not_supported("the program outputs a number that is not a fraction");
    path_.outputs.push_back({value.form, is_truth_valued(output.value, program_)});
  }

  void run(const Sample& sample) {
    if (static_cast<int>(sample.arguments.size()) != argument_count(sample.sampler)) {
      throw not_supported("a sampler has the wrong number of arguments");
    }
    locals_[sample.name] = Value::of(drawn(sample));
  }

  LinearForm drawn(const Sample& sample) {
    switch (sample.sampler) {
      case Sampler::kUniform:
        return added({Noise::Law::kUniform, 1, {}, -1});
      case Sampler::kSign:
        path_.weight = path_.weight * Real(Rational(1, 2));
        return {trail_.choose(2) == 0 ? 1 : -1, {}};
      case Sampler::kBernoulli:
        return {coin(evaluator_.value(sample.arguments[0]).real()) ? 1 : 0, {}};
      case Sampler::kLaplace:
        return added({Noise::Law::kLaplace, scale_of(sample), {}, -1});
      case Sampler::kExponential:
        return added({Noise::Law::kExponential, scale_of(sample), {}, -1});
      case Sampler::kGeometric:
        return added({Noise::Law::kGeometric, scale_of(sample), {}, -1});
      case Sampler::kDiscreteLaplace:
        return added({Noise::Law::kDiscreteLaplace, scale_of(sample), {}, -1});
    }
    throw not_supported("the program draws from an unknown law");
  }

  Rational scale_of(const Sample& sample) {
    Rational scale = evaluator_.value(sample.arguments[0]).rational();
    if (scale.sign() <= 0) throw ImpossibleOperation("the program draws noise of a scale ≤ 0");
    return scale;
  }

  bool coin(const Real& p) {
    const Real q = Real(Rational(1)) - p;
    if (p.sign() < 0 || q.sign() < 0)
      throw ImpossibleOperation("the program draws an impossible coin");
    if (q.sign() == 0) return true;
    if (p.sign() == 0) return false;
    const bool heads = trail_.choose(2) == 0;
    path_.weight = path_.weight * (heads ? p : q);
    return heads;
  }

  const Program& program_;
  const Instance& instance_;
  const PathLimits& limits_;
  const Deadline& deadline_;
  Trail& trail_;
  Evaluator evaluator_;
  std::map<std::string, Value> locals_;
  Path path_;
  int steps_ = 0;
};

}  // namespace

Deadline::Deadline(double seconds)
    : end_(std::chrono::steady_clock::now() + std::chrono::microseconds(static_cast<std::int64_t>(
                                                  std::clamp(seconds, 0.0, 1e6) * 1e6))) {}

void Deadline::check() const {
  if (has_passed()) throw not_supported("the time is up");
}

std::vector<Path> paths_of(const Program& program, const Instance& instance,
                           const PathLimits& limits, const Deadline& deadline) {
  std::vector<Path> paths;
  Trail trail;
  do {
    if (static_cast<int>(paths.size()) == limits.paths) {
      throw not_supported("the program has too many paths");
    }
    paths.push_back(Run(program, instance, limits, deadline, trail).execute());
  } while (trail.advance());
  return paths;
}

}  // namespace lastbit::verify::refutation
