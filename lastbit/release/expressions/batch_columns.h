// The columns that ExpressionBatch computes, and loops over their rows. For this folder only.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/release/expressions/expression.h"
#include "lastbit/release/expressions/values.h"
#include "lastbit/release/fields/field_batch.h"

namespace lastbit::expression_internal {

// Column: the values of one node. Conditions are 0 and 1, dates are days, times microseconds, and
// decimals whole numbers over a power of ten.
template <class T>
struct Column {
  const std::uint8_t* present;
  const T* values;
  bool complete;  // no value is missing
};

// Plain: results that are stored as they are, without a limit to check.
template <class Result, class Stored>
concept Plain =
    std::same_as<Result, Stored> ||
    (std::same_as<Stored, Whole> && (std::same_as<Result, bool> || std::same_as<Result, Day>));
template <class Result, class Stored>
concept MaybePlain = Plain<typename Result::value_type, Stored>;

inline Whole as_stored(bool truth) { return truth ? 1 : 0; }
inline Whole as_stored(Day day) { return day.number; }
template <class T>
T as_stored(T value) {
  return value;
}

// Slot: room for the values of one node.
class Slot {
 public:
  std::vector<std::uint8_t> present;
  std::vector<Whole> wholes;
  std::vector<double> reals;
  std::vector<Wide> wides;
  std::vector<std::string_view> texts;
  std::vector<std::string> owned;  // texts that were computed
  std::size_t owned_bytes = 0;     // at least as many as they have
  bool complete = false;           // no value is missing, as `note_missing` found
  // Where the values are: in the vectors above, or in the fields.
  const Whole* whole_values = nullptr;
  const double* real_values = nullptr;
  const Wide* wide_values = nullptr;
  const std::string_view* text_values = nullptr;

  template <class T>
  Column<T> column() const {
    if constexpr (std::same_as<T, Whole>) return {present.data(), whole_values, complete};
    if constexpr (std::same_as<T, double>) return {present.data(), real_values, complete};
    if constexpr (std::same_as<T, Wide>) return {present.data(), wide_values, complete};
    if constexpr (std::same_as<T, std::string_view>) return {present.data(), text_values, complete};
  }

  // prepare: makes room for values of this type.
  template <class T>
  void prepare(std::size_t rows) {
    present.resize(rows);
    if constexpr (std::same_as<T, Whole>) {
      wholes.resize(rows);
      whole_values = wholes.data();
    } else if constexpr (std::same_as<T, double>) {
      reals.resize(rows);
      real_values = reals.data();
    } else if constexpr (std::same_as<T, Wide>) {
      wides.resize(rows);
      wide_values = wides.data();
    } else {
      texts.resize(rows);
      text_values = texts.data();
    }
  }

  // room: where the values of this type are, after `prepare`.
  template <class T>
  T* room() {
    if constexpr (std::same_as<T, Whole>) return wholes.data();
    if constexpr (std::same_as<T, double>) return reals.data();
    if constexpr (std::same_as<T, Wide>) return wides.data();
    if constexpr (std::same_as<T, std::string_view>) return texts.data();
  }

  // note_missing: finds out whether loops over these rows may leave out the question.
  void note_missing(std::size_t rows) {
    complete = rows == 0 || std::memchr(present.data(), 0, rows) == nullptr;
  }

