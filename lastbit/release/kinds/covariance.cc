// covariance: of two columns, clamped to bounds, over the rows that have both values.
// Proof: proofs/statistics.md#quotients
#include <fmt/core.h>

#include <array>

#include "lastbit/release/kinds/kind_reader.h"
#include "lastbit/release/kinds/kind_writer.h"
#include "lastbit/release/plan/drafter.h"
#include "lastbit/release/plan/plan_aggregation.h"
#include "lastbit/release/plan/words.h"

namespace lastbit {

using release_internal::Draft;
using release_internal::Drafter;
using release_internal::KindReader;

namespace {

// read_pair: two numbers, one for each column.
std::array<std::optional<Located<Rational>>, 2> read_pair(KindReader& reader,
                                                          std::string_view key) {
  const release_internal::TomlEntry* entry = reader.keys().find(key);
  if (entry == nullptr) return {};
  const std::string name = release_internal::in_code(key);
  const auto* array = std::get_if<release_internal::TomlArray>(&entry->value.content);
  if (array == nullptr || array->size() != 2) {
    reader.fail(entry->value.position, fmt::format("{} is not a list of two numbers", name),
                "write one per column, as in [0, 18]");
    return {};
  }
  std::array<std::optional<Located<Rational>>, 2> pair;
  for (std::size_t i = 0; i < 2; ++i) {
    const auto number = read_number((*array)[i], name, reader.problems());
    if (number) pair[i] = Located<Rational>{*number, (*array)[i].position};
    if (!number) reader.fail();
  }
  return pair;
}

}  // namespace

std::optional<CovarianceStatistic> CovarianceStatistic::read(KindReader& reader) {
  const std::string example = "write columns = [\"age\", \"income\"]";
  const release_internal::TomlEntry* entry = reader.keys().require("columns", example);
  const auto lower = read_pair(reader, "lower");
  const auto upper = read_pair(reader, "upper");
  if (entry == nullptr) {
    reader.fail();
    return std::nullopt;
  }
  const auto names = read_texts(entry->value, "`columns`", reader.problems());
  if (!names) reader.fail();
  if (!names || !reader.complete()) return std::nullopt;
  if (names->size() != 2) {
    reader.fail(entry->value.position, "a covariance is one of two columns", example);
    return std::nullopt;
  }
  const auto first = reader.bound(reader.declared_use((*names)[0]), lower[0], upper[0]);
  const auto second = reader.bound(reader.declared_use((*names)[1]), lower[1], upper[1]);
  if (!first || !second) return std::nullopt;
  return CovarianceStatistic{*first, *second};
}

void CovarianceStatistic::write(release_internal::KindWriter& writer) const {
  const auto pair = [](const std::string& a, const std::string& b) {
    return fmt::format("[{}, {}]", a, b);
  };
  using release_internal::written;
  writer.add("columns",
             pair(toml_string(first.column.name.value), toml_string(second.column.name.value)));
  writer.add("lower", pair(written(first.lower.value), written(second.lower.value)));
  writer.add("upper", pair(written(first.upper.value), written(second.upper.value)));
}

std::vector<ColumnRole> CovarianceStatistic::columns() const {
  return {number_role(first), number_role(second)};
}

Tally CovarianceStatistic::tally(const ReleaseFile& release) const {
  return ProductSum{release_internal::stepped_field(release, first, true),
                    release_internal::stepped_field(release, second, true)};
}

Draft CovarianceStatistic::draft(const Drafter& drafter) const {
  const SteppedField one = release_internal::stepped_field(drafter.release(), first, true);
  const SteppedField other = release_internal::stepped_field(drafter.release(), second, true);
  const CentredColumn x = release_internal::centred_column(one);
  const CentredColumn y = release_internal::centred_column(other);
  return drafter.draft_quotient(
      {{"number of rows", 0},
       {"sum of the first's distances from the middle", one.grid_exponent},
       {"sum of the second's distances from the middle", other.grid_exponent},
       {"sum of their products", one.grid_exponent + other.grid_exponent}},
      [x, y](const Integer& rows, const std::vector<Rational>& errors) {
        return covariance_error(x, y, rows, {errors[0], errors[1], errors[2], errors[3]});
      },
      [x, y](const std::vector<Measured>& m) {
        return estimate_covariance(x, y, m[0], m[1], m[2], m[3]);
      },
      Rational(2) * largest_covariance(x, y));
}

std::string CovarianceStatistic::describe() const {
  return fmt::format("covariance of {} and {}", first.column.name.value, second.column.name.value);
}

void CovarianceStatistic::explain(const ReleaseFile& /*release*/,
                                  std::vector<std::string>& steps) const {
  release_internal::explain_bounds(first, steps);
  release_internal::explain_bounds(second, steps);
}

}  // namespace lastbit
