#include "lastbit/engines/kernel/value_map.h"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include "lastbit/base/error.h"

namespace lastbit::engine {
namespace {

using Mapped = std::optional<std::int64_t>;

// A map of single fields as a function of columns. `missing` is what a field without a value gives.
// The parameter of the map says what it can be called with.
template <class Map>
class FieldMap final : public RowFunction {
 public:
  FieldMap(Map map, Mapped missing) : map_(std::move(map)), missing_(entry(missing)) {}

  void run(std::span<const FieldBatch> arguments, std::size_t rows, Output& out) const override {
    const FieldBatch& fields = arguments[0];
    const auto run_values = [&](const auto& values) {
      for (std::size_t first = 0; first < rows; first += 64) {
        const std::size_t size = std::min<std::size_t>(rows - first, 64);
        const std::uint64_t all = ~std::uint64_t{0};
        const std::uint64_t present =
            fields.validity == nullptr ? all : fields.validity[first / 64];
        const auto part = values.subspan(first, size);
        const std::uint64_t nulls =
            present == all ? write_all(part, first, out) : write_some(part, present, first, out);
        out.keep(first / 64, ~nulls);
      }
    };
    std::visit(run_values, fields.values);
  }

 private:
  // Entry: a Mapped without a branch: nulls are collected, as they are hard to predict.
  struct Entry {
    std::int64_t value;
    std::uint64_t null;  // 1 or 0
  };
  static Entry entry(const Mapped& mapped) {
    return {mapped ? *mapped : 0, std::uint64_t{!mapped.has_value()}};
  }

  // write_all, write_some: up to 64 fields; which of the entries are null.
  template <class T>
  std::uint64_t write_all(std::span<const T> fields, std::size_t first, Output& out) const {
    std::uint64_t nulls = 0;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const Entry mapped = mapped_field(fields[i]);
      out.set(first + i, mapped.value);
      nulls |= mapped.null << i;
    }
    return nulls;
  }
  template <class T>
  std::uint64_t write_some(std::span<const T> fields, std::uint64_t present, std::size_t first,
                           Output& out) const {
    std::uint64_t nulls = 0;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const Entry mapped = (present >> i & 1) != 0 ? mapped_field(fields[i]) : missing_;
      out.set(first + i, mapped.value);
      nulls |= mapped.null << i;
    }
    return nulls;
  }

  template <class T>
  Entry mapped_field(const T& field) const {
    if constexpr (!std::is_invocable_v<const Map&, T>) {
      invariant(false, "a map is called with fields of its type");
    } else if constexpr (std::same_as<T, double>) {
      return std::isnan(field) ? missing_ : entry(map_(field));
    } else {
      return entry(map_(field));
    }
    return missing_;
  }

  Map map_;
  Entry missing_;
};

template <class Map>
std::unique_ptr<RowFunction> field_map(Map map, Mapped missing) {
  return std::make_unique<FieldMap<Map>>(std::move(map), missing);
}

// What maps can be called with.
template <class T>
concept WholeNumber = std::same_as<T, std::int64_t> || std::same_as<T, Int128>;
template <class T>
concept Number = WholeNumber<T> || std::same_as<T, double>;

// Strict C++ has no limits for these.
constexpr Int128 kMost = static_cast<Int128>(~UInt128{0} >> 1);
constexpr Int128 kLeast = -kMost - 1;

// Requires  caller: it has at most 127 bits and a sign.
Int128 to_int128(const Integer& number) {
  const Integer half = Integer::two_to(62);
  const Integer top = floor_div(floor_div(number, half), half);
  const Integer middle = floor_mod(floor_div(number, half), half);
  const Int128 high = (static_cast<Int128>(top.to_int64()) * half.to_int64()) + middle.to_int64();
  return high * half.to_int64() + floor_mod(number, half).to_int64();
}

// first_from: the first value of the type that is at least a threshold; nothing if there is none.
// last_to: the last value that is at most the threshold.
template <Number T>
std::optional<T> first_from(const Rational& threshold) {
  if constexpr (std::same_as<T, double>) {
    return threshold.up();
  } else {
    const Integer whole = threshold.ceil();
    if (whole > Integer(kMost)) return std::nullopt;
    return whole < Integer(kLeast) ? kLeast : to_int128(whole);
  }
}
template <Number T>
std::optional<T> last_to(const Rational& threshold) {
  if constexpr (std::same_as<T, double>) {
    return threshold.down();
  } else {
    const Integer whole = threshold.floor();
    if (whole < Integer(kLeast)) return std::nullopt;
    return whole > Integer(kMost) ? kMost : to_int128(whole);
  }
}

