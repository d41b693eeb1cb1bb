// Loss certificates: the exact loss of one output as a file that a stranger can check without
// searching, because it names the thresholds of u. docs/floating-point.md describes every field.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "lastbit/numerics/rational.h"
#include "lastbit/verify/floats/witness.h"

namespace lastbit::cli {

inline constexpr std::size_t kMaxLossCertificateBytes = 1 << 20;

struct LossCertificate {
  verify::LossWitness witness;
  Rational midpoint;  // what inputs and outputs were shifted by
  Rational first;     // the probabilities of the output, as claimed
  Rational second;
  // The loss lies in [low, high]; nothing when it is infinite.
  std::optional<std::pair<Rational, Rational>> loss;
  Rational ideal;
  std::optional<Rational> bound;  // what is claimed to be proved for every pair this far apart
};

// loss_certificate: of an output of the pair x1, x2, given in the mechanism's units.
LossCertificate loss_certificate(const verify::FloatMechanism& mechanism, const Rational& midpoint,
                                 const verify::PairLoss& pair);
std::string write_loss_certificate(const LossCertificate& certificate);

// is_loss_certificate: whether a text says that it is one; the rest may still be wrong.
bool is_loss_certificate(std::string_view text);

// checked_loss_certificate: reads and checks a certificate. The mechanism is run at the thresholds,
// the probabilities are added up again, the loss is enclosed again, and the bound must follow from
// the theorem. A certificate may claim less than is true; the answer says what was computed here.
// Fails     whatever is wrong is a kBadInput Error that names the field.
LossCertificate checked_loss_certificate(std::string_view text);

}  // namespace lastbit::cli
