#include "lastbit/verify/refute/refute.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "lastbit/base/text.h"
#include "lastbit/verify/refute/candidates.h"
#include "lastbit/verify/refute/law.h"

namespace lastbit::verify {
namespace {

using namespace refutation;  // NOLINT(google-build-using-namespace): our own insides

// What a mechanism claims at given parameters.
struct Claim {
  Real epsilon;
  Real delta;
};

Claim claim_of(const Program& program, const Instance& instance) {
  return {public_value(program.claimed_epsilon, instance).real(),
          public_value(program.claimed_delta, instance).real()};
}

// The two runs of a candidate, as paths.
struct Runs {
  std::vector<Path> first;
  std::vector<Path> second;
};

Runs runs_of(const Program& program, const Candidate& candidate, const RefuteOptions& options,
             const Deadline& deadline) {
  const PathLimits limits{options.steps, options.paths};
  return {paths_of(program, candidate.first, limits, deadline),
          paths_of(program, candidate.second, limits, deadline)};
}

// An event that is a violation according to doubles, and by how much the loss is exceeded.
struct Suspicion {
  double score = 0;
  std::size_t order = 0;  // among events with the same score, the first is taken
  bool swapped = false;   // the event is too likely in run 2
  Event event;
};

// Doubles are trusted down to here; a true violation is larger.
constexpr double kRelativeNoise = 1e-6;
constexpr double kAbsoluteNoise = 1e-12;
constexpr double kInfiniteScore = 1e3;

// How far P1 exceeds e^ε·P2 + δ, as a loss; nothing if it does not, as far as doubles show.
std::optional<double> excess(const Mass<double>& p1, const Mass<double>& p2, double epsilon,
                             double delta) {
  const double above = p1.low - delta;
  if (above < kAbsoluteNoise) return std::nullopt;
  if (p2.is_zero) return kInfiniteScore + above;
  const double loss = std::log(above / std::max(p2.high, kAbsoluteNoise * kAbsoluteNoise));
  if (loss <= epsilon + kRelativeNoise) return std::nullopt;
  // A ratio of rounding errors is not a violation.
  if (p2.high < kAbsoluteNoise && above < std::sqrt(kAbsoluteNoise)) return std::nullopt;
  // Among events with the same loss, the likelier one is the better witness.
  return std::floor((loss - epsilon) / kRelativeNoise) * kRelativeNoise +
         kRelativeNoise * above / 2;
}

class Scout {
 public:
  Scout(const Runs& runs, const Claim& claim, const Deadline& deadline)
      : runs_(runs),
        epsilon_(claim.epsilon.approximate()),
        delta_(claim.delta.approximate()),
        effort_{deadline} {}

  // All events that look like violations, the worst first.
  std::vector<Suspicion> suspicions() {
    Suspicion union1;
    Suspicion union2;
    union2.swapped = true;
    double sum1 = 0;
    double sum2 = 0;
    for (const Cell& cell : proposed_cells(runs_.first, runs_.second)) {
      const Mass<double> p1 = mass_of(cell, runs_.first, arithmetic_, effort_);
      const Mass<double> p2 = mass_of(cell, runs_.second, arithmetic_, effort_);
      note(p1, p2, false, {cell});
      note(p2, p1, true, {cell});
      if (delta_ <= 0) continue;
      // With a δ, all cells that are too likely are needed together.
      extend(union1, sum1, p1, p2, cell);
      extend(union2, sum2, p2, p1, cell);
    }
    if (sum1 > delta_ + kAbsoluteNoise) add(sum1 - delta_, union1);
    if (sum2 > delta_ + kAbsoluteNoise) add(sum2 - delta_, union2);
    std::ranges::sort(found_, [](const Suspicion& a, const Suspicion& b) {
      return a.score != b.score ? a.score > b.score : a.order < b.order;
    });
    return std::move(found_);
  }

 private:
  void note(const Mass<double>& p1, const Mass<double>& p2, bool swapped, Event event) {
    const std::optional<double> score = excess(p1, p2, epsilon_, delta_);
    if (score) found_.push_back({*score, found_.size(), swapped, std::move(event)});
  }

  void add(double score, Suspicion& suspicion) {
    suspicion.score = score;
    suspicion.order = found_.size();
    if (suspicion.event.size() > 1) found_.push_back(std::move(suspicion));
  }

  void extend(Suspicion& suspicion, double& sum, const Mass<double>& p1, const Mass<double>& p2,
              const Cell& cell) const {
    const double gain = p1.low - std::exp(epsilon_) * p2.high;
    if (gain < kAbsoluteNoise || suspicion.event.size() >= 64) return;
    suspicion.event.push_back(cell);
    if (are_disjoint(suspicion.event)) {
      sum += gain;
    } else {
      suspicion.event.pop_back();
    }
  }