// How many of the increasing thresholds are at most a value.
template <Number T>
class Ranks {
 public:
  explicit Ranks(std::span<const Rational> thresholds) {
    for (const Rational& threshold : thresholds) {
      const auto start = first_from<T>(threshold);
      if (!start) break;  // no value reaches this one or those after it
      starts_.push_back(*start);
    }
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

// Fields are compared as T: as they are, or whole numbers as the nearest double.
template <Number T>
std::unique_ptr<RowFunction> bins_map(const BinCounts& bins) {
  const std::span<const Rational> edges = bins.edges;
  const std::span<const Rational> starts = edges.first(edges.size() - 1);
  Mapped missing;
  if (bins.impute && *bins.impute >= edges.front() && *bins.impute <= edges.back()) {
    missing = exact_rank(starts, *bins.impute) - 1;
  }
  return field_map(
      [ranks = Ranks<T>(starts), last = last_to<T>(edges.back())]<Number F>(F field) -> Mapped {
        const T value = static_cast<T>(field);
        const std::int64_t rank = ranks.rank(value);
        return rank == 0 || !last || value > *last ? std::nullopt : Mapped(rank - 1);
      },
      missing);
}

template <Number T>
std::unique_ptr<RowFunction> ranks_map(const BelowCounts& below) {
  Mapped missing;
  if (below.impute) missing = exact_rank(below.candidates, *below.impute);
  return field_map([ranks = Ranks<T>(below.candidates)]<Number F>(
                       F field) { return Mapped(ranks.rank(static_cast<T>(field))); },
                   missing);
}

std::unique_ptr<RowFunction> real_steps(const SteppedField& field) {
  const Grid grid(field.grid_exponent);
  const double lower = field.lower.up();
  const double upper = field.upper.down();
  const auto steps = [grid, lower, upper, offset = field.offset]<Number F>(F value) -> Mapped {
    const double real = static_cast<double>(value);
    return grid.nearest_index_int64(std::clamp(real, lower, upper)) - offset;
  };
  return field_map(steps, field.impute ? steps(field.impute->down()) : Mapped());
}

std::unique_ptr<RowFunction> integer_steps(const SteppedField& field) {
  const auto steps = [lower = field.lower.ceil().to_int64(), upper = field.upper.floor().to_int64(),
                      offset = field.offset]<WholeNumber F>(F value) -> Mapped {
    return static_cast<std::int64_t>(std::clamp<F>(value, lower, upper)) - offset;
  };
  return field_map(steps, field.impute ? steps(field.impute->floor().to_int64()) : Mapped());
}

// Decimals come as whole numbers of the smallest unit, 10^-decimals.
Rational decimal_unit(FieldType type) {
  return Rational(pow(Integer(10), static_cast<unsigned>(type.decimals())));
}
std::vector<Rational> in_units(const std::vector<Rational>& numbers, FieldType type) {
  std::vector<Rational> scaled;
  for (const Rational& number : numbers) scaled.push_back(number * decimal_unit(type));
  return scaled;
}

Int128 floor_quotient(Int128 a, Int128 b) { return a / b - (a % b < 0 ? 1 : 0); }

// nearest_step: the nearest multiple of 2^exponent to units / 10^decimals, ties upward.
// Requires  caller: the result has at most 61 bits. Then units·2^(1−exponent) has less than 123,
//           for decimals up to 18. Proof: proofs/engine.md#maps
std::int64_t nearest_step(Int128 units, Int128 unit, int exponent) {
  if (units == 0) return 0;
  if (exponent <= 0) {
    const Int128 doubled = units * (static_cast<Int128>(1) << (1 - exponent));
    return static_cast<std::int64_t>(floor_quotient(doubled + unit, 2 * unit));
  }
  const Int128 whole = floor_quotient(units, unit);
  if (exponent > 64) return (Grid(exponent).nearest_index(Rational(Integer(whole)))).to_int64();
  const Int128 half = static_cast<Int128>(1) << (exponent - 1);
  return static_cast<std::int64_t>((whole + half) >> exponent);
}

std::unique_ptr<RowFunction> decimal_steps(const SteppedField& field) {
  const Rational unit = decimal_unit(field.field.type);
  const auto [lower, upper] = inner_bounds(field);
  const auto bounded = [&](const Rational& bound) {
    const Integer units = (bound * unit).floor();
    return std::clamp(units, Integer(kLeast), Integer(kMost));
  };
  const auto steps = [low = to_int128(bounded(lower)), high = to_int128(bounded(upper)),
                      unit = to_int128(unit.floor()), exponent = field.grid_exponent,
                      offset = field.offset]<WholeNumber F>(F value) -> Mapped {
    return nearest_step(std::clamp<Int128>(value, low, high), unit, exponent) - offset;
  };
  Mapped missing;
  if (field.impute) missing = steps(to_int128((*field.impute * unit).floor()));
  return field_map(steps, missing);
}

// DigitsMap: whole numbers as digits, which are the same for equal numbers.
class DigitsMap final : public RowFunction {
 public:
  void run(std::span<const FieldBatch> arguments, std::size_t rows, Output& out) const override {
    const FieldBatch& fields = arguments[0];
    for (std::size_t row = 0; row < rows; ++row) {
      if (fields.is_missing(row)) {
        out.set_null(row);
      } else {
        out.set(row, std::string_view(Integer(fields.value<Int128>(row)).to_string()));
      }
    }
  }
};

// Lets texts be looked up without a copy.
struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>{}(text);
  }
};