  void set_missing(std::size_t row) { present[row] = 0; }
  void set(std::size_t row, Whole value) {
    present[row] = 1;
    wholes[row] = value;
  }
  void set(std::size_t row, bool value) { set(row, Whole{value ? 1 : 0}); }
  void set(std::size_t row, Day value) { set(row, value.number); }
  void set(std::size_t row, Instant value) { set(row, value.micros); }
  void set(std::size_t row, TimeOfDay value) { set(row, value.micros); }
  void set(std::size_t row, const Decimal& value) { set(row, value.number); }
  void set(std::size_t row, Wide value) {
    present[row] = 1;
    wides[row] = value;
  }
  void set(std::size_t row, double value) {
    present[row] = 1;
    reals[row] = value;
  }
  void set(std::size_t row, std::string_view value) {
    present[row] = 1;
    texts[row] = value;
  }
  void set(std::size_t row, std::string value) {
    if (value.size() > kMaxTextBytes) return set_missing(row);
    if (owned.size() < present.size()) owned.resize(present.size());
    owned_bytes += value.size();
    owned[row] = std::move(value);
    set(row, std::string_view(owned[row]));
  }
  void forget_texts() {
    constexpr std::size_t kLarge = std::size_t{1} << 20;
    if (owned_bytes > kLarge) std::vector<std::string>().swap(owned);
    owned_bytes = 0;
  }
  template <class T>
  void set(std::size_t row, std::optional<T> value) {
    if (value) {
      set(row, *std::move(value));
    } else {
      set_missing(row);
    }
  }
};

// with_column: calls `use` with the values of a slot that holds values of the type.
template <class Use>
void with_column(const Slot& slot, FieldType type, Use use) {
  if (type == FieldType::kReal) return use(slot.column<double>());
  if (type == FieldType::kText) return use(slot.column<std::string_view>());
  if (is_wide(type)) return use(slot.column<Wide>());
  return use(slot.column<Whole>());
}

// apply_to_all: a function of values of which none is missing. Without a question for each row, the
// compiler can take several at a time.
template <class Out, class Function, class... T>
void apply_to_all(std::size_t rows, Slot& out, Function function, const T*... operands) {
  Out* const values = out.room<Out>();
  std::uint8_t* const present = out.present.data();
  if constexpr (Plain<std::invoke_result_t<Function, T...>, Out>) {
    std::fill_n(present, rows, std::uint8_t{1});
    for (std::size_t row = 0; row < rows; ++row) {
      values[row] = as_stored(function(operands[row]...));
    }
  } else {
    for (std::size_t row = 0; row < rows; ++row) {
      const auto result = function(operands[row]...);
      present[row] = result.has_value() ? 1 : 0;
      values[row] = result.has_value() ? as_stored(*result) : Out{};
    }
  }
}

// apply: a function of values, for each row in which none is missing.
template <class Out, class Function, class... T>
void apply(std::size_t rows, Slot& out, Function function, const Column<T>&... operands) {
  using Result = std::invoke_result_t<Function, T...>;
  out.prepare<Out>(rows);
  if constexpr (Plain<Result, Out> || MaybePlain<Result, Out>) {
    if ((operands.complete && ...)) {
      return apply_to_all<Out>(rows, out, function, operands.values...);
    }
  }
  for (std::size_t row = 0; row < rows; ++row) {
    if ((operands.present[row] & ...) != 0) {
      out.set(row, function(operands.values[row]...));
    } else {
      out.set_missing(row);
    }
  }
}

// join_all: AND (`decides` is 0) or OR of conditions of which none is unknown.
inline void join_all(std::size_t rows, Whole decides, const Whole* one, Whole* values) {
  if (decides == 0) {
    for (std::size_t row = 0; row < rows; ++row) values[row] &= one[row];
  } else {
    for (std::size_t row = 0; row < rows; ++row) values[row] |= one[row];
  }
}

// choose_all: `yes` in the rows in which the condition holds, `no` in the others, where none is
// missing. `no` may be where the values are. Numbers of 64 bits are chosen by a mask: a branch
// would be hard to predict.
template <class T>
void choose_all(std::size_t rows, const Whole* condition, const T* yes, const T* no, T* values) {
  for (std::size_t row = 0; row < rows; ++row) {
    if constexpr (std::same_as<T, std::string_view> || std::same_as<T, Wide>) {
      values[row] = condition[row] != 0 ? yes[row] : no[row];
    } else {
      const auto mask = std::uint64_t{0} - static_cast<std::uint64_t>(condition[row]);
      const auto a = std::bit_cast<std::uint64_t>(yes[row]);
      const auto b = std::bit_cast<std::uint64_t>(no[row]);
      values[row] = std::bit_cast<T>((a & mask) | (b & ~mask));
    }
  }
}

// apply_real: as apply, for functions whose result is missing only if it is not finite; `raw` is
// the function without that question. Infinite results are rare, and looking for any is faster
// than asking for each row: adding 1 to the exponent field sets the sign bit where it is full.
template <class Raw, class Function>
void apply_real(std::size_t rows, Slot& out, Raw raw, Function function, const Column<double>& a,
                const Column<double>& b) {
  if (!a.complete || !b.complete) return apply<double>(rows, out, function, a, b);
  constexpr std::uint64_t kExponent = 0x7ff0'0000'0000'0000;
  constexpr std::uint64_t kOne = 0x0010'0000'0000'0000;
  out.prepare<double>(rows);
  double* const values = out.room<double>();
  std::uint64_t full = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    values[row] = raw(a.values[row], b.values[row]);
    full |= (std::bit_cast<std::uint64_t>(values[row]) & kExponent) + kOne;
  }
  if (full >> 63 != 0) return apply<double>(rows, out, function, a, b);
  std::fill_n(out.present.begin(), rows, std::uint8_t{1});
}

