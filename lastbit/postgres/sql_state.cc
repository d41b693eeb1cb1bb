#include "lastbit/postgres/sql_state.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "lastbit/base/text.h"

namespace lastbit::postgres_internal {
namespace {

struct State {
  std::string_view prefix;  // the code, or the class that it begins with
  std::string_view problem;
  std::string_view remedy;
};

constexpr const char* kLookAtLog = "look into the server's log";

// The first prefix that fits counts, so codes stand before their class.
constexpr std::array<State, 19> kStates = {{
    {"08", "the connection failed", "look at the network and the server, and run this again"},
    {"0A", "the server does not support what was asked", "use PostgreSQL 12 or newer"},
    {"22", "a value does not fit its type", kLookAtLog},
    {"23", "a constraint was violated", kLookAtLog},
    {"25006", "the database accepts no writing", "connect to the primary server"},
    {"28", "the server does not accept this user",
     "look at the user, the password and pg_hba.conf"},
    {"3D", "there is no such database", "look at the name of the database"},
    {"40", "another transaction was in the way", "run this again"},
    {"42501", "this user has not the right to do that",
     "ask the owner of the table for the rights that docs/postgresql.md lists"},
    {"42P01", "there is no such table", "look at the name of the table and its schema"},
    {"42703", "there is no such column", "look at the names of the columns"},
    {"42", "the statement does not fit the database", "look at names and types in the database"},
    {"53", "the server has not enough memory, disk or connections left", kLookAtLog},
    {"55P03", "somebody else holds a lock for too long", "run this again later"},
    {"57014", "the statement was cancelled, or took longer than its time limit",
     "run this again, or allow more time"},
    {"57", "the server was stopped or ended the connection", "run this again when it is up"},
    {"58", "the server's system failed", kLookAtLog},
    {"XX", "the database is damaged, or the server has a bug", kLookAtLog},
    {"", "a statement failed", kLookAtLog},
}};

}  // namespace

StateWords state_words(std::string_view sqlstate) {
  const bool is_code = sqlstate.size() == 5 &&
                       std::all_of(sqlstate.begin(), sqlstate.end(),
                                   [](char c) { return is_digit(c) || (c >= 'A' && c <= 'Z'); });
  const std::string_view code = is_code ? sqlstate : "";
  const auto state = std::find_if(kStates.begin(), kStates.end(), [&](const State& candidate) {
    return code.starts_with(candidate.prefix);
  });
  return {fmt::format("the server refused: {} (SQLSTATE {})", state->problem,
                      is_code ? code : "unknown"),
          std::string(state->remedy)};
}

}  // namespace lastbit::postgres_internal
