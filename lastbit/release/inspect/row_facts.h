// RowQuestions and RowFacts: what a custodian asks an engine about the rows of a release, and the
// exact answers.
//
// Not promised   any privacy. The facts are about single rows, without noise; only inspect_release
//                (inspect.h) asks for them, and no answer of a release depends on them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lastbit/numerics/rational.h"
#include "lastbit/release/expressions/expression.h"
#include "lastbit/release/plan/aggregation.h"

namespace lastbit {

// FieldQuestion: about a column of the source, or a derived one, in all rows.
struct FieldQuestion {
  FieldUse field;
  bool names_units = false;               // it only says whose row it is
  std::vector<Rational> thresholds = {};  // of a column of numbers: at most two, increasing
};

// UnreadableField: something is written there that is not a value of the column's type.
struct UnreadableField {
  std::optional<std::uint64_t> line = std::nullopt;  // of a text file, where that is known
  std::uint64_t row = 0;                             // both are counted from 1
  std::string text = {};                             // of a text file
  std::string file = {};                             // its name, if there are several
};

struct FieldFacts {
  static constexpr std::size_t kMostUnreadable = 3;

  std::int64_t missing = 0;                 // nothing is written; a derived column has no value
  std::int64_t unreadable = 0;              // these count as missing too
  std::vector<UnreadableField> first = {};  // the first unreadable ones, at most kMostUnreadable
  std::vector<std::int64_t> between = {};   // rows below the first threshold, from there on, …
};

// KeyQuestion: about public keys of one or more columns: listed or a range, in all rows.
struct KeyQuestion {
  GroupColumns keys;  // not FoundKeys
};

struct KeyFacts {
  static constexpr std::size_t kMostFrequent = 3;
  struct Key {
    KeyTuple key;
    std::int64_t rows = 0;
  };

  std::int64_t unlisted = 0;       // rows whose fields have values that are not among the keys
  std::vector<Key> frequent = {};  // the most frequent of these values, at most kMostFrequent
};

// StatisticQuestion: about the rows that a statistic counts.
struct StatisticQuestion {
  // NumberQuestion: how many values lie below each threshold, in the rows that have keys.
  struct NumberQuestion {
    FieldUse field;
    std::vector<Rational> thresholds;  // increasing
    friend bool operator==(const NumberQuestion&, const NumberQuestion&) = default;
  };
  const Aggregation* aggregation = nullptr;  // not null; it outlives the question
  Tally measure = {};                        // instead of those of the aggregation
  std::vector<NumberQuestion> numbers = {};
  friend bool operator==(const StatisticQuestion&, const StatisticQuestion&) = default;
};

// UnitShape: so many times, a unit that has rows in `groups` groups has `rows` rows in one of them.
struct UnitShape {
  std::int64_t groups = 0;
  std::int64_t rows = 0;
  std::int64_t times = 0;
};

struct StatisticFacts {
  // How many rows are left: of those that meet the condition, those with a unit, of these those
  // with a group, and of these those in which there is something to count.
  std::int64_t with_condition = 0;
  std::int64_t with_unit = 0;
  std::int64_t with_keys = 0;
  std::int64_t with_values = 0;
  std::vector<UnitShape> shapes = {};                   // of the last; none where rows are units
  std::vector<std::vector<std::int64_t>> between = {};  // as in FieldFacts, for each number
};

struct RowQuestions {
  std::vector<DerivedColumn> derived;  // fields and keys can name them
  std::vector<FieldQuestion> fields;
  std::vector<KeyQuestion> keys;
  std::vector<StatisticQuestion> statistics;
  std::optional<FieldUse> unit;
};

struct RowFacts {
  std::int64_t rows = 0;
  std::int64_t units = 0;          // different ones; 0 where rows are units
  std::vector<FieldFacts> fields;  // these three as in the questions
  std::vector<KeyFacts> keys;
  std::vector<StatisticFacts> statistics;
};

}  // namespace lastbit