// any_nan: whether one of the numbers is NaN; only then the sum carries into the sign bit.
inline bool any_nan(std::span<const double> numbers) {
  constexpr std::uint64_t kMagnitude = 0x7fff'ffff'ffff'ffff;
  constexpr std::uint64_t kMantissa = 0x000f'ffff'ffff'ffff;
  std::uint64_t carries = 0;
  for (const double number : numbers) {
    carries |= (std::bit_cast<std::uint64_t>(number) & kMagnitude) + kMantissa;
  }
  return carries >> 63 != 0;
}

// is_equal, is_less: as compare says, which has to decide more.
template <class A, class B>
bool is_equal(const A& a, const B& b) {
  if constexpr (std::same_as<A, B>) {
    return a == b;
  } else {
    return compare(a, b) == 0;
  }
}
template <class A, class B>
bool is_less(const A& a, const B& b) {
  if constexpr (std::same_as<A, B>) {
    return a < b;
  } else {
    return compare(a, b) < 0;
  }
}

// number_of: a value as what the definition compares; its type says how many decimals it has.
template <class T>
T number_of(const T& value, FieldType /*type*/) {
  return value;
}
inline Decimal number_of(Wide value, FieldType type) { return {value, type.decimals()}; }

// compare_exactly: columns of which at least one has decimals.
template <class A, class B>
void compare_exactly(RowOperation operation, std::size_t rows, Slot& out, const Column<A>& a,
                     FieldType a_type, const Column<B>& b, FieldType b_type) {
  const auto compared = [&](auto holds) {
    apply<Whole>(
        rows, out,
        [&](const A& x, const B& y) {
          return holds(compare(number_of(x, a_type), number_of(y, b_type)));
        },
        a, b);
  };
  switch (operation) {
    case RowOperation::kEqual:
      return compared([](std::weak_ordering order) { return order == 0; });
    case RowOperation::kNotEqual:
      return compared([](std::weak_ordering order) { return order != 0; });
    case RowOperation::kLess:
      return compared([](std::weak_ordering order) { return order < 0; });
    case RowOperation::kLessEqual:
      return compared([](std::weak_ordering order) { return order <= 0; });
    case RowOperation::kGreater:
      return compared([](std::weak_ordering order) { return order > 0; });
    default:
      return compared([](std::weak_ordering order) { return order >= 0; });
  }
}

template <class A, class B>
void compare_columns(RowOperation operation, std::size_t rows, Slot& out, const Column<A>& a,
                     const Column<B>& b) {
  switch (operation) {
    case RowOperation::kEqual:
      return apply<Whole>(rows, out, [](A x, B y) { return is_equal(x, y); }, a, b);
    case RowOperation::kNotEqual:
      return apply<Whole>(rows, out, [](A x, B y) { return !is_equal(x, y); }, a, b);
    case RowOperation::kLess:
      return apply<Whole>(rows, out, [](A x, B y) { return is_less(x, y); }, a, b);
    case RowOperation::kLessEqual:
      return apply<Whole>(rows, out, [](A x, B y) { return !is_less(y, x); }, a, b);
    case RowOperation::kGreater:
      return apply<Whole>(rows, out, [](A x, B y) { return is_less(y, x); }, a, b);
    default:
      return apply<Whole>(rows, out, [](A x, B y) { return !is_less(x, y); }, a, b);
  }
}

// with_comparable: calls `use` with both columns, which are both texts or both not.
template <class Use>
void with_comparable(const Slot& a, FieldType a_type, const Slot& b, FieldType b_type, Use use) {
  with_column(a, a_type, [&]<class A>(const Column<A>& x) {
    with_column(b, b_type, [&]<class B>(const Column<B>& y) {
      constexpr bool kTexts = std::same_as<A, std::string_view>;
      if constexpr (kTexts == std::same_as<B, std::string_view>) use(x, y);
    });
  });
}

// Fields of the engine as the values of their column.
class Loader {
 public:
  Loader(const FieldBatch& fields, std::size_t rows, Slot& slot)
      : fields_(fields), rows_(rows), slot_(slot) {}

  void load(FieldType type) {
    slot_.present.resize(rows_);
    if (has_all()) {
      std::fill_n(slot_.present.begin(), rows_, std::uint8_t{1});
    } else {
      for (std::size_t row = 0; row < rows_; ++row) {
        slot_.present[row] = fields_.validity[row / 64] >> (row % 64) & 1;
      }
    }
    std::visit([&](const auto& values) { read(values, type); }, fields_.values);
  }

