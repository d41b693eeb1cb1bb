// The columns that ExpressionBatch computes, and loops over their rows. For this folder only.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "lastbit/release/expressions/expression.h"
#include "lastbit/release/expressions/values.h"
#include "lastbit/release/file/field_batch.h"

namespace lastbit::expression_internal {

// Column: the values of one node. Conditions are 0 and 1, dates are days.
template <class T>
struct Column {
  const std::uint8_t* present;
  const T* values;
};

// Slot: room for the values of one node.
class Slot {
 public:
  std::vector<std::uint8_t> present;
  std::vector<Whole> wholes;
  std::vector<double> reals;
  std::vector<std::string_view> texts;
  std::vector<std::string> owned;  // texts that were computed
  std::size_t owned_bytes = 0;     // at least as many as they have
  // Where the values are: in the vectors above, or in the fields.
  const Whole* whole_values = nullptr;
  const double* real_values = nullptr;
  const std::string_view* text_values = nullptr;

  template <class T>
  Column<T> column() const {
    if constexpr (std::same_as<T, Whole>) return {present.data(), whole_values};
    if constexpr (std::same_as<T, double>) return {present.data(), real_values};
    if constexpr (std::same_as<T, std::string_view>) return {present.data(), text_values};
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
    } else {
      texts.resize(rows);
      text_values = texts.data();
    }
  }

  void set_missing(std::size_t row) { present[row] = 0; }
  void set(std::size_t row, Whole value) {
    present[row] = 1;
    wholes[row] = value;
  }
  void set(std::size_t row, bool value) { set(row, Whole{value ? 1 : 0}); }
  void set(std::size_t row, Day value) { set(row, value.number); }
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
  return use(slot.column<Whole>());
}

// apply: a function of values, for each row in which none is missing.
template <class Out, class Function, class... T>
void apply(std::size_t rows, Slot& out, Function function, const Column<T>&... operands) {
  out.prepare<Out>(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    if ((operands.present[row] & ...) != 0) {
      out.set(row, function(operands.values[row]...));
    } else {
      out.set_missing(row);
    }
  }
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
    if (fields_.validity == nullptr) {
      std::fill_n(slot_.present.begin(), rows_, std::uint8_t{1});
    } else {
      for (std::size_t row = 0; row < rows_; ++row) {
        slot_.present[row] = fields_.validity[row / 64] >> (row % 64) & 1;
      }
    }
    std::visit([&](const auto& values) { read(values, type); }, fields_.values);
  }

 private:
  void read(std::span<const Whole> values, FieldType type) {
    if (type == FieldType::kReal) return convert(values);
    slot_.whole_values = values.data();
  }
  void read(std::span<const Int128> values, FieldType type) {
    if (type == FieldType::kReal) return convert(values);
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
    } else {
      return has(wholes_, value) || has(reals_, value);
    }
  }

 private:
  void put(Whole value) { wholes_.push_back(value); }
  void put(bool value) { wholes_.push_back(value ? 1 : 0); }
  void put(Day value) { wholes_.push_back(value.number); }
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
