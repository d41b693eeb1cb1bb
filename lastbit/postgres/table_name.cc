#include "lastbit/postgres/table_name.h"

#include <algorithm>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/base/text.h"

namespace lastbit::postgres {
namespace {

constexpr std::size_t kMostBytes = 63;

[[noreturn]] void refuse_table() {
  throw Error(ErrorCode::kBadText, "name of a table", "is not a table, or a schema and a table",
              "write \"visits\" or \"clinic.visits\", exactly as the database has it; names with a "
              "point or a quote in double quotes");
}

// take_name: the name at the beginning of `rest`, which is removed from it.
std::string take_name(std::string_view& rest) {
  std::string name;
  if (!rest.starts_with('"')) {
    const std::size_t end = std::min(rest.find_first_of(".\""), rest.size());
    name = rest.substr(0, end);
    rest.remove_prefix(end);
    return name;
  }
  rest.remove_prefix(1);
  while (true) {
    const std::size_t quote = rest.find('"');
    if (quote == std::string_view::npos) refuse_table();
    name += rest.substr(0, quote);
    rest.remove_prefix(quote + 1);
    if (!rest.starts_with('"')) return name;
    name += '"';
    rest.remove_prefix(1);
  }
}

void require_name(std::string_view name) {
  if (name.empty() || name.size() > kMostBytes) refuse_table();
  for (std::string_view rest = name; !rest.empty();) {
    const TextCharacter character = first_character(rest);
    if (!character.printable) refuse_table();
    rest.remove_prefix(character.bytes);
  }
}

std::string written_name(const std::string& name) {
  return name.find_first_of(".\"") == std::string::npos ? name : quoted_name(name);
}

}  // namespace

TableName TableName::parse(std::string_view text) {
  std::vector<std::string> names = {take_name(text)};
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    names.push_back(take_name(text));
  }
  if (!text.empty()) refuse_table();
  for (const std::string& name : names) require_name(name);
  if (names.size() == 1) return {"public", names.front()};
  return {names.front(), names.back()};
}

std::string TableName::text() const { return written_name(schema) + "." + written_name(table); }

std::string quoted_name(std::string_view name) {
  std::string quoted = "\"";
  for (const char c : name) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

}  // namespace lastbit::postgres
