// Loss certificates: the exact loss of one output as a file that anyone can check without
// searching, because it names the thresholds of u. docs/floating-point.md describes every field.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "lastbit/numerics/rational.h"
#include "lastbit/verify/floats/loss/witness.h"

namespace lastbit::verify {

struct LossCertificate {
  static constexpr std::size_t kMaxBytes = 1 << 20;

  LossWitness witness;
  Rational midpoint;  // what inputs and outputs were shifted by
  Rational first;     // the probabilities of the output, as claimed
  Rational second;
  // The loss lies in [low, high]; nothing when it is infinite.
  std::optional<std::pair<Rational, Rational>> loss;
  Rational ideal;
  std::optional<Rational> bound;  // the claimed proved bound for every pair this far apart
};

// certify_loss: certifies an output of the pair x1, x2, given in the mechanism's units.
LossCertificate certify_loss(const FloatMechanism& mechanism, const Rational& midpoint,
                             const PairLoss& pair);
std::string write_loss_certificate(const LossCertificate& certificate);

// is_loss_certificate: whether a text claims to be one; the rest may still be wrong.
bool is_loss_certificate(std::string_view text);

// check_loss_certificate: reads and checks a certificate. The mechanism is run at the thresholds, the
// probabilities are added up again, the loss is enclosed again, and the bound must follow from the
// theorem. A certificate may claim less than is true; the answer says what was computed here.
// Fails     a certificate that is wrong, too large, too deep, of another version or not written as
//           write_loss_certificate writes it is a kBadInput Error that names the field.
// Proof     proofs/loss.md#witness, proofs/snapping.md#sharp
LossCertificate check_loss_certificate(std::string_view text);

}  // namespace lastbit::verify
