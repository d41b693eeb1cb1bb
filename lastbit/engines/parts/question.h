// PartQuestion: what is asked of the rows of one place, as bytes for another process.
//
// Guarantee      what is read is the question that was written: the bytes have a checksum, and the
//                aggregations must have the digests (partial_answer.h) that they had before.
// The bytes hold the secret key: they go to those who hold the rows, and nowhere else.
// Proof          proofs/engine.md#cluster
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lastbit/engines/kernel/bounded_kernel.h"
#include "lastbit/release/keyed_choice.h"
#include "lastbit/release/plan/aggregation.h"

namespace lastbit::engine {

struct PartQuestion {
  std::vector<Aggregation> aggregations;
  SecretKey key;
  RowOrder order = RowOrder::kByUnit;         // in which rows come; kAny where each row is a unit
  std::optional<std::uint64_t> memory_bytes;  // that one place may use; nothing: most of it
};

std::string encode_question(PartQuestion question);
// decode_question: what encode_question wrote.
// Fails  kBadText if the bytes are damaged, of another version, or no question at all; kMismatch if
//        this machine has other rules for a time zone, or none.
PartQuestion decode_question(std::string_view bytes);

}  // namespace lastbit::engine
