#include "lastbit/engines/duckdb/value_map.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "lastbit/base/error.h"

namespace lastbit::engine {
namespace {

using Mapped = std::optional<std::int64_t>;

// A map of single fields as a function of columns. `missing` is what a field without a value gives.
template <Carrier kCarrier, class Map>
class FieldMap final : public RowFunction {
 public:
  FieldMap(Map map, Mapped missing) : map_(std::move(map)), missing_(missing) {}

  std::vector<Carrier> arguments() const override { return {kCarrier}; }
  void run(std::span<const Argument> arguments, std::size_t rows, Output& out) const override {
    const Argument& fields = arguments[0];
    for (std::size_t row = 0; row < rows; ++row) {
      const Mapped mapped = fields.is_null(row) ? missing_ : mapped_field(fields, row);
      if (mapped) {
        out.set(row, *mapped);
      } else {
        out.set_null(row);
      }
    }
  }

 private:
  Mapped mapped_field(const Argument& fields, std::size_t row) const {
    if constexpr (kCarrier == Carrier::kReal) {
      const double field = fields.real(row);
      return std::isnan(field) ? missing_ : Mapped(map_(field));
    } else if constexpr (kCarrier == Carrier::kInteger) {
      return map_(fields.integer(row));
    } else {
      return map_(fields.text(row));
    }
  }

  Map map_;
  Mapped missing_;
};

template <Carrier kCarrier, class Map>
std::unique_ptr<RowFunction> field_map(Map map, Mapped missing) {
  return std::make_unique<FieldMap<kCarrier, Map>>(std::move(map), missing);
}

// The whole number, or the nearest beyond those of 64 bits.
Int128 clipped(const Integer& number) {
  if (number.fits_int64()) return number.to_int64();
  constexpr Int128 kLimit = static_cast<Int128>(1) << 63;
  return number.sign() > 0 ? kLimit : -kLimit - 1;
}

// The first value of the type that is not below a threshold, and the last that is not above it.
template <class T>
T first_from(const Rational& threshold) {
  if constexpr (std::same_as<T, double>) {
    return threshold.up();
  } else {
    return clipped(threshold.ceil());
  }
}
template <class T>
T last_to(const Rational& threshold) {
  if constexpr (std::same_as<T, double>) {
    return threshold.down();
  } else {
    return clipped(threshold.floor());
  }
}

// How many of the increasing thresholds are not above a value.
template <class T>
class Ranks {
 public:
  explicit Ranks(std::span<const Rational> thresholds) {
    for (const Rational& threshold : thresholds) starts_.push_back(first_from<T>(threshold));
  }
  std::int64_t rank(T value) const {
    return std::upper_bound(starts_.begin(), starts_.end(), value) - starts_.begin();
  }

 private:
  std::vector<T> starts_;
};

std::int64_t exact_rank(std::span<const Rational> thresholds, const Rational& value) {
  return std::upper_bound(thresholds.begin(), thresholds.end(), value) - thresholds.begin();
}

template <Carrier kCarrier, class T>
std::unique_ptr<RowFunction> bins_map(const BinCounts& bins) {
  const std::span<const Rational> edges = bins.edges;
  const std::span<const Rational> starts = edges.first(edges.size() - 1);
  Mapped missing;
  if (bins.impute && *bins.impute >= edges.front() && *bins.impute <= edges.back()) {
    missing = exact_rank(starts, *bins.impute) - 1;
  }
  return field_map<kCarrier>(
      [ranks = Ranks<T>(starts), last = last_to<T>(edges.back())](auto field) -> Mapped {
        const std::int64_t rank = ranks.rank(field);
        return rank == 0 || T(field) > last ? std::nullopt : Mapped(rank - 1);
      },
      missing);
}

template <Carrier kCarrier, class T>
std::unique_ptr<RowFunction> ranks_map(const BelowCounts& below) {
  Mapped missing;
  if (below.impute) missing = exact_rank(below.candidates, *below.impute);
  return field_map<kCarrier>(
      [ranks = Ranks<T>(below.candidates)](auto field) { return Mapped(ranks.rank(field)); },
      missing);
}

std::unique_ptr<RowFunction> real_steps(const SteppedField& field) {
  const Grid grid(field.grid_exponent);
  const double lower = field.lower.up();
  const double upper = field.upper.down();
  const auto steps = [grid, lower, upper, offset = field.offset](double value) -> Mapped {
    return grid.nearest_index_int64(std::clamp(value, lower, upper)) - offset;
  };
  return field_map<Carrier::kReal>(steps, field.impute ? steps(field.impute->down()) : Mapped());
}

std::unique_ptr<RowFunction> integer_steps(const SteppedField& field) {
  const auto steps = [lower = field.lower.ceil().to_int64(), upper = field.upper.floor().to_int64(),
                      offset = field.offset](std::int64_t value) -> Mapped {
    return std::clamp(value, lower, upper) - offset;
  };
  return field_map<Carrier::kInteger>(
      steps, field.impute ? steps(field.impute->floor().to_int64()) : Mapped());
}

// Lets texts be looked up without a copy.
struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>{}(text);
  }
};

