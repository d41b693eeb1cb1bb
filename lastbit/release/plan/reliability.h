// How good an answer is, from what is published about it: its interval compared with its size.
//
// All functions    look at released numbers only, so that they cost nothing.
//                  Proof: proofs/release.md#reliability
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "lastbit/numerics/rational.h"
#include "lastbit/release/plan/answer.h"

namespace lastbit {

// farther_end: how far the farther end of its interval is from the answer, which is what ± shows;
// nothing if the answer or the interval is missing.
std::optional<Rational> farther_end(const AnswerLine& line);

// exceeds_share: whether that distance is above `share` times the size of the answer, or the
// interval is vague. Around an answer of 0, any distance but 0 is. False without an interval.
bool exceeds_share(const AnswerLine& line, const Rational& share);

// Reliability: kReliable up to a third of the answer's size, kCaution up to two thirds, kUnreliable
// above, and where the interval is vague.
enum class Reliability : std::uint8_t { kReliable, kCaution, kUnreliable };
// reliability_of: nothing without an interval, and for a suppressed answer.
std::optional<Reliability> reliability_of(const AnswerLine& line);
// name_of: "reliable", "caution" or "unreliable".
std::string_view name_of(Reliability reliability);

}  // namespace lastbit
