// ArgumentType: the types in which the engine passes fields to our functions. For this module only.
// Proof: proofs/reading.md#edge
#pragma once

#include "lastbit/engines/kernel/row_function.h"
#include "lastbit/release/fields/time_zone.h"

namespace lastbit::engine {

// Parameter of a function: the type in which the engine passes a field. 128-bit whole numbers,
// doubles, decimals, dates and times go no further than our functions.
enum class ArgumentKind {
  kInteger,
  kWideInteger,
  kNarrowed,  // a wide integer of which those that fit in 64 bits are read, and others are missing
  kReal,
  kDecimal,      // read as the nearest double
  kWideDecimal,  // read as it is
  kDate,
  kTimestamp,  // an instant
  kLocalTime,  // a time in the zone
  kTime,
  kBytes,
};
struct ArgumentType {
  ArgumentKind kind = ArgumentKind::kInteger;
  int width = 0;  // of decimals
  int scale = 0;  // of decimals; of kTimestamp and kLocalTime: digits after the second
  const TimeZone* zone = nullptr;
};

}  // namespace lastbit::engine
