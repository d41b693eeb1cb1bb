// What a ledger file holds, and how its parts are chained by hashes. See
// proofs/accounting.md#chain.
//
// Everything is text in one canonical form, so that a hash of the text is a hash of the meaning.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "lastbit/accounting/cost.h"

namespace lastbit::accounting_internal {

// The longest text that a ledger takes, in bytes.
inline constexpr std::size_t kMaxText = 2000;

// is_plain_text: well-formed UTF-8 without control characters, at most kMaxText bytes; safe to show
// on a terminal and to write into a CSV file as it is.
bool is_plain_text(std::string_view text);
// require_plain_text: a kBadParameter Error that names the parameter of `place` otherwise.
void require_plain_text(std::string_view place, std::string_view parameter, std::string_view text);

// utc_now: the system clock, as in 2026-11-15T17:38:48Z.
std::string utc_now();

// Header: the one row about the ledger itself.
struct Header {
  std::string cap;  // Cost::to_string of the budget's cap
  std::string description;
  std::string created;
  std::string nonce;  // random, so that no two ledgers share a chain

  // hash: where the chain starts.
  std::string hash() const;
};

// The two kinds of records: an entry that spends, and the note that its release ended.
inline constexpr std::string_view kSpendingKind = "spending";
inline constexpr std::string_view kCompletionKind = "completion";

struct Record {
  std::int64_t id = 0;  // 1, 2, 3, … without gaps
  std::string kind = {};
  std::int64_t entry = 0;  // which entry this is, or which one is completed
  std::string time = {};
  std::string plan = {};
  std::string data = {};
  std::string description = {};
  std::string mechanisms = {};
  std::string unit = {};      // empty in records from before units were recorded
  std::string cost = {};      // Cost::to_string; empty for a completion, like the five above
  std::string total = {};     // what has been spent up to here, in the kind of the budget
  std::string previous = {};  // the hash of the previous record, or of the header
  std::string hash = {};

  // computed_hash: the hash of all other fields. A unit is hashed only if there is one, so that
  // older records keep their hash.
  std::string computed_hash() const;

  friend bool operator==(const Record&, const Record&) = default;
};

}  // namespace lastbit::accounting_internal
