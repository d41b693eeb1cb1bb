// TableName: a table and its schema, exactly as the database knows them: Visits is not visits.
#pragma once

#include <string>
#include <string_view>

namespace lastbit::postgres {

struct TableName {
  std::string schema;
  std::string table;

  // parse: visits, clinic.visits or "a.b"."c"; names with a point or a quote are in double quotes,
  // in which a double quote is written twice. Without a schema it is public.
  // Fails  kBadText if it is none of these, or a name is empty, cannot be printed or is longer than
  //        the 63 bytes that PostgreSQL keeps.
  static TableName parse(std::string_view text);
  // text: what `parse` reads, the same for equal names, always with the schema.
  std::string text() const;

  friend bool operator==(const TableName&, const TableName&) = default;
};

// quoted_name: one name in double quotes, for statements.
std::string quoted_name(std::string_view name);

}  // namespace lastbit::postgres
