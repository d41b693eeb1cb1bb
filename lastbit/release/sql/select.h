// SelectStatement: a question in SQL, as a value: which aggregates, of which rows, by which groups.
//
// It is a small part of SQL: SELECT … FROM … WHERE … GROUP BY … ORDER BY … LIMIT …, of one table,
// with aggregates that can be answered with noise. The rest is refused with the reason and with
// what can be asked instead. docs/query.md describes it to users.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "lastbit/release/file/columns.h"

namespace lastbit {

// SelectValue: a column, or an expression of the columns of one row.
struct SelectValue {
  Located<std::string> text;          // as written
  std::string line;                   // the same with one space between words
  std::optional<std::string> column;  // its name, if it is nothing but a column
};

// AggregateArgument: clamp(value, lower, upper), or the value alone.
struct AggregateArgument {
  SelectValue value;
  std::optional<Located<std::string>> lower;
  std::optional<Located<std::string>> upper;
};

struct AggregateCall {
  std::string function;                       // in lower case: avg
  std::string kind;                           // of the statistic that answers it: mean
  std::vector<AggregateArgument> arguments;   // none for count(*), two for a covariance
  std::optional<Located<std::string>> level;  // of a quantile
  // Of which rows, if not of all that WHERE leaves: the condition after FILTER.
  std::optional<Located<std::string>> filter;
};

struct SelectItem {
  Located<std::string> name;                      // after AS, otherwise the text in one line
  std::variant<std::size_t, AggregateCall> what;  // the index of a group, or an aggregate
};

struct SelectGroup {
  SelectValue value;
  Located<std::string> name;  // what the answer calls it
};

struct SortKey {
  std::size_t item = 0;
  bool descending = false;
};

struct SelectStatement {
  std::vector<SelectItem> items;  // at least one is an aggregate; their names differ
  std::optional<Located<std::string>> where;
  std::vector<SelectGroup> groups;
  std::vector<SortKey> order;
  std::optional<std::uint64_t> limit;
};

// FromName: a name of the data that FROM may use; with a schema, both are written, as in
// clinic.visits.
struct FromName {
  std::string table;
  std::string schema = {};
};

// parse_select: what the statement says. `tables` are the names that FROM may use; `data` is one.
// Ensures   every expression in it is one that check_syntax accepts. Positions are those of
//           statements (FilePosition::kStatement), in characters counted from 1.
// Fails     kBadInput at query:1:CHARACTER, whatever the bytes are, for everything that is not such
//           a statement.
SelectStatement parse_select(std::string_view text, const std::vector<FromName>& tables);

}  // namespace lastbit
