// The text of a release file, and what somebody may have named instead of one.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/base/escape.h"
#include "lastbit/base/text.h"
#include "lastbit/release/file/near_file.h"
#include "lastbit/release/file/parse_release.h"

namespace lastbit {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_release_text(const fs::path& path, std::string problem,
                                      std::string remedy) {
  throw Error(ErrorCode::kBadInput, path.string(), std::move(problem), std::move(remedy));
}

std::string in_lower_letters(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

// init_command: the command that writes a release file about the data.
std::string init_command(const fs::path& data, std::string_view options = "") {
  return fmt::format("lastbit init {}{} --out {} writes one", shell_text(data.string()), options,
                     shell_text(fs::path(data).replace_extension(".toml").string()));
}

// refuse_data: says that the file is the data, if its name or its first bytes say so.
void refuse_data(const fs::path& path, std::string_view text) {
  const std::string extension = in_lower_letters(path.extension().string());
  const auto is = [&](std::string_view known) { return extension == known; };
  if (text.starts_with("SQLite format 3")) {
    refuse_release_text(path, "this is a ledger or another database, not a release file",
                        fmt::format("name the release file; lastbit ledger show {} shows a ledger",
                                    shell_text(path.string())));
  }
  if (is(".xlsx") || is(".xls") || is(".ods")) {
    refuse_release_text(path, "this is a spreadsheet, not a release file",
                        fmt::format("save the sheet as CSV; then {}",
                                    init_command(fs::path(path).replace_extension(".csv"))));
  }
  if (is(".duckdb") || text.substr(0, 12).ends_with("DUCK")) {
    refuse_release_text(path, "this is a data file, not a release file",
                        init_command(path, " --table NAME"));
  }
  constexpr std::array<std::string_view, 6> kData = {".csv",  ".tsv",   ".parquet",
                                                     ".json", ".jsonl", ".ndjson"};
  if (std::ranges::find(kData, extension) != kData.end() || text.starts_with("PAR1")) {
    refuse_release_text(path, "this is a data file, not a release file", init_command(path));
  }
}

}  // namespace

std::string read_release_text(const fs::path& path) {
  std::error_code failed;
  const fs::file_status status = fs::status(path, failed);
  if (!fs::exists(status)) {
    const std::string first = in_lower_letters(path.string().substr(0, 7));
    if (first == "select ") {
      refuse_release_text("query", "the first argument is the statement, not the dataset",
                          "give the dataset first, then the statement in quotes");
    }
    refuse_release_text(path, "cannot be found", near_file_remedy(path, "name a release file"));
  }
  if (fs::is_directory(status)) {
    refuse_release_text(path, "is a folder", "name a release file in it");
  }
  if (!fs::is_regular_file(status)) {
    refuse_release_text(path, "is not a file", "name a release file");
  }
  std::ifstream file(path, std::ios::binary);
  std::string text;
  // One byte more than allowed is enough to know that it is too long.
  text.resize(ReleaseFile::kMaxBytes + 1);
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!file.is_open() || file.bad()) {
    refuse_release_text(path, "cannot be read", "check its permissions");
  }
  text.resize(static_cast<std::size_t>(file.gcount()));
  refuse_data(path, text);
  return text;
}

}  // namespace lastbit