using IntegerNumbers = std::unordered_map<std::int64_t, std::int64_t>;
using TextNumbers = std::unordered_map<std::string, std::int64_t, TextHash, std::equal_to<>>;

// fits: whether a wide number fits in 64 bits. No key is wider.
bool fits(Int128 number) {
  return number >= std::numeric_limits<std::int64_t>::min() &&
         number <= std::numeric_limits<std::int64_t>::max();
}

std::unique_ptr<RowFunction> numbered_map(IntegerNumbers numbers, Mapped other,
                                          const PlainValue* impute) {
  auto number = [numbers = std::move(numbers), other]<WholeNumber F>(F field) {
    const auto found = fits(field) ? numbers.find(static_cast<std::int64_t>(field)) : numbers.end();
    return found == numbers.end() ? other : Mapped(found->second);
  };
  const Mapped missing = impute != nullptr ? number(std::get<std::int64_t>(*impute)) : Mapped();
  return field_map(std::move(number), missing);
}

std::unique_ptr<RowFunction> numbered_map(TextNumbers numbers, Mapped other,
                                          const PlainValue* impute) {
  auto number = [numbers = std::move(numbers), other](std::string_view field) {
    const auto found = numbers.find(field);
    return found == numbers.end() ? other : Mapped(found->second);
  };
  const Mapped missing = impute != nullptr ? number(std::get<std::string>(*impute)) : Mapped();
  return field_map(std::move(number), missing);
}

std::unique_ptr<RowFunction> listed_map(const CategoryCounts& categories,
                                        const std::vector<KeyValue>& keys, Mapped other,
                                        const PlainValue* impute) {
  IntegerNumbers integers;
  TextNumbers texts;
  for (std::int64_t i = 0; const KeyValue& key : keys) {
    const PlainValue value = plain_value(key);
    if (const auto* text = std::get_if<std::string>(&value)) {
      texts.emplace(*text, i++);
    } else {
      integers.emplace(std::get<std::int64_t>(value), i++);
    }
  }
  if (categories.field.type == FieldType::kText) {
    return numbered_map(std::move(texts), other, impute);
  }
  return numbered_map(std::move(integers), other, impute);
}

std::unique_ptr<RowFunction> range_map(const RangeKeys& range, Mapped other,
                                       const PlainValue* impute) {
  const auto number = [range, other]<WholeNumber F>(F field) {
    const bool inside = range.first <= field && field <= range.last;
    return inside ? Mapped(static_cast<std::int64_t>(field) - range.first) : other;
  };
  return field_map(number, impute != nullptr ? number(std::get<std::int64_t>(*impute)) : Mapped());
}

// TupleMap: fields of several columns, joined into one string of bytes that can be decoded from the
// front, so that different tuples have different strings.
class TupleMap final : public RowFunction {
 public:
  explicit TupleMap(const ListedKeys& listed) {
    for (const KeyTuple& tuple : listed.tuples) {
      std::string joined;
      for (const KeyValue& key : tuple) {
        const auto add = [&](const auto& value) { append(joined, value); };
        std::visit(add, plain_value(key));
      }
      numbers_.emplace(std::move(joined), static_cast<std::int64_t>(numbers_.size()));
    }
  }

