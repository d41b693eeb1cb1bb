// histogram with `bins`: how many rows lie in each of several ranges of numbers.
#include <fmt/core.h>

#include "lastbit/release/file/parse_sections.h"
#include "lastbit/release/kinds/kind_reader.h"
#include "lastbit/release/kinds/kind_writer.h"
#include "lastbit/release/plan/drafter.h"
#include "lastbit/release/plan/plan_aggregation.h"
#include "lastbit/release/plan/words.h"

namespace lastbit {

using release_internal::Draft;
using release_internal::Drafter;
using release_internal::KindReader;
using release_internal::TomlArray;
using release_internal::TomlEntry;
using release_internal::TomlTable;
using release_internal::TomlValue;

namespace {

// even_edges: of { from = 0, to = 100, width = 10 }; if there are none, notes a problem and returns
// none.
std::vector<Rational> even_edges(const TomlTable& table, FilePosition position, KindReader& kind) {
  const std::string example = "write { from = 0, to = 100, width = 10 }";
  release_internal::TableReader reader(table, position, "`bins`", kind.problems());
  for (const char* key : {"from", "to", "width"}) reader.require(key, example);
  const auto from = reader.number("from");
  const auto to = reader.number("to");
  const auto width = positive_number(reader, "width");
  reader.finish();
  if (!from || !to || !width) return {};
  const Rational count = (to->value - from->value) / width->value;
  if (!count.is_integer() || count < Rational(1) || count > Rational(ReleaseFile::kMaxGroups)) {
    kind.fail(width->position, "`bins` does not divide into bins of this width",
              fmt::format("let `width` divide `to` − `from`, into at most {} bins",
                          ReleaseFile::kMaxGroups));
    return {};
  }
  std::vector<Rational> edges;
  for (Rational i = 0; i <= count; i += 1) edges.push_back(from->value + i * width->value);
  return edges;
}

std::vector<Rational> read_edges(const TomlValue& value, KindReader& reader) {
  if (const auto* table = std::get_if<TomlTable>(&value.content)) {
    return even_edges(*table, value.position, reader);
  }
  const auto* array = std::get_if<TomlArray>(&value.content);
  if (array == nullptr) {
    wrong_kind(value, "`bins`", "a list of edges, or { from = 0, to = 100, width = 10 }",
               reader.problems());
    return {};
  }
  std::vector<Rational> edges = reader.read_increasing(*array, "`bins`");
  if (edges.size() == 1) {
    reader.fail(value.position, "`bins` has one edge",
                "list at least two edges, as in [0, 18, 65]");
  }
  return edges;
}

}  // namespace

std::optional<BinStatistic> BinStatistic::read(KindReader& reader) {
  const TomlEntry* bins = reader.keys().find("bins");
  if (bins == nullptr) return std::nullopt;
  const auto use = reader.require_column();
  if (const TomlEntry* listed = reader.keys().find("categories")) {
    reader.fail(listed->position, "`categories` is given together with `bins`",
                "keep `bins` for numbers, or `categories` for names");
  }
  if (const TomlEntry* other = reader.keys().find("other")) {
    reader.fail(other->position, "`other` does not go with `bins`", "remove it");
  }
  auto edges = read_edges(bins->value, reader);
  if (edges.size() < 2) reader.fail();
  if (!use || edges.size() < 2) return std::nullopt;
  return BinStatistic{*use, std::move(edges)};
}

void BinStatistic::write(release_internal::KindWriter& writer) const {
  writer.add_use(column);
  writer.add("bins", release_internal::list_of(edges));
}

std::vector<ColumnRole> BinStatistic::columns() const {
  return {{column.name, true, false, {}, nullptr, column.impute}};
}

Tally BinStatistic::tally(const ReleaseFile& release) const {
  return BinCounts{release_internal::field_use(release, column), edges,
                   release_internal::imputed_number(column)};
}

Draft BinStatistic::draft(const Drafter& drafter) const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
    names.push_back(fmt::format("[{}, {}{}", edges[i].to_string(), edges[i + 1].to_string(),
                                i + 2 == edges.size() ? "]" : ")"));
  }
  return drafter.draft_counts("rows of each bin", std::move(names));
}

std::string BinStatistic::describe(const KindWords& words) const {
  return fmt::format("number of {} in each range of {}", words.rows,
                     words.column(column.name.value));
}

void BinStatistic::explain(const ReleaseFile& /*release*/, std::vector<std::string>& steps) const {
  steps.push_back(release_internal::missing_in_words(column));
  steps.emplace_back("Values outside all bins are not counted.");
}

// Heights can be compared like areas only if all bins have the same width.
FigureShape BinStatistic::figure() const {
  for (std::size_t i = 2; i < edges.size(); ++i) {
    if (edges[i] - edges[i - 1] != edges[1] - edges[0]) return NumbersFigure{};
  }
  if (edges.size() <= 2) return NumbersFigure{};
  return HistogramFigure{edges};
}

}  // namespace lastbit
