#include "lastbit/release/plan/reliability.h"

#include <algorithm>
#include <cstddef>

namespace lastbit {

std::optional<Rational> farther_end(const AnswerLine& line) {
  if (!line.value || !line.interval) return std::nullopt;
  return std::max(*line.value - line.interval->lower, line.interval->upper - *line.value);
}

bool exceeds_share(const AnswerLine& line, const Rational& share) {
  const auto distance = farther_end(line);
  if (!distance || !line.value) return false;
  // A cut answer of 0 with nothing left of its interval has no size, and is not exact.
  if (line.cut && line.value->sign() == 0) return true;
  return line.vague || *distance > share * abs(*line.value);
}

std::optional<Reliability> reliability_of(const AnswerLine& line) {
  if (!farther_end(line)) return std::nullopt;
  if (exceeds_share(line, Rational(2, 3))) return Reliability::kUnreliable;
  if (exceeds_share(line, Rational(1, 3))) return Reliability::kCaution;
  return Reliability::kReliable;
}

std::string_view name_of(Reliability reliability) {
  constexpr std::string_view kNames[] = {"reliable", "caution", "unreliable"};
  return kNames[static_cast<std::size_t>(reliability)];
}

}  // namespace lastbit