  void run(std::span<const FieldBatch> arguments, std::size_t rows, Output& out) const override {
    std::string joined;
    for (std::size_t row = 0; row < rows; ++row) {
      joined.clear();
      const auto found = join(arguments, row, joined) ? numbers_.find(joined) : numbers_.end();
      if (found == numbers_.end()) {
        out.set_null(row);
      } else {
        out.set(row, found->second);
      }
    }
  }

 private:
  static void append(std::string& joined, std::int64_t number) {
    const auto word = static_cast<std::uint64_t>(number);
    for (int shift = 0; shift < 64; shift += 8) joined += static_cast<char>(word >> shift & 0xff);
  }
  static void append(std::string& joined, std::string_view text) {
    append(joined, static_cast<std::int64_t>(text.size()));
    joined += text;
  }

  // False where a field is missing.
  static bool join(std::span<const FieldBatch> arguments, std::size_t row, std::string& joined) {
    for (const FieldBatch& fields : arguments) {
      if (fields.is_missing(row)) return false;
      if (std::holds_alternative<std::span<const std::int64_t>>(fields.values)) {
        append(joined, fields.value<std::int64_t>(row));
      } else {
        append(joined, fields.value<std::string_view>(row));
      }
    }
    return true;
  }

  TextNumbers numbers_;
};

}  // namespace

PlainValue plain_value(const KeyValue& key) {
  if (const auto* truth = std::get_if<bool>(&key)) return std::int64_t{*truth};
  if (const auto* number = std::get_if<std::int64_t>(&key)) return *number;
  if (const auto* text = std::get_if<std::string>(&key)) return *text;
  return std::int64_t{std::chrono::sys_days(std::get<Date>(key)).time_since_epoch().count()};
}

std::unique_ptr<RowFunction> map_presence() {
  return field_map([](const auto& /*field*/) { return Mapped(0); }, std::nullopt);
}

std::unique_ptr<RowFunction> map_truth() {
  return field_map([]<WholeNumber F>(F field) { return Mapped(field == 1 ? 1 : 0); }, 0);
}

std::unique_ptr<RowFunction> map_field() {
  const auto number = []<WholeNumber F>(F field) {
    return fits(field) ? Mapped(static_cast<std::int64_t>(field)) : std::nullopt;
  };
  return field_map(number, std::nullopt);
}

std::unique_ptr<RowFunction> map_digits() { return std::make_unique<DigitsMap>(); }

std::unique_ptr<RowFunction> map_steps(const SteppedField& field) {
  if (field.field.type == FieldType::kDecimal) return decimal_steps(field);
  return field.field.type == FieldType::kReal ? real_steps(field) : integer_steps(field);
}

std::unique_ptr<RowFunction> map_bins(const BinCounts& bins) {
  if (bins.field.type == FieldType::kDecimal) {
    BinCounts whole = bins;
    whole.edges = in_units(bins.edges, bins.field.type);
    if (bins.impute) whole.impute = *bins.impute * decimal_unit(bins.field.type);
    return bins_map<Int128>(whole);
  }
  return bins.field.type == FieldType::kReal ? bins_map<double>(bins) : bins_map<Int128>(bins);
}

std::unique_ptr<RowFunction> map_ranks(const BelowCounts& below) {
  if (below.field.type == FieldType::kDecimal) {
    BelowCounts whole = below;
    whole.candidates = in_units(below.candidates, below.field.type);
    if (below.impute) whole.impute = *below.impute * decimal_unit(below.field.type);
    return ranks_map<Int128>(whole);
  }
  return below.field.type == FieldType::kReal ? ranks_map<double>(below) : ranks_map<Int128>(below);
}

std::unique_ptr<RowFunction> map_categories(const CategoryCounts& categories) {
  const std::int64_t size = category_count(categories);
  const Mapped other = categories.other ? Mapped(size) : std::nullopt;
  std::optional<PlainValue> impute;
  if (categories.impute) impute = plain_value(*categories.impute);
  const PlainValue* imputed = impute ? &*impute : nullptr;
  if (const auto* range = std::get_if<RangeKeys>(&categories.categories)) {
    return range_map(*range, other, imputed);
  }
  return listed_map(categories, std::get<std::vector<KeyValue>>(categories.categories), other,
                    imputed);
}

std::unique_ptr<RowFunction> map_tuples(const ListedKeys& listed) {
  return std::make_unique<TupleMap>(listed);
}

}  // namespace lastbit::engine