  const Runs& runs_;
  double epsilon_;
  double delta_;
  Arithmetic<double> arithmetic_;
  Effort effort_;
  std::vector<Suspicion> found_;
};

// The probabilities of an event in both runs, and whether they are certainly a violation.
struct Proof {
  Mass<Ball> p1;
  Mass<Ball> p2;
  Ball epsilon;
  Ball delta;
  bool holds;
};

Mass<Ball> mass_of_event(const Event& event, const std::vector<Path>& paths, int precision,
                         const Effort& effort) {
  Arithmetic<Ball> arithmetic(precision);
  const Ball zero(0, precision);
  Mass<Ball> total{zero, zero, true};
  for (const Cell& cell : event) {
    const Mass<Ball> mass = mass_of(cell, paths, arithmetic, effort);
    total.low = total.low + mass.low;
    total.high = total.high + mass.high;
    total.is_zero = total.is_zero && mass.is_zero;
  }
  return total;
}

// P1 > e^ε·P2 + δ for everything that the balls contain. An event whose cells overlap proves nothing.
Proof proof_of(const Event& event, const std::vector<Path>& first, const std::vector<Path>& second,
               const Claim& claim, int precision, const Effort& effort) {
  Proof proof{mass_of_event(event, first, precision, effort),
              mass_of_event(event, second, precision, effort), claim.epsilon.ball(precision),
              claim.delta.ball(precision), false};
  const Ball allowed = exp(proof.epsilon) * proof.p2.high + proof.delta;
  proof.holds = are_disjoint(event) && certainly_greater(proof.p1.low, allowed);
  return proof;
}

// A ball around everything between the two ends.
Ball enclosure(const Mass<Ball>& mass) {
  const int precision = mass.low.precision();
  if (mass.is_zero || !mass.low.is_finite() || !mass.high.is_finite()) return mass.high;
  const Rational low = mass.low.lower_rational();
  const Rational high = mass.high.upper_rational();
  return Ball::between(std::min(low, high), std::max(low, high), precision);
}

std::string value_text(const std::vector<Rational>& values, const Parameter& parameter) {
  std::vector<std::string> texts;
  for (const Rational& value : values) {
    const bool truth = parameter.type == Type::kBool;
    texts.push_back(!truth ? value.to_string() : value.sign() != 0 ? "true" : "false");
  }
  return parameter.length.empty() ? texts.front() : "[" + joined(texts, ", ") + "]";
}

Witness witness_of(const Program& program, const Candidate& candidate, const Suspicion& suspicion,
                   const Proof& proof) {
  const Ball p1 = enclosure(proof.p1);
  const Ball p2 = enclosure(proof.p2);
  Witness witness{{},
                  {},
                  {},
                  event_text(suspicion.event),
                  p1,
                  p2,
                  proof.epsilon,
                  proof.delta,
                  ln(p1 / p2),
                  proof.p2.is_zero};
  const std::set<std::string> names = private_names(program);
  for (const Parameter& parameter : program.parameters) {
    const std::string& name = parameter.name;
    const std::string first = value_text(candidate.first.at(name), parameter);
    const std::string second = value_text(candidate.second.at(name), parameter);
    if (!names.contains(name)) {
      witness.parameters.emplace_back(name, first);
      continue;
    }
    witness.input1.emplace_back(name, suspicion.swapped ? second : first);
    witness.input2.emplace_back(name, suspicion.swapped ? first : second);
  }
  return witness;
}

class Search {
 public:
  Search(const Program& program, const RefuteOptions& options)
      : program_(program), options_(options), deadline_(options.seconds) {}

  std::optional<Witness> run(std::string* why_not) {
    Candidates candidates(program_);
    while (!deadline_.has_passed() && examined_ + left_alone_ < options_.pairs) {
      const std::optional<Candidate> candidate = candidates.next(deadline_);
      if (!candidate) break;
      try {
        std::optional<Witness> witness = examine(*candidate);
        if (witness) return witness;
        ++examined_;
      } catch (const Error& error) {
        if (error.code() == ErrorCode::kInternal) throw;
        if (deadline_.has_passed()) break;
        ++left_alone_;
        if (reason_.empty()) reason_ = error.problem();
      }
    }
    if (why_not != nullptr) *why_not = summary();
    return std::nullopt;
  }

 private:
  std::optional<Witness> examine(const Candidate& candidate) {
    const Claim claim = claim_of(program_, candidate.first);
    const Runs runs = runs_of(program_, candidate, options_, deadline_);
    int attempts = 0;
    for (const Suspicion& suspicion : Scout(runs, claim, deadline_).suspicions()) {
      const auto& first = suspicion.swapped ? runs.second : runs.first;
      const auto& second = suspicion.swapped ? runs.first : runs.second;
      for (const int factor : {1, 4}) {
        if (++attempts > kMostAttempts) return std::nullopt;
        const Proof proof = proof_of(suspicion.event, first, second, claim,
                                     factor * options_.precision, {deadline_, factor * 128});
        if (proof.holds) return witness_of(program_, candidate, suspicion, proof);
      }
    }
    return std::nullopt;
  }

  std::string summary() const {
    std::string text = fmt::format("{} pairs of runs were compared{}", examined_,
                                   deadline_.has_passed() ? " before the time was up" : "");
    if (left_alone_ > 0) {
      text += fmt::format("; {} could not be computed, the first because {}", left_alone_, reason_);
    }
    return text;
  }

