#include "lastbit/release/file/parse_release.h"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <system_error>

#include "lastbit/release/file/parse_sections.h"

namespace lastbit {
namespace {

using release_internal::Problems;
using release_internal::TableReader;
using release_internal::TomlEntry;
using release_internal::TomlTable;
using release_internal::TomlValue;

// In a file of another version any key may mean anything, so nothing else is said about it.
void parse_version(TableReader& root, Problems& problems) {
  const TomlEntry* entry = root.require(
      "version", fmt::format("write version = {} in the first line", ReleaseFile::kVersion));
  if (entry == nullptr) return;
  const auto version =
      release_internal::read_whole(entry->value, "`version`", 1, 1'000'000, problems);
  if (version && *version != ReleaseFile::kVersion) {
    problems.add(entry->value.position, fmt::format("the file is of version {}", *version),
                 fmt::format("this lastbit reads version {}", ReleaseFile::kVersion));
    problems.throw_if_any();
  }
}

[[noreturn]] void refuse_file(const std::filesystem::path& path, std::string problem,
                              std::string remedy) {
  throw Error(ErrorCode::kBadInput, path.string(), std::move(problem), std::move(remedy));
}

}  // namespace

ReleaseFile release_internal::parse_document(const TomlValue& document, const std::string& filename,
                                             const ReadPublicTable& read) {
  Problems problems(filename);
  TableReader root(std::get<TomlTable>(document.content), {1, 1}, "the file", problems);
  ReleaseFile release;
  release.filename = filename;
  parse_version(root, problems);
  if (const auto title = root.text("title")) release.title = title->value;
  release_internal::parse_source(root, release);
  release_internal::parse_unit(root, release);
  release_internal::parse_budget(root, release);
  release_internal::check_zones(root);
  const release_internal::PublicFiles files(release, read);
  release_internal::parse_columns(root, files, release);
  auto looked_up_later = release_internal::parse_lookups(root, files, release);
  release_internal::parse_derived(root, release);
  std::ranges::move(looked_up_later, std::back_inserter(release.derived));
  release_internal::parse_tables(root, files, release);
  release.where = release_internal::parse_condition(root);
  release_internal::parse_statistics(root, release_internal::parse_defaults(root), release);
  root.finish();
  // Checks across parts would blame parts that could not be read, so they come afterwards.
  const bool whole = problems.empty();
  if (whole) release_internal::fill_types(release, problems);
  release_internal::check_types(release, problems);
  if (whole) release_internal::check_release(release, problems);
  problems.throw_if_any();
  return release;
}

ReleaseFile parse_release(std::string_view text, const std::string& filename,
                          const ReadPublicTable& read) {
  return release_internal::parse_document(release_internal::read_toml(text, filename), filename,
                                          read);
}

std::string read_release_text(const std::filesystem::path& path) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(path, failed)) {
    refuse_file(path, failed ? "cannot be found" : "is not a file", "name a release file");
  }
  std::ifstream file(path, std::ios::binary);
  std::string text;
  // One byte more than allowed is enough to know that it is too long.
  text.resize(ReleaseFile::kMaxBytes + 1);
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!file.is_open() || file.bad()) {
    refuse_file(path, "cannot be read", "check its permissions");
  }
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

ReleaseFile read_release(const std::filesystem::path& path, const ReadPublicTable& read) {
  return parse_release(read_release_text(path), path.string(), read);
}

}  // namespace lastbit