 private:
  // Engines give words even where no field is missing.
  bool has_all() const {
    if (fields_.validity == nullptr) return true;
    const std::size_t words = rows_ / 64;
    const auto full = [](std::uint64_t word) { return ~word == 0; };
    const std::uint64_t rest = (std::uint64_t{1} << (rows_ % 64)) - 1;
    return std::all_of(fields_.validity, fields_.validity + words, full) &&
           (rest == 0 || (fields_.validity[words] & rest) == rest);
  }

  void read(std::span<const Whole> values, FieldType type) {
    if (type == FieldType::kReal) return convert(values);
    slot_.whole_values = values.data();
  }
  void read(std::span<const Int128> values, FieldType type) {
    if (type == FieldType::kReal) return convert(values);
    if (is_wide(type)) {
      slot_.wide_values = values.data();
      return;
    }
    slot_.wholes.resize(rows_);
    slot_.whole_values = slot_.wholes.data();
    for (std::size_t row = 0; row < rows_; ++row) {
      const bool fits = values[row] >= std::numeric_limits<Whole>::min() &&
                        values[row] <= std::numeric_limits<Whole>::max();
      slot_.present[row] &= fits;
      slot_.wholes[row] = fits ? static_cast<Whole>(values[row]) : 0;
    }
  }
  void read(std::span<const double> values, FieldType /*type*/) {
    slot_.real_values = values.data();
    if (!any_nan(values)) return;
    for (std::size_t row = 0; row < rows_; ++row) slot_.present[row] &= !std::isnan(values[row]);
  }
  void read(std::span<const std::string_view> values, FieldType /*type*/) {
    slot_.text_values = values.data();
    for (std::size_t row = 0; row < rows_; ++row) {
      if (slot_.present[row] != 0) slot_.present[row] = values[row].size() <= kMaxTextBytes;
    }
  }
  template <class T>
  void convert(std::span<const T> values) {
    slot_.reals.resize(rows_);
    slot_.real_values = slot_.reals.data();
    for (std::size_t row = 0; row < rows_; ++row) {
      slot_.reals[row] = static_cast<double>(values[row]);
    }
  }

  const FieldBatch& fields_;
  std::size_t rows_;
  Slot& slot_;
};

// ConstantSet: the constants of IN (…), in ascending order, so that a long list takes few steps.
class ConstantSet {
 public:
  void add(const Cell& constant) {
    if (!constant) {
      has_missing_ = true;
      return;
    }
    std::visit([&](const auto& value) { put(value); }, *constant);
  }
  void sort() {
    std::ranges::sort(wholes_);
    std::ranges::sort(reals_);
    std::ranges::sort(texts_);
  }
  bool has_missing() const { return has_missing_; }

  template <class T>
  bool contains(const T& value) const {
    if constexpr (std::same_as<T, std::string_view>) {
      return has(texts_, value);
    } else if constexpr (std::same_as<T, Wide>) {
      return false;  // decimals are compared one by one
    } else {
      return has(wholes_, value) || has(reals_, value);
    }
  }

 private:
  void put(Whole value) { wholes_.push_back(value); }
  void put(bool value) { wholes_.push_back(value ? 1 : 0); }
  void put(Day value) { wholes_.push_back(value.number); }
  void put(Instant value) { wholes_.push_back(value.micros); }
  void put(TimeOfDay value) { wholes_.push_back(value.micros); }
  static void put(const Decimal& /*value*/) {
    broken_invariant("decimals are compared one by one", std::source_location::current());
  }
  void put(double value) { reals_.push_back(value); }
  void put(const std::string& value) { texts_.push_back(value); }
  template <class C, class T>
  static bool has(const std::vector<C>& sorted, const T& value) {
    const auto below = [](const C& a, const T& b) { return compare(a, b) < 0; };
    const auto at = std::lower_bound(sorted.begin(), sorted.end(), value, below);
    return at != sorted.end() && compare(*at, value) == 0;
  }

  std::vector<Whole> wholes_;
  std::vector<double> reals_;
  std::vector<std::string> texts_;
  bool has_missing_ = false;
};

// part_of_batch: `rows` rows from `first` on, which is a multiple of 64.
inline FieldBatch part_of_batch(const FieldBatch& fields, std::size_t first, std::size_t rows) {
  FieldBatch part;
  std::visit([&](const auto& values) { part.values = values.subspan(first, rows); }, fields.values);
  if (fields.validity != nullptr) part.validity = fields.validity + first / 64;
  return part;
}

}  // namespace lastbit::expression_internal
