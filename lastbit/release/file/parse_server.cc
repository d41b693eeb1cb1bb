// The part [source] of a release file, where it is a table on a PostgreSQL server.
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "lastbit/base/error.h"
#include "lastbit/base/text.h"
#include "lastbit/postgres/address.h"
#include "lastbit/postgres/table_name.h"
#include "lastbit/release/file/parse_sections.h"

namespace lastbit::release_internal {
namespace {

// parse_server_table: adds the table, and a problem if there is none.
void parse_server_table(const std::optional<Located<std::string>>& table, FilePosition position,
                        Source& source, Problems& problems) {
  if (!table) {
    problems.add(position, "a source on a server needs a table",
                 "write table = \"clinic.visits\", its schema and name, or only its name; in a URL "
                 "?table=clinic.visits");
    return;
  }
  try {
    source.table = {postgres::TableName::parse(table->value).text(), table->position};
  } catch (const Error& error) {
    problems.add(table->position, "`table` " + error.problem(), error.remedy());
  }
}

void parse_server_url(const Located<std::string>& url, std::string_view key,
                      std::optional<Located<std::string>> table, Source& source,
                      Problems& problems) {
  constexpr std::array<std::string_view, 1> kOwn = {"table"};
  try {
    const auto parsed = postgres::ParsedAddress::parse(url.value, kOwn);
    source.path = {parsed.address.text(), url.position};
    const auto own = parsed.own.find("table");
    if (own != parsed.own.end() && table) {
      problems.add(table->position, "the table is named twice", "name it once");
    } else if (own != parsed.own.end()) {
      table = {own->second, url.position};
    }
    parse_server_table(table, url.position, source, problems);
  } catch (const Error& error) {
    problems.add(url.position, in_code(key) + " " + error.problem(), error.remedy());
  }
}

bool has_key(const TomlTable& table, std::string_view key) {
  return std::ranges::find(table.entries, key, &TomlEntry::key) != table.entries.end();
}

// names_address_as_file: whether an address is where paths belong. Messages about paths repeat
// them, and it may hold a password.
bool names_address_as_file(const TomlEntry& entry) {
  const TomlValue* value = &entry.value;
  if (const auto* table = std::get_if<TomlTable>(&value->content)) {
    const auto path = std::ranges::find(table->entries, "path", &TomlEntry::key);
    if (path == table->entries.end()) return false;
    value = &path->value;
    if (const auto* text = std::get_if<std::string>(&value->content)) {
      return postgres::is_address(*text);
    }
  }
  const auto* array = std::get_if<TomlArray>(&value->content);
  return array != nullptr && std::ranges::any_of(*array, [](const TomlValue& element) {
           const auto* text = std::get_if<std::string>(&element.content);
           return text != nullptr && postgres::is_address(*text);
         });
}

// is_server: whether a source has one of the keys that only a table on a server has.
bool is_server(const TomlTable& table) {
  return has_key(table, "url") || has_key(table, "service");
}

void parse_server(TableReader& reader, Source& source) {
  Problems& problems = reader.problems();
  source.format.value = SourceFormat::kPostgres;
  const auto url = reader.text("url");
  const auto service = reader.text("service");
  const auto table = reader.text("table");
  if (const auto name = reader.text("name")) source.name = name->value;
  if (const TomlEntry* password = reader.find("password")) {
    problems.add(password->position, "`source` holds a password",
                 "keep it in the file that PGPASSFILE names (by default ~/.pgpass), or in a "
                 "service file");
  }
  if (url && service) {
    problems.add(service->position, "`url` and `service` are two addresses", "remove one of them");
  } else if (url) {
    parse_server_url(*url, "url", table, source, problems);
  } else if (service) {
    try {
      source.path = {postgres::Address::service(service->value).text(), service->position};
    } catch (const Error& error) {
      problems.add(service->position, "`service` " + error.problem(), error.remedy());
    }
    parse_server_table(table, service->position, source, problems);
  }
  source.format.position = source.path.position;
  reader.rename("a source on a server");
  reader.finish({"path", "format", "delimiter", "null_text", "quote", "escape", "names", "encoding",
                 "decimal", "thousands", "date_format", "true_text", "false_text"});
}

}  // namespace

bool parse_server_source(const TomlEntry& entry, const std::string& name, Source& source,
                         Problems& problems) {
  if (names_address_as_file(entry)) {
    problems.add(entry.value.position, name + " names a table on a server among files",
                 "write source = \"postgresql://host/database?table=clinic.visits\", or "
                 "source = { url = …, table = … }");
    return true;
  }
  const auto* text = std::get_if<std::string>(&entry.value.content);
  if (text != nullptr && postgres::is_address(*text)) {
    source.format = {SourceFormat::kPostgres, entry.value.position};
    parse_server_url({*text, entry.value.position}, entry.key, std::nullopt, source, problems);
    return true;
  }
  const auto* table = std::get_if<TomlTable>(&entry.value.content);
  if (table == nullptr || !is_server(*table)) return false;
  TableReader reader(*table, entry.position, name, problems);
  parse_server(reader, source);
  return true;
}

}  // namespace lastbit::release_internal