template <Carrier kCarrier, class Numbers>
std::unique_ptr<RowFunction> numbered_map(Numbers numbers, Mapped other,
                                          const std::optional<PlainValue>& impute) {
  auto number = [numbers = std::move(numbers), other](const auto& field) {
    const auto found = numbers.find(field);
    return found == numbers.end() ? other : Mapped(found->second);
  };
  Mapped missing;
  using Key = typename Numbers::key_type;
  if (impute) missing = number(std::get<Key>(*impute));
  return field_map<kCarrier>(std::move(number), missing);
}

std::unique_ptr<RowFunction> listed_map(const CategoryCounts& categories,
                                        const std::vector<KeyValue>& keys, Mapped other,
                                        const std::optional<PlainValue>& impute) {
  std::unordered_map<std::int64_t, std::int64_t> integers;
  std::unordered_map<std::string, std::int64_t, TextHash, std::equal_to<>> texts;
  for (std::int64_t i = 0; const KeyValue& key : keys) {
    const PlainValue value = plain_value(key);
    if (const auto* text = std::get_if<std::string>(&value)) {
      texts.emplace(*text, i++);
    } else {
      integers.emplace(std::get<std::int64_t>(value), i++);
    }
  }
  if (carrier_of(categories.field.type) == Carrier::kText) {
    return numbered_map<Carrier::kText>(std::move(texts), other, impute);
  }
  return numbered_map<Carrier::kInteger>(std::move(integers), other, impute);
}

std::unique_ptr<RowFunction> range_map(const RangeKeys& range, Mapped other,
                                       const std::optional<PlainValue>& impute) {
  const auto number = [range, other](std::int64_t field) {
    const bool inside = range.first <= field && field <= range.last;
    return inside ? Mapped(field - range.first) : other;
  };
  Mapped missing;
  if (impute) missing = number(std::get<std::int64_t>(*impute));
  return field_map<Carrier::kInteger>(number, missing);
}

}  // namespace

PlainValue plain_value(const KeyValue& key) {
  if (const auto* truth = std::get_if<bool>(&key)) return std::int64_t{*truth};
  if (const auto* number = std::get_if<std::int64_t>(&key)) return *number;
  if (const auto* text = std::get_if<std::string>(&key)) return *text;
  return std::int64_t{std::chrono::sys_days(std::get<Date>(key)).time_since_epoch().count()};
}

std::unique_ptr<RowFunction> map_presence(const FieldUse& field) {
  const auto present = [](const auto& /*field*/) { return Mapped(0); };
  switch (carrier_of(field.type)) {
    case Carrier::kInteger:
      return field_map<Carrier::kInteger>(present, std::nullopt);
    case Carrier::kReal:
      return field_map<Carrier::kReal>(present, std::nullopt);
    case Carrier::kText:
      break;
  }
  return field_map<Carrier::kText>(present, std::nullopt);
}

std::unique_ptr<RowFunction> map_steps(const SteppedField& field) {
  return field.field.type == FieldType::kReal ? real_steps(field) : integer_steps(field);
}

std::unique_ptr<RowFunction> map_bins(const BinCounts& bins) {
  return bins.field.type == FieldType::kReal ? bins_map<Carrier::kReal, double>(bins)
                                             : bins_map<Carrier::kInteger, Int128>(bins);
}

std::unique_ptr<RowFunction> map_ranks(const BelowCounts& below) {
  return below.field.type == FieldType::kReal ? ranks_map<Carrier::kReal, double>(below)
                                              : ranks_map<Carrier::kInteger, Int128>(below);
}

std::unique_ptr<RowFunction> map_categories(const CategoryCounts& categories) {
  const std::int64_t size = category_count(categories);
  const Mapped other = categories.other ? Mapped(size) : std::nullopt;
  std::optional<PlainValue> impute;
  if (categories.impute) impute = plain_value(*categories.impute);
  if (const auto* range = std::get_if<RangeKeys>(&categories.categories)) {
    return range_map(*range, other, impute);
  }
  return listed_map(categories, std::get<std::vector<KeyValue>>(categories.categories), other,
                    impute);
}

}  // namespace lastbit::engine
