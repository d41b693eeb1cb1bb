// What `lastbit loss` finds out: the mechanism in question, the bounds that hold for it and the
// worst output of a pair of inputs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lastbit/numerics/ball.h"
#include "lastbit/numerics/rational.h"
#include "lastbit/verify/floats/float_mechanism.h"
#include "lastbit/verify/floats/known_bounds.h"
#include "lastbit/verify/floats/loss/pair_loss.h"

namespace lastbit::cli {

// LossQuestion: what the command line asks; the numbers are parsed but not checked.
struct LossQuestion {
  Rational epsilon;
  Rational sensitivity = 1;
  Rational lower;  // −B for --bound B
  Rational upper;
  int precision = 53;
  std::string model = "unit-float";
  bool model_given = false;
  std::optional<Grid> grid;         // of fine-grid
  std::optional<int> uniform_bits;  // of fewer-bits
  bool shipped = false;             // λ as lastbit snap chooses it
  bool anyway = false;              // even outside the domain of the theorem
  std::optional<std::pair<Rational, Rational>> pair;
  std::uint64_t candidates = 0;
  std::uint64_t seed = 1;
};

// model_names: what LossQuestion::model may be.
const std::vector<std::string>& model_names();
// model_sentence: what is special about a model, in a few words.
std::string_view model_sentence(const std::string& model);

// LossStudy: the answer. Inputs and outputs of `worst` are shifted by −midpoint, as the mechanism
// sees them.
struct LossStudy {
  LossQuestion question;
  Rational midpoint;
  verify::FloatMechanism mechanism;
  Rational distance;  // between the inputs, after clamping; the largest in a search
  verify::FloatBound proved;
  verify::FloatBound whole = {};  // for inputs that are whole numbers; often there is none
  verify::FloatBound simple;
  verify::FloatBound mironov;
  verify::PairLoss worst;
  std::uint64_t pairs = 0;
  double seconds = 0;

  Rational ideal() const { return distance / mechanism.scale(); }
  Rational eta() const { return Rational::two_to(-question.precision); }
  // precision: bits that show an excess of η with many digits.
  int ball_precision() const { return 3 * question.precision + 256; }
  // loss: of the worst output; nothing when it is infinite.
  std::optional<Ball> loss() const;
  // exceeds: whether the loss is certainly above the number.
  bool exceeds(const Rational& number) const;
  // searched_reach: how far from an input, in λ, a search looked at outputs; nothing if all were in
  // reach. Beyond it, thresholds are numbers with a million digits.
  std::optional<std::int64_t> searched_reach() const;
  bool breaks_proved_bound() const { return proved.value && exceeds(*proved.value); }
};

// study_mechanism: the mechanism of a question.
// Fails     as `lastbit loss` documents: a kBadParameter Error for impossible numbers, and for
//           parameters outside the domain of the theorem unless a model or --anyway asks for them.
verify::FloatMechanism study_mechanism(const LossQuestion& question);

// study: the answer to a question. Fails as study_mechanism, and with kNotSupported where there
// are too many outputs to look at.
LossStudy study(const LossQuestion& question);

}  // namespace lastbit::cli
