#include "lastbit/release/file/parse_release.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "lastbit/release/file/data_columns.h"
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
    problems.add(entry->value.position, fmt::format("the file has version {}", *version),
                 fmt::format("this lastbit reads version {}", ReleaseFile::kVersion));
    problems.throw_if_any();
  }
}

}  // namespace

ReleaseFile release_internal::parse_document(const TomlValue& document, const std::string& filename,
                                             const ReadPublicTable& read,
                                             const ReadSchema& schema) {
  Problems problems(filename);
  TableReader root(std::get<TomlTable>(document.content), {1, 1}, "the file", problems);
  ReleaseFile release;
  release.filename = filename;
  parse_version(root, problems);
  release_internal::parse_publication(root, release);
  const std::size_t before = problems.count();
  release_internal::parse_source(root, release);
  // A source that is wrong is not opened.
  const bool named =
      !release.source.path.value.empty() || release.source.format.value == SourceFormat::kArrow;
  const bool sourced = problems.count() == before && named;
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
  release_internal::DataColumns data(release, sourced ? schema : ReadSchema());
  release_internal::declare_truths(root, data, release);
  release_internal::parse_statistics(root, release_internal::parse_defaults(root), release);
  root.refuse_misplaced({"epsilon", "delta", "rho", "ledger", "accounting"}, "budget",
                        "write budget = { epsilon = 1, ledger = \"survey.ledger\" }");
  root.refuse_misplaced({"id", "id_column", "user_id", "max_rows_per_group", "max_groups"}, "unit",
                        "write unit = { id = \"person\", max_rows_per_group = 1 }");
  root.refuse_misplaced({"kind", "column", "by"}, "statistics", "write it below [[statistics]]");
  root.finish();
  // Checks across parts would blame parts that could not be read, so they come afterwards.
  const bool whole = problems.empty();
  if (whole) release_internal::fill_types(release, problems);
  release_internal::check_types(release, problems);
  if (whole) release_internal::check_release(release, problems);
  if (whole) release_internal::check_labels(release, problems);
  release_internal::refuse_missing_groups(root, data, release, problems);
  release_internal::blame_misspelt(release, data, problems);
  problems.throw_if_any();
  return release;
}

ReleaseFile parse_release(std::string_view text, const std::string& filename,
                          const ReadPublicTable& read, const ReadSchema& schema) {
  return release_internal::parse_document(release_internal::read_toml(text, filename), filename,
                                          read, schema);
}

ReleaseFile read_release(const std::filesystem::path& path, const ReadPublicTable& read,
                         const ReadSchema& schema) {
  return parse_release(read_release_text(path), path.string(), read, schema);
}

}  // namespace lastbit
