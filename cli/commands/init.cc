// lastbit init: a release file to start from.
#include <fmt/core.h>

#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/commands/init_text.h"
#include "cli/terminal/arguments.h"
#include "cli/terminal/command.h"
#include "cli/terminal/output.h"
#include "lastbit/base/error.h"
#include "lastbit/base/escape.h"
#include "lastbit/base/text.h"
#include "lastbit/engines/engines.h"
#include "lastbit/postgres/address.h"
#include "lastbit/release/file/canonical.h"
#include "lastbit/release/file/near_file.h"
#include "lastbit/release/file/parse_release.h"
#include "lastbit/report/document.h"
#include "lastbit/sources/byte_stream.h"

namespace lastbit::cli {

using report::dumped;

namespace {

namespace fs = std::filesystem;

struct InitOptions {
  std::string data;
  std::string table;
  std::string format;
  std::string delimiter;
  std::string encoding;
  std::string file = "-";
  bool force = false;
};

// path_from: the path of the data as written in the release file `file`.
std::string path_from(const InitOptions& options) {
  const fs::path folder = options.file == "-" ? fs::path() : fs::path(options.file).parent_path();
  if (folder.empty()) return options.data;
  std::error_code error;
  const fs::path path = fs::proximate(options.data, folder, error);
  return error ? fs::absolute(options.data).string() : path.string();
}

// in_options: a remedy for a release file, turned into options of the command line.
std::string in_options(std::string remedy) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kWords = {{
      {"add `format`: ", "add --format: "},
      {"say in [source] what it is: encoding = \"latin-1\" or \"windows-1252\"",
       "say what it is: --encoding latin-1 or --encoding windows-1252"},
  }};
  for (const auto& [in_file, option] : kWords) {
    const std::size_t at = remedy.find(in_file);
    if (at != std::string::npos) remedy.replace(at, in_file.size(), option);
  }
  return remedy;
}

// smallest_release: a release about the data that says nothing yet. A source that no release file
// can describe is refused, in the parser's own words.
ReleaseFile smallest_release(const InitOptions& options) {
  const bool server = postgres::is_address(options.data);
  std::string source =
      server ? "url = " + toml_string(options.data) : "path = " + toml_string(path_from(options));
  if (!options.format.empty()) source += ", format = " + toml_string(options.format);
  if (!options.delimiter.empty()) source += ", delimiter = " + toml_string(options.delimiter);
  if (!options.encoding.empty()) source += ", encoding = " + toml_string(options.encoding);
  if (!options.table.empty()) source += ", table = " + toml_string(options.table);
  const std::string text = fmt::format(
      "version = 1\nsource = {{ {} }}\nunit = \"row\"\n"
      "budget = {{ epsilon = 1, ledger = \"release.ledger\" }}\n"
      "statistics = [{{ kind = \"count\" }}]\n",
      source);
  try {
    return parse_release(text, options.file == "-" ? "release.toml" : options.file);
  } catch (const Error& error) {
    // An address that is refused may hold a password.
    throw Error(error.code(), server ? "DATA" : options.data, error.problem(),
                in_options(error.remedy()));
  }
}

std::vector<SchemaColumn> read_columns(const ReleaseFile& release) {
  try {
    return engine_for_files().read_schema(release);
  } catch (const Error& error) {
    throw Error(error.code(), error.place(), error.problem(), in_options(error.remedy()));
  }
}

bool is_separated(const ReleaseFile& release) {
  const SourceFormat format = release.source.format.value;
  return format == SourceFormat::kCsv || format == SourceFormat::kTsv;
}

// starts_as_utf16: whether the file has the byte order mark of UTF-16.
bool starts_as_utf16(const std::string& path) {
  std::error_code problem;
  if (!fs::is_regular_file(path, problem)) return false;  // reading the columns says why
  const std::string front = source::read_front(path, {.compression = compression_of(path)}, 2);
  return front == "\xff\xfe" || front == "\xfe\xff";
}

// likely_options: the options, with what the header of the data tells: an encoding by its mark, and
// a delimiter without which it would be a single name.
InitOptions likely_options(InitOptions options) {
  ReleaseFile release = smallest_release(options);
  if (is_separated(release) && options.encoding.empty() && starts_as_utf16(options.data)) {
    options.encoding = "utf-16";
    release = smallest_release(options);
  }
  if (release.source.format.value != SourceFormat::kCsv || !options.delimiter.empty()) {
    return options;
  }
  std::vector<std::string> names;
  for (const SchemaColumn& column : read_columns(release)) {
    names.push_back(column.name);
  }
  const auto likely = likely_delimiter(names);
  if (likely && *likely != release.source.delimiter) options.delimiter = std::string(1, *likely);
  return options;
}

std::string as_json(const InitOptions& options, const ReleaseFile& release,
                    const std::vector<SchemaColumn>& columns, const std::string& text) {
  auto names = nlohmann::ordered_json::array();
  for (const SchemaColumn& column : columns) {
    nlohmann::ordered_json entry = {{"name", column.name}, {"type", nullptr}};
    if (declares_types(release.source.format.value)) entry["type"] = column.type_name;
    names.push_back(std::move(entry));
  }
  const bool server = release.source.format.value == SourceFormat::kPostgres;
  nlohmann::ordered_json document = {{"source", server ? release.source.path.value : options.data},
                                     {"format", name_of(release.source.format.value)},
                                     {"columns", std::move(names)},
                                     {"file", nullptr},
                                     {"text", text}};
  if (options.file != "-") document["file"] = options.file;
  return dumped(document);
}

// refuse_other_files: says what was named instead of the data.
void refuse_other_files(const InitOptions& options) {
  std::error_code failed;
  if (fs::is_directory(options.data, failed)) {
    throw Error(ErrorCode::kBadInput, options.data, "is a folder", "name a data file in it");
  }
  if (fs::path(options.data).extension() == ".toml") {
    throw Error(ErrorCode::kBadInput, options.data, "this is a release file, not a data file",
                fmt::format("name the data, as in lastbit init survey.csv; lastbit plan {} shows "
                            "what this file releases",
                            shell_text(options.data)));
  }
}

// require_data: a pattern is looked up when the columns are read.
void require_data(const InitOptions& options) {
  if (postgres::is_address(options.data)) return;
  std::error_code failed;
  const bool pattern = options.data.find_first_of("*?") != std::string::npos;
  if (pattern || fs::exists(options.data, failed)) return;
  throw Error(ErrorCode::kBadInput, options.data, "cannot be found",
              near_file_remedy(options.data, "check the path"));
}

}  // namespace

