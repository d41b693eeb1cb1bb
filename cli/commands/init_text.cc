#include "cli/commands/init_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/base/escape.h"
#include "lastbit/postgres/table_name.h"
#include "lastbit/release/file/canonical.h"
#include "lastbit/report/numbers/number_text.h"
#include "lastbit/report/table.h"

namespace lastbit::cli {

using report::grouped;
using report::wrapped;

namespace {

constexpr std::size_t kCommentWidth = 100;

// toml_text: a TOML string that hides nothing: invisible characters, and those that change the
// writing direction, are escaped and mean the same.
std::string toml_text(std::string_view text) { return with_hidden_escaped(toml_string(text)); }

// Known: a column that a release file can name. Without a type, the file declares none.
struct Known {
  std::string name;
  std::optional<FieldType> type;
  bool like_id = false;
};

bool is_writable(std::string_view name) {
  return !name.empty() && name.size() <= ReleaseFile::kMaxNameBytes &&
         std::ranges::all_of(name, [](char c) {
           const auto byte = static_cast<unsigned char>(c);
           return byte >= 0x20 && byte != 0x7f;
         });
}

// looks_like_id: judged only by its name, not by the data.
bool looks_like_id(std::string_view name) {
  constexpr std::array<std::string_view, 6> kEnds = {"_id", "-id", " id", "Id", "ID", "uuid"};
  return name == "id" ||
         std::ranges::any_of(kEnds, [&](std::string_view end) { return name.ends_with(end); });
}

// usable_type: the type as which a release reads the column; nothing if it cannot use the column.
std::optional<FieldType> usable_type(const Source& source, const SchemaColumn& column) {
  ReleaseFile probe;
  probe.source = source;
  Statistic count;
  count.kind = CountStatistic{ColumnUse{{column.name}, {}}};
  probe.statistics.push_back(count);
  try {
    const ReleaseFile typed = check_against_schema(probe, {&column, 1});
    const ColumnDeclaration* found = typed.find_column(column.name);
    if (found == nullptr || !found->type) return FieldType::kText;
    return found->type->value;
  } catch (const Error&) {
    return std::nullopt;
  }
}

std::string commented(const std::string& prose) {
  std::string text;
  std::string line;
  for (const char c : wrapped(prose, kCommentWidth - 2)) {
    if (c != '\n') {
      line += c;
      continue;
    }
    text += "# " + line + "\n";
    line.clear();
  }
  return text;
}

std::string source_line(const Source& source) {
  if (source.format.value == SourceFormat::kPostgres) {
    return fmt::format("source = {{ url = {}, table = {} }}\n", toml_text(source.path.value),
                       toml_text(source.table ? source.table->value : ""));
  }
  const bool is_csv = source.format.value == SourceFormat::kCsv;
  const bool other_delimiter = is_csv && source.delimiter != ',';
  const bool other_encoding = source.encoding != TextEncoding::kUtf8;
  const bool short_form = !source.table && !other_delimiter && !other_encoding &&
                          std::filesystem::path(uncompressed_name(source.path.value)).extension() ==
                              fmt::format(".{}", name_of(source.format.value));
  if (short_form) return fmt::format("source = {}\n", toml_text(source.path.value));
  return fmt::format(
      "source = {{ path = {}, format = {}{}{}{} }}\n", toml_text(source.path.value),
      toml_text(name_of(source.format.value)),
      source.table ? fmt::format(", table = {}", toml_text(source.table->value)) : "",
      other_delimiter ? ", " + delimiter_line(source.delimiter) : "",
      other_encoding ? fmt::format(", encoding = {}", toml_text(name_of(source.encoding))) : "");
}

// delimiter_hint: given if the header looks as if it had another delimiter.
std::string delimiter_hint(const Source& source, std::span<const SchemaColumn> columns) {
  if (source.format.value != SourceFormat::kCsv || columns.size() != 1) return "";
  const std::string& name = columns.front().name;
  const std::size_t at = name.find_first_of(";\t|");
  if (at == std::string::npos || name[at] == source.delimiter) return "";
  return commented(fmt::format(
      "The header is a single name here. If another character separates the fields, say so: "
      "source = {{ path = {}, format = \"csv\", delimiter = {} }}",
      toml_text(source.path.value), toml_text(name.substr(at, 1))));
}

std::string ledger_name(const Source& source) {
  const bool server = source.format.value == SourceFormat::kPostgres && source.table;
  const std::filesystem::path path = uncompressed_name(source.path.value);
  const std::string name =
      (server ? postgres::TableName::parse(source.table->value).table : path.stem().string()) +
      ".ledger";
  return is_writable(name) && !is_pattern(name) ? name : "release.ledger";
}

// Without a type every column is text until the custodian says otherwise.
std::string declaration(const Known& column) {
  switch (column.type.value_or(FieldType::kText)) {
    case FieldType::kInteger:
    case FieldType::kReal:
    case FieldType::kDecimal:
    case FieldType::kUnsigned:
      return "{ lower = 0, upper = 100 }";
    case FieldType::kTimestamp:
      return R"({ type = "timestamp", zone = "UTC" })";
    case FieldType::kTime:
    case FieldType::kBoolean:
      return R"({ nulls = "drop" })";
    case FieldType::kDate:
      return "{ keys = [2026-01-01, 2026-01-02] }";
    case FieldType::kText:
      break;
  }
  if (column.like_id) return R"({ nulls = "drop" })";
  return R"({ keys = ["one", "another"] })";
}

std::string columns_section(const Source& source, std::span<const Known> columns,
                            std::size_t left_out) {
  std::string text = "[columns]\n";
  if (declares_types(source.format.value)) {
    text += commented(
        "Numbers need bounds, and columns to group by need keys. Both must be known without "
        "looking at the data, so the ones below are made up: replace them.");
  } else {
    text += commented(fmt::format(
        "Files of format {} have no types, so every column is text until a line here says "
        "otherwise. Bounds and keys must be known without looking at the data, so the ones below "
        "are made up: replace them.",
        name_of(source.format.value)));
    text +=
        "#   numbers      { type = \"integer\", lower = 0, upper = 100 }    or \"real\"\n"
        "#   categories   { keys = [\"one\", \"another\"] }    or { keys = { from = 1, to = 12 } "
        "}\n"
        "#   yes or no    { type = \"boolean\" }\n"
        "#   dates        { type = \"date\", keys = [2026-01-01, 2026-01-02] }\n"
        "#   times        { type = \"timestamp\", zone = \"UTC\" }\n";
  }
  for (const Known& column : columns) {
    text += fmt::format("#{} = {}\n", toml_key(column.name), declaration(column));
  }
  if (left_out > 0) {
    text += commented(fmt::format(
        "Left out: {} whose names or types no release can use.",
        left_out == 1 ? std::string("a column") : fmt::format("{} columns", grouped(left_out))));
  }
  return text;
}

std::string example(std::string_view prefix, const std::vector<std::string>& lines) {
  std::string text = fmt::format("\n{}[[statistics]]\n", prefix);
  for (const std::string& line : lines) text += fmt::format("{}{}\n", prefix, line);
  return text;
}

const Known* first_with(std::span<const Known> columns, auto matches) {
  const auto found = std::ranges::find_if(
      columns, [&](const Known& column) { return !column.like_id && matches(column); });
  return found == columns.end() ? nullptr : &*found;
}

bool is_number(const Known& column) { return column.type && lastbit::is_number(*column.type); }

bool is_text(const Known& column) {
  return column.type.value_or(FieldType::kText) == FieldType::kText;
}

std::string statistics_section(std::span<const Known> columns) {
  std::string text =
      "# How many rows there are. All statistics share the budget by weight.\n"
      "[[statistics]]\n"
      "kind = \"count\"\n";
  if (const Known* key = first_with(columns, is_text)) {
    text += example("#", {"kind = \"count\"", "by = " + toml_text(key->name)});
  }
  if (const Known* number = first_with(columns, is_number)) {
    const std::string column = "column = " + toml_text(number->name);
    text += example("#", {"kind = \"mean\"", column, "weight = 2"});
    text += example("#", {"kind = \"quantiles\"", column, "quantiles = [0.25, 0.5, 0.75]"});
    return text;
  }
  // Only the custodian knows which columns are numbers; the example avoids the column of the
  // groups.
  const auto any = std::ranges::find_if_not(columns.rbegin(), columns.rend(), &Known::like_id);
  if (any == columns.rend()) return text;
  text += "\n# A column with a number type and bounds can have more statistics, such as\n#";
  text += example("#   ", {"kind = \"mean\"", "column = " + toml_text(any->name)});
  return text;
}

std::string heading(const Source& source) {
  return commented(fmt::format(
             "What to release about {}. Everything in this file is public.",
             toml_text(source.format.value == SourceFormat::kPostgres ? written_path(source)
                                                                      : source.path.value))) +
         "#\n"
         "#   lastbit plan FILE       what it will cost and how accurate it will be; reads no row\n"
         "#   lastbit release FILE    the release\n"
         "#\n" +
         commented(
             "A line with no space after its # is an example: remove the # to use it. "
             "All keys are explained in docs/release-file.md.");
}

std::string unit_line(const Known& id) {
  return fmt::format("unit = {{ id = {}, max_rows_per_group = 1, max_groups = 1 }}\n",
                     toml_text(id.name));
}

std::string unit_section(std::span<const Known> columns) {
  const auto id = std::ranges::find_if(columns, &Known::like_id);
  if (id != columns.end()) {
    return commented(
               "Whose privacy is protected? Judging by its name, this column says whose row it is. "
               "One row counts for each of its values. Higher limits count more rows and add more "
               "noise. Where nobody has more than one row, this is just as good:") +
           "#   unit = \"row\"\n" + unit_line(*id);
  }
  std::string text = commented(
      "Whose privacy is protected? \"row\" is right where nobody has more than one row. People "
      "with several rows are protected only if a column says whose each row is:");
  if (!columns.empty()) text += "#   " + unit_line(columns.front());
  return text + "unit = \"row\"\n";
}

}  // namespace

std::string toml_key(std::string_view name) {
  const bool bare = !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
  return bare ? std::string(name) : toml_text(name);
}

std::string starter_text(const Source& source, std::span<const SchemaColumn> columns) {
  const bool typed = declares_types(source.format.value);
  std::vector<Known> known;
  for (const SchemaColumn& column : columns) {
    if (!is_writable(column.name) || known.size() == ReleaseFile::kMaxColumns) continue;
    const auto type = usable_type(source, column);
    if (!type) continue;
    known.push_back({column.name, typed ? type : std::nullopt, looks_like_id(column.name)});
  }
  return heading(source) + "version = 1\n#title = \"The heading of the report\"\n" +
         source_line(source) + delimiter_hint(source, columns) + "\n" + unit_section(known) + "\n" +
         commented(
             "The most that all statistics together may lose, and the file that adds it up "
             "for all releases about these people. Make it once: lastbit ledger init --help.") +
         fmt::format("budget = {{ epsilon = 1, ledger = {} }}\n\n",
                     toml_text(ledger_name(source))) +
         columns_section(source, known, columns.size() - known.size()) + "\n" +
         statistics_section(known);
}

}  // namespace lastbit::cli
