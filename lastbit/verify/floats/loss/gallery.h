// The gallery: mechanisms in floating point with a claim that their exact loss refutes, and harmless
// variants, which must not be refuted.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lastbit/numerics/ball.h"
#include "lastbit/numerics/rational.h"
#include "lastbit/verify/floats/loss/pair_loss.h"

namespace lastbit::verify {

// FloatGalleryEntry: a mechanism, what is claimed about it, and where to look.
struct FloatGalleryEntry {
  std::string name;
  std::string what;  // what it does, or does wrong
  FloatModel model;
  Rational sensitivity = 1;  // Δ
  Rational claim;            // inputs at most Δ apart lose at most this
  std::string claim_text;    // the same as a formula
  bool refuted = true;       // the expected verdict
  // Pairs whose losses are computed; with none of them, a search by float inputs.
  std::vector<std::pair<Rational, Rational>> pairs;
};

struct FloatGalleryRow {
  FloatGalleryEntry entry;
  PairLoss worst;  // of the pairs examined
  std::uint64_t pairs = 0;
  bool refuted = false;  // certain: the loss is infinite, or its ball lies above the claim
  // (loss − Δ/λ)/η, with η = 2^−p; nothing for an infinite loss.
  std::optional<Ball> excess_in_eta;

  bool as_expected() const { return refuted == entry.refuted; }
};

// gallery: the entries, in the order in which they are shown.
std::vector<FloatGalleryEntry> gallery();
// judged: the verdict on one entry.
// Ensures   refuted only if the loss certainly exceeds the claim. Not refuted proves nothing.
FloatGalleryRow judged(const FloatGalleryEntry& entry);
// judged_gallery: all of them; takes some seconds.
std::vector<FloatGalleryRow> judged_gallery();

}  // namespace lastbit::verify