  static constexpr int kMostAttempts = 6;

  const Program& program_;
  const RefuteOptions& options_;
  Deadline deadline_;
  int examined_ = 0;
  int left_alone_ = 0;
  std::string reason_;
};

// The instance that the texts of a witness describe.
Instance instance_of(const Program& program, const NamedValues& parameters,
                     const NamedValues& inputs) {
  Instance instance;
  for (const NamedValues* values : {&parameters, &inputs}) {
    for (const auto& [name, text] : *values) instance[name] = parsed_list(text);
  }
  for (const Parameter& parameter : program.parameters) {
    const auto own = instance.find(parameter.name);
    if (own == instance.end()) throw not_supported("a parameter has no value");
    Rational size = 1;
    if (!parameter.length.empty()) {
      const auto length = instance.find(parameter.length);
      if (length == instance.end()) throw not_supported("a list has no length");
      size = length->second.empty() ? Rational(0) : length->second.front();
    }
    if (Rational(static_cast<std::int64_t>(own->second.size())) != size) {
      throw not_supported("a list does not have its length");
    }
    for (const Rational& value : own->second) {
      const bool fits = parameter.type == Type::kReal || value.is_integer();
      const bool truth = parameter.type != Type::kBool || value == 0 || value == 1;
      if (!fits || !truth) throw not_supported("a parameter has a value of another type");
    }
  }
  return instance;
}

// A check is not a search: it gets the time that a witness with a few hundred paths takes.
constexpr double kLeastCheckSeconds = 60;

std::string problem_with(const Program& program, const Witness& witness,
                         const RefuteOptions& options) {
  const Candidate candidate{instance_of(program, witness.parameters, witness.input1),
                            instance_of(program, witness.parameters, witness.input2)};
  if (!meets_requirements(program, candidate.first)) return "the parameters break a requirement";
  if (!are_adjacent(program, candidate.first, candidate.second) &&
      !are_adjacent(program, candidate.second, candidate.first)) {
    return "the inputs are not adjacent";
  }
  const Event event = parsed_event(witness.event);
  const Claim claim = claim_of(program, candidate.first);
  const Deadline deadline(std::max(options.seconds, kLeastCheckSeconds));
  const Runs runs = runs_of(program, candidate, options, deadline);
  const int precision = 2 * std::max(options.precision, witness.probability1.precision());
  const Proof proof = proof_of(event, runs.first, runs.second, claim, precision, {deadline, 512});
  if (!proof.holds) return "the event is not certainly too likely";
  if (!overlaps(enclosure(proof.p1), witness.probability1) ||
      !overlaps(enclosure(proof.p2), witness.probability2) ||
      !overlaps(proof.epsilon, witness.epsilon) || !overlaps(proof.delta, witness.delta)) {
    return "its numbers are not those of the instance";
  }
  if (witness.infinite_loss && !proof.p2.is_zero) return "the second probability is not 0";
  return "";
}

std::string ball_text(const Ball& ball) {
  if (!ball.is_exact()) return ball.to_string(8);
  return ball.lower_rational().to_string();
}

std::string values_text(const NamedValues& values) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : values) parts.push_back(fmt::format("{} = {}", name, value));
  return joined(parts, ", ");
}

}  // namespace

std::optional<Witness> refute(const Program& program, const RefuteOptions& options,
                              std::string* why_not) {
  return Search(program, options).run(why_not);
}

WitnessCheck check_witness(const Program& program, const Witness& witness,
                           const RefuteOptions& options) {
  try {
    const std::string problem = problem_with(program, witness, options);
    return {problem.empty(), problem};
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kInternal) throw;
    return {false, error.problem()};
  }
}

std::string explain(const Witness& witness) {
  const std::string loss =
      witness.infinite_loss ? "infinite: run 2 never does this" : ball_text(witness.loss);
  std::string text;
  if (!witness.parameters.empty()) {
    text = fmt::format("at      {}\n", values_text(witness.parameters));
  }
  const bool ends_early = witness.event.find("impossible") != std::string::npos;
  text += fmt::format(
      "run 1   {}\nrun 2   {}\nevent   {}\n{}P1      {}\nP2      {}\nloss    {}\nclaimed {}",
      values_text(witness.input1), values_text(witness.input2), witness.event,
      ends_early ? "        (it divides by 0, takes ln of a number <= 0 or the like, and ends)\n"
                 : "",
      ball_text(witness.probability1), ball_text(witness.probability2), loss,
      ball_text(witness.epsilon));
  const bool has_delta = !(witness.delta.is_exact() && witness.delta.contains(0));
  if (!has_delta) return text + "\n";
  // With a delta the loss of one event decides nothing; this difference does.
  const Ball excess = witness.probability1 - exp(witness.epsilon) * witness.probability2;
  return text + fmt::format(", with delta {}\nbut     P1 - e^claimed * P2 = {} > delta\n",
                            ball_text(witness.delta), ball_text(excess));
}

}  // namespace lastbit::verify