int run_init(CommandArguments arguments, Sink& out) {
  Arguments parser("init",
                   "Write a release file to start from. It counts the rows, and has an example for "
                   "every column, "
                   "commented out. It reads only the names and types of the columns, never a "
                   "value.",
                   "  lastbit init survey.csv > survey.toml\n"
                   "  lastbit init survey.parquet --out survey.toml\n"
                   "  lastbit init survey.csv --delimiter ';' --out survey.toml\n"
                   "  lastbit init 'visits-*.csv.gz' --out visits.toml\n"
                   "  lastbit init warehouse.duckdb --table survey --out survey.toml\n"
                   "  lastbit init postgresql://db.example/office --table clinic.visits\n");
  InitOptions options;
  parser.add_argument("DATA", options.data,
                      "The data file, a pattern for several, or a PostgreSQL URL");
  parser.add_option("--table", options.table, "The table in a DuckDB file or on a server", "NAME");
  parser.add_option("--format", options.format,
                    "csv, tsv, parquet, json or duckdb (from the file name)", "FORMAT");
  parser.add_option("--delimiter", options.delimiter,
                    "CSV: the character between fields (from the header)", "CHARACTER");
  parser.add_option("--encoding", options.encoding,
                    "CSV: utf-8, latin-1, windows-1252, utf-16, utf-16le or utf-16be (utf-8)",
                    "ENCODING");
  parser.add_option("--out", options.file, "File to write; - is standard output (-)", "FILE");
  parser.add_flag("--force", options.force, "Replace a file that exists");
  if (!parser.parse(arguments, out)) return kExitOk;

  if (options.file.empty())
    throw parser.wrong("--out has no name", "give it a file, or - for standard output");
  if (!options.force) refuse_existing(options.file);
  postgres::refuse_other_urls("DATA", options.data);
  refuse_other_files(options);
  smallest_release(options);  // refuses what no release file can name, such as a URL
  require_data(options);
  options = likely_options(std::move(options));
  const ReleaseFile release = smallest_release(options);
  const auto columns = read_columns(release);
  const std::string text = starter_text(release.source, columns);
  if (options.file != "-") {
    write_file(options.file, text);
  } else if (!parser.json()) {
    out.write(text);
  }
  if (parser.json()) out.write(as_json(options, release, columns, text));
  return kExitOk;
}

}  // namespace lastbit::cli
