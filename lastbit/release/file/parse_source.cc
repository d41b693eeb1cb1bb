// The part [source] of a release file, and public files, which are named in the same way.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "lastbit/base/text.h"
#include "lastbit/release/fields/field_text.h"
#include "lastbit/release/file/choice_of.h"
#include "lastbit/release/file/parse_sections.h"

namespace lastbit::release_internal {
namespace {

using NamedFormat = std::pair<std::string_view, SourceFormat>;
constexpr std::array<NamedFormat, 7> kExtensions{{{".csv", SourceFormat::kCsv},
                                                  {".tsv", SourceFormat::kTsv},
                                                  {".parquet", SourceFormat::kParquet},
                                                  {".json", SourceFormat::kJson},
                                                  {".jsonl", SourceFormat::kJson},
                                                  {".ndjson", SourceFormat::kJson},
                                                  {".duckdb", SourceFormat::kDuckDb}}};
constexpr std::array kFormats = {SourceFormat::kCsv,  SourceFormat::kTsv,    SourceFormat::kParquet,
                                 SourceFormat::kJson, SourceFormat::kDuckDb, SourceFormat::kArrow};

bool is_separated(SourceFormat format) {
  return format == SourceFormat::kCsv || format == SourceFormat::kTsv;
}

// require_files: files on this machine, or one pattern for names in one folder.
void require_files(const Source& source, Problems& problems) {
  for (const auto& path : source.more_paths) require_one_file(path, "path", problems);
  const Located<std::string>& path = source.path;
  const bool one = source.more_paths.empty() && is_pattern(path.value);
  if (!one) return require_one_file(path, "path", problems);
  const std::filesystem::path folder = std::filesystem::path(path.value).parent_path();
  if (path.value.find("://") != std::string::npos) {
    require_one_file(path, "path", problems);
  } else if (is_pattern(folder.string()) || path.value.find('[') != std::string::npos) {
    problems.add(path.position, "`path` is a pattern that names folders, or has a [",
                 "use only * and ?, and only in the last part: \"data/visits-*.csv\"");
  }
}

// Files of a format that an engine decodes are read one at a time.
void require_one_typed_file(const Source& source, Problems& problems) {
  if (!declares_types(source.format.value)) return;
  if (source.more_paths.empty() && !is_pattern(source.path.value)) return;
  problems.add(source.path.position,
               fmt::format("a source of format {} is one file", name_of(source.format.value)),
               "write the rows into one file first; only CSV, TSV and JSON can be in several");
}

void parse_path(TableReader& reader, Source& source) {
  const TomlEntry* entry = reader.require("path", "write path = \"survey.csv\"");
  if (entry == nullptr) return;
  if (!std::holds_alternative<TomlArray>(entry->value.content)) {
    if (const auto path = reader.text("path")) source.path = *path;
    return;
  }
  auto paths = read_texts(entry->value, "`path`", reader.problems());
  if (!paths || paths->empty()) return;
  source.path = paths->front();
  source.more_paths.assign(paths->begin() + 1, paths->end());
}

std::optional<SourceFormat> format_by_name(std::string_view path) {
  const std::string_view name = uncompressed_name(path);
  for (const auto& [extension, format] : kExtensions) {
    if (!name.ends_with(extension)) continue;
    // These compress their own parts, and are read from all sides.
    if (name != path && declares_types(format)) return std::nullopt;
    return format;
  }
  return std::nullopt;
}

bool is_workbook(const std::string& path) {
  constexpr std::array<std::string_view, 4> kEnds = {".xlsx", ".xls", ".xlsm", ".ods"};
  return std::ranges::any_of(kEnds, [&](std::string_view end) { return path.ends_with(end); });
}

void parse_format(TableReader& reader, Source& source) {
  if (const TomlEntry* entry = reader.find("format")) {
    if (const auto format = choice_of(*entry, kFormats, reader.problems())) source.format = *format;
    return;
  }
  if (source.path.value.empty()) return;
  if (is_workbook(source.path.value)) {
    reader.problems().add(source.path.position, "`path` is a workbook of a spreadsheet program",
                          "save the sheet as CSV (UTF-8), and name that file");
    return;
  }
  const auto format = format_by_name(source.path.value);
  if (!format) {
    reader.problems().add(source.path.position, "the end of `path` does not tell the format",
                          "add `format`: csv, tsv, parquet, json or duckdb");
    return;
  }
  source.format = {*format, source.path.position};
  for (const auto& path : source.more_paths) {
    if (format_by_name(path.value) == format) continue;
    reader.problems().add(path.position,
                          fmt::format("{} is not a file of the same format as {}",
                                      quote(path.value), quote(source.path.value)),
                          "name files of one format, or add `format`");
  }
}

void parse_delimiter(TableReader& reader, Source& source) {
  const TomlEntry* entry = reader.find("delimiter");
  if (entry == nullptr) return;
  const auto* text = std::get_if<std::string>(&entry->value.content);
  constexpr std::string_view kPossible = ",;:|\t ~^!#$%&/@";
  if (text == nullptr || text->size() != 1 || kPossible.find(text->front()) == std::string::npos) {
    reader.problems().add(entry->value.position, "`delimiter` is not one character between fields",
                          "write \",\" or \";\" or \"|\" or \"\\t\"");
    return;
  }
  source.delimiter = text->front();
}

// different_texts: a text, or a list of different short texts; nothing, and a problem, otherwise.
std::optional<std::vector<std::string>> different_texts(const TomlEntry& entry,
                                                        std::string_view example,
                                                        Problems& problems) {
  TomlArray values;
  if (const auto* array = std::get_if<TomlArray>(&entry.value.content)) values = *array;
  if (std::holds_alternative<std::string>(entry.value.content)) values.push_back(entry.value);
  std::vector<std::string> texts;
  for (const TomlValue& element : values) {
    const auto* text = std::get_if<std::string>(&element.content);
    const bool repeated = text != nullptr && std::ranges::find(texts, *text) != texts.end();
    if (text == nullptr || repeated || text->size() > ReleaseFile::kMaxNameBytes ||
        texts.size() == 100) {
      problems.add(element.position,
                   fmt::format("{} is not a list of different short texts", in_code(entry.key)),
                   fmt::format("write {} = {}", entry.key, example));
      return std::nullopt;
    }
    texts.push_back(*text);
  }
  if (!texts.empty()) return texts;
  wrong_kind(entry.value, in_code(entry.key), "a text, or a list of texts", problems);
  return std::nullopt;
}

void parse_null_text(TableReader& reader, Source& source) {
  const TomlEntry* entry = reader.find("null_text");
  if (entry == nullptr) return;
  auto texts = different_texts(*entry, "[\"\", \"NA\"]", reader.problems());
  if (texts) source.nulls = *std::move(texts);
}

void parse_quote(TableReader& reader, Source& source) {
  const TomlEntry* entry = reader.find("quote");
  if (entry == nullptr) return;
  const auto* text = std::get_if<std::string>(&entry->value.content);
  constexpr std::string_view kPossible = "\"'`|~^!#$%&@";
  const bool possible =
      text != nullptr &&
      (text->empty() || (text->size() == 1 && kPossible.find(*text) != std::string::npos));
  if (!possible || (!text->empty() && text->front() == source.delimiter)) {
    reader.problems().add(entry->value.position, "`quote` is not a character around fields",
                          "write \"'\", or \"\" if no field is quoted; it is not the delimiter");
    return;
  }
  source.quote = text->empty() ? '\0' : text->front();
}

void parse_escape(TableReader& reader, Source& source) {
  const TomlEntry* entry = reader.find("escape");
  if (entry == nullptr) return;
  const auto* text = std::get_if<std::string>(&entry->value.content);
  constexpr std::string_view kPossible = "\\^~`!|/@#$%&";
  if (text == nullptr || text->size() != 1 || kPossible.find(*text) == std::string::npos ||
      text->front() == source.delimiter || text->front() == source.quote) {
    reader.problems().add(entry->value.position, "`escape` is not a character before others",
                          "write \"\\\\\"; it is neither the delimiter nor the quote");
    return;
  }
  source.escape = text->front();
}

void parse_names(TableReader& reader, Source& source) {
  const TomlEntry* entry = reader.find("names");
  if (entry == nullptr) return;
  const auto names = read_texts(entry->value, "`names`", reader.problems());
  if (!names) return;
  if (names->empty() || names->size() > ReleaseFile::kMaxColumns) {
    reader.problems().add(entry->value.position, fmt::format("`names` has {} names", names->size()),
                          fmt::format("name each column, at most {}", ReleaseFile::kMaxColumns));
    return;
  }
  for (const auto& name : *names) source.names.push_back(name.value);
}

void parse_encoding(TableReader& reader, Source& source) {
  const TomlEntry* entry = reader.find("encoding");
  if (entry == nullptr) return;
  const auto encoding = choice_of(*entry, kTextEncodings, reader.problems());
  if (encoding) source.encoding = encoding->value;
}

void parse_number_form(TableReader& reader, FieldNotation& notation) {
  const TomlEntry* decimal = reader.find("decimal");
  const TomlEntry* thousands = reader.find("thousands");
  if (decimal != nullptr) {
    const auto* text = std::get_if<std::string>(&decimal->value.content);
    if (text == nullptr || (*text != "." && *text != ",")) {
      reader.problems().add(decimal->value.position, "`decimal` is neither a point nor a comma",
                            "write decimal = \",\"");
      return;
    }
    notation.decimal = text->front();
  }
  if (thousands == nullptr) return;
  // The last three: a no-break space, a narrow one, and the apostrophe of typographers.
  constexpr std::array<std::string_view, 8> kPossible = {
      ".", ",", " ", "'", "_", "\xc2\xa0", "\xe2\x80\xaf", "\xe2\x80\x99"};
  const auto* text = std::get_if<std::string>(&thousands->value.content);
  const bool possible = text != nullptr && std::ranges::find(kPossible, *text) != kPossible.end() &&
                        *text != std::string_view(&notation.decimal, 1);
  if (!possible) {
    reader.problems().add(thousands->value.position,
                          "`thousands` is not a character between groups of three digits",
                          "write \".\", \",\", \" \", \"'\" or \"\\u00a0\" (a no-break space); not "
                          "that of `decimal`");
    return;
  }
  notation.thousands = *text;
}

void parse_date_format(TableReader& reader, FieldNotation& notation) {
  const auto format = reader.text("date_format");
  if (!format) return;
  if (!is_date_format(format->value)) {
    reader.problems().add(
        format->position, "`date_format` does not say how dates are written",
        "use %Y (four digits), %m and %d (two digits) or %-m and %-d (one or two), each once: "
        "date_format = \"%d.%m.%Y\"");
    return;
  }
  if (format->value != "%Y-%m-%d") notation.date_format = format->value;
}

// means: whether a field with this text would be this boolean.
bool means(const FieldNotation& notation, const std::string& text, bool truth) {
  return read_boolean(text, notation) == std::optional(truth);
}

void parse_boolean_texts(TableReader& reader, Source& source) {
  FieldNotation& notation = source.notation;
  const TomlEntry* yes = reader.find("true_text");
  const TomlEntry* no = reader.find("false_text");
  Problems& problems = reader.problems();
  const std::size_t before = problems.count();
  if (yes != nullptr) {
    if (auto texts = different_texts(*yes, "\"yes\"", problems)) {
      notation.true_texts = *std::move(texts);
    }
  }
  if (no != nullptr) {
    if (auto texts = different_texts(*no, "\"no\"", problems)) {
      notation.false_texts = *std::move(texts);
    }
  }
  const auto check = [&](const TomlEntry* entry, const std::vector<std::string>& texts,
                         bool truth) {
    for (const std::string& text : texts) {
      FieldNotation other = notation;
      (truth ? other.true_texts : other.false_texts).clear();
      const bool null = std::ranges::find(source.nulls, text) != source.nulls.end();
      const bool spaced = text.starts_with(' ') || text.ends_with(' ') || text.starts_with('\t') ||
                          text.ends_with('\t');
      if (!null && !spaced && !means(other, text, !truth)) continue;
      problems.add(entry->value.position,
                   fmt::format("{} has {}, which {}", in_code(entry->key), quote(text),
                               spaced ? "no field can be, since spaces around it are ignored"
                               : null ? "`null_text` says is missing"
                                      : "means the other truth value as well"),
                   "let each text mean one thing");
      return;
    }
  };
  if (yes != nullptr) check(yes, notation.true_texts, true);
  // A text that both have is named once.
  if (no != nullptr && problems.count() == before) check(no, notation.false_texts, false);
}

void parse_separated(TableReader& reader, Source& source) {
  if (source.format.value == SourceFormat::kTsv) source.delimiter = '\t';
  if (source.format.value == SourceFormat::kCsv) parse_delimiter(reader, source);
  parse_null_text(reader, source);
  parse_quote(reader, source);
  parse_escape(reader, source);
  parse_names(reader, source);
  parse_encoding(reader, source);
  parse_number_form(reader, source.notation);
  parse_date_format(reader, source.notation);
  parse_boolean_texts(reader, source);
}

// in_memory: whether a source says that a program hands its rows over.
bool in_memory(TableReader& reader) {
  const TomlEntry* format = reader.find("format");
  if (format == nullptr) return false;
  const auto* text = std::get_if<std::string>(&format->value.content);
  return text != nullptr && *text == name_of(SourceFormat::kArrow);
}

void parse_source_table(TableReader& reader, Source& source) {
  const bool memory = in_memory(reader);
  if (!memory) parse_path(reader, source);
  parse_format(reader, source);
  if (memory) reader.require("name", "write name = \"survey\", which the ledger will know it by");
  if (const auto name = reader.text("name")) source.name = name->value;
  const SourceFormat format = source.format.value;
  if (format == SourceFormat::kDuckDb) {
    reader.require("table", "write table = \"survey\", the table in the file");
    source.table = reader.text("table");
  }
  if (is_separated(format)) parse_separated(reader, source);
  reader.rename(fmt::format("a source of format {}", name_of(format)));
  reader.finish({"path", "table", "delimiter", "null_text", "quote", "escape", "names", "encoding",
                 "decimal", "thousands", "date_format", "true_text", "false_text"});
}

// parse_any_source: the short form is a table with nothing but the path.
void parse_any_source(const TomlEntry& entry, const std::string& name, std::string_view example,
                      Source& source, Problems& problems) {
  if (parse_server_source(entry, name, source, problems)) return;
  const bool is_short = std::holds_alternative<std::string>(entry.value.content) ||
                        std::holds_alternative<TomlArray>(entry.value.content);
  if (is_short) {
    const TomlTable table{{{"path", entry.position, entry.value}}};
    TableReader reader(table, entry.position, name, problems);
    parse_source_table(reader, source);
  } else if (const TomlTable* table = table_in(entry, example, problems)) {
    TableReader reader(*table, entry.position, name, problems);
    parse_source_table(reader, source);
  }
}

// instead_of_url: how a database is written in this place, if it can be.
std::string_view instead_of_url(std::string_view key) {
  if (key == "ledger") return ", or postgresql://host/database?ledger=NAME";
  if (key == "path") {
    return "; a table on a server is source = \"postgresql://host/database?table=clinic.visits\"";
  }
  return "";
}

}  // namespace

void require_one_file(const Located<std::string>& path, std::string_view key, Problems& problems) {
  if (path.value.find("://") != std::string::npos) {
    problems.add(path.position, fmt::format("{} is a URL", in_code(key)),
                 fmt::format("name a file on this machine{}", instead_of_url(key)));
  } else if (path.value.find_first_of("*?[") != std::string::npos) {
    problems.add(path.position, fmt::format("{} is a pattern", in_code(key)),
                 "name one file, without any of * ? [");
  }
}

std::optional<Source> parse_public_source(const TomlEntry& entry, Problems& problems) {
  Source source;
  const std::size_t before = problems.count();
  parse_any_source(entry, in_code(entry.key), "a path, or a table with it", source, problems);
  const bool server = source.format.value == SourceFormat::kPostgres;
  if (!server) require_one_file(source.path, entry.key, problems);
  if (server || source.format.value == SourceFormat::kArrow) {
    problems.add(source.format.position, "a public table is a file",
                 "name one in the format csv, tsv, parquet, json or duckdb");
  }
  if (!source.more_paths.empty()) {
    problems.add(source.path.position, "a public table is one file", "name one file");
  }
  if (source.notation != FieldNotation{}) {
    problems.add(entry.position, "a public table is read in the usual notation",
                 "remove `decimal`, `thousands`, `date_format`, `true_text` and `false_text`, and "
                 "write keys as in 1500 and 2026-03-01");
  }
  if (problems.count() > before) return std::nullopt;
  return source;
}

void parse_source(TableReader& root, ReleaseFile& release) {
  const TomlEntry* entry = root.require("source", "write source = \"survey.csv\"");
  if (entry == nullptr) return;
  Source& source = release.source;
  parse_any_source(*entry, "`source`", "a path, or a table [source]", source, root.problems());
  if (source.format.value == SourceFormat::kPostgres) return;
  require_files(source, root.problems());
  require_one_typed_file(source, root.problems());
}

}  // namespace lastbit::release_internal
