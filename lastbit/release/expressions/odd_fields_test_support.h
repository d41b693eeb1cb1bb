// Tables of odd fields, for tests of expressions: ends of types, missing fields, hard texts.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "lastbit/release/expressions/expression_batch.h"
#include "lastbit/release/fields/field_text.h"

namespace lastbit {
namespace expression_batch_test {

// Dice: SplitMix64, so that a failure repeats.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(word() % bound); }
  template <class List>
  const auto& one_of(const List& list) {
    return list[below(std::size(list))];
  }
  std::uint64_t word() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_;
};

constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();
constexpr double kInfinite = std::numeric_limits<double>::infinity();

// A zone with changes, if this machine knows one.
inline FieldType stamp_type() {
  auto zone = TimeZone::find("Europe/Berlin");
  if (std::holds_alternative<ZoneProblem>(zone)) zone = TimeZone::find("-03:30");
  return FieldType::timestamp(*std::get<const TimeZone*>(zone));
}
inline const FieldType kStamp = stamp_type();
inline const FieldType kMoney = FieldType::decimal(2);

inline const std::vector<RowColumn> kRow = {{"i", FieldType::kInteger},
                                            {"j", FieldType::kInteger},
                                            {"wide", FieldType::kInteger},
                                            {"x", FieldType::kReal},
                                            {"y", FieldType::kReal},
                                            {"counted", FieldType::kReal},
                                            {"s", FieldType::kText},
                                            {"t", FieldType::kText},
                                            {"p", FieldType::kBoolean},
                                            {"odd \"name\"", FieldType::kBoolean},
                                            {"d", FieldType::kDate},
                                            {"end", FieldType::kDate},
                                            {"at", kStamp},
                                            {"until", kStamp},
                                            {"utc", FieldType::kTimestamp},
                                            {"clock", FieldType::kTime},
                                            {"m", kMoney},
                                            {"fine", FieldType::decimal(5)},
                                            {"u", FieldType::kUnsigned}};
constexpr std::size_t kColumns = 19;

// Fields: what a table holds. Loops are different where no field is missing, and where no result is
// infinite.
enum class Fields { kOdd, kComplete, kTame };

// Table: fields of all columns, as engines hand them over.
class Table {
 public:
  static constexpr std::size_t kRows = 2'048 + 256;

  explicit Table(Dice& dice, Fields kind = Fields::kOdd) {
    const std::array<std::int64_t, 12> wholes = {
        kLowest, kLowest + 1, -7, -1, 0, 1, 2, 3, 12, 1'000'000'007, kHighest - 1, kHighest};
    const std::array<double, 20> reals = {-kInfinite,
                                          kInfinite,
                                          std::nan(""),
                                          -0.0,
                                          0.0,
                                          5e-324,
                                          -2.2250738585072014e-308,
                                          0.1,
                                          0.5,
                                          -0.5,
                                          1.5,
                                          -2.5,
                                          2.675,
                                          9007199254740993.0,
                                          9223372036854775808.0,
                                          -9223372036854775808.0,
                                          1e300,
                                          -1.7976931348623157e308,
                                          1e15,
                                          12.0};
    const std::vector<std::string> texts = {"",
                                            "a",
                                            "north",
                                            "North",
                                            "it's",
                                            "%",
                                            "_",
                                            "100%",
                                            "Ärger",
                                            "straße",
                                            "ŉ",
                                            "İ",
                                            "ı",
                                            "🙂",
                                            " x ",
                                            "\t1",
                                            "12",
                                            "-7",
                                            "+5",
                                            "1e400",
                                            "0x1",
                                            "true",
                                            "FALSE",
                                            "2024-02-29",
                                            "2023-02-29",
                                            "2026-03-29 02:30:00",
                                            "2026-10-25T02:30:00.25",
                                            " 2024-02-29 23:59+14:00 ",
                                            "9999-12-31 23:30-01",
                                            "10:30",
                                            "25:00",
                                            "-3.25",
                                            "18446744073709551615",
                                            "9999-12-31",
                                            "\xff",
                                            "\xc3",
                                            "\xa4",
                                            "a\xf0\x9f",
                                            std::string("a\0b", 3),
                                            "aaaaaaaaab"};
    const std::array<std::string, 4> longs = {
        std::string(kMaxTextBytes, 'x'), std::string(kMaxTextBytes + 1, 'x'),
        std::string(kMaxTextBytes - 1, ' ') + "b", std::string(40'000, 'a')};
    const std::array<std::int64_t, 8> days = {kFirstDay, kFirstDay + 1, -1,           0,
                                              19'782,    20'454,        kLastDay - 1, kLastDay};
    // Around changes of the clocks, and the ends of the calendar.
    const std::array<std::int64_t, 11> instants = {
        kFirstInstant,
        kFirstInstant + 3'599'999'999,
        -1,
        0,
        1'774'746'000'000'000,  // 2026-03-29 01:00 UTC
        1'774'745'999'999'999,
        1'792'888'200'500'000,  // 2026-10-25 00:30:00.5 UTC
        1'792'891'800'000'000,
        -1'693'706'400'000'001,
        kLastInstant - 3'600'000'000,
        kLastInstant};
    const std::array<std::int64_t, 6> times = {
        0, 1, 36'000'000'000, 45'296'789'000, 43'200'000'000, kDayMicros - 1};
    const std::array<Int128, 11> decimals = {0,
                                             1,
                                             -1,
                                             50,
                                             -50,
                                             999,
                                             25'000,
                                             -123'456,
                                             kDecimalEnd - 1,
                                             1 - kDecimalEnd,
                                             Int128{kHighest} * 100};
    const std::array<Int128, 7> unsigneds = {
        0, 1, 12, 1'000'000'007, kHighest, Int128{kHighest} + 1, Int128{kHighest} * 2 + 1};
    for (std::size_t row = 0; row < kRows; ++row) {
      for (std::size_t c = 0; c < kRow.size(); ++c) {
        const bool present = dice.below(6) != 0 || kind != Fields::kOdd;
        if (row % 64 == 0) validity_[c].push_back(0);
        if (present) validity_[c].back() |= std::uint64_t{1} << (row % 64);
        switch (kRow[c].type) {
          case FieldType::kInteger:
            wholes_[c].push_back(dice.one_of(wholes));
            wides_[c].push_back(Int128{dice.one_of(wholes)} + Int128{dice.one_of(wholes)});
            break;
          case FieldType::kReal:
            reals_[c].push_back(dice.one_of(reals));
            if (kind == Fields::kComplete && std::isnan(reals_[c].back())) reals_[c].back() = -0.0;
            if (kind == Fields::kTame) reals_[c].back() = static_cast<double>(dice.below(9)) / 2;
            wholes_[c].push_back(dice.one_of(wholes));
            break;
          case FieldType::kText:
            kept_[c].push_back(dice.below(200) == 0 ? dice.one_of(longs) : dice.one_of(texts));
            break;
          case FieldType::kBoolean:
            wholes_[c].push_back(static_cast<std::int64_t>(dice.below(2)));
            break;
          case FieldType::kDate:
            wholes_[c].push_back(dice.one_of(days));
            break;
          case FieldType::kTimestamp:
            wholes_[c].push_back(dice.one_of(instants));
            break;
          case FieldType::kTime:
            wholes_[c].push_back(dice.one_of(times));
            break;
          case FieldType::kDecimal:
            wides_[c].push_back(dice.one_of(decimals));
            break;
          case FieldType::kUnsigned:
            wides_[c].push_back(dice.one_of(unsigneds));
            break;
        }
      }
    }
    for (std::size_t c = 0; c < kRow.size(); ++c)
      texts_[c].assign(kept_[c].begin(), kept_[c].end());
  }

  // fields: of `rows` rows from `first` on, a multiple of 64. Some columns have no missing fields.
  FieldBatch fields(const std::string& name, std::size_t first, std::size_t rows) const {
    const std::size_t c = number(name);
    FieldBatch batch;
    if (name == "wide" || is_wide(kRow[c].type)) {
      batch.values = std::span(wides_[c]).subspan(first, rows);
    } else if (kRow[c].type == FieldType::kReal && name != "counted") {
      batch.values = std::span(reals_[c]).subspan(first, rows);
    } else if (kRow[c].type == FieldType::kText) {
      batch.values = std::span(texts_[c]).subspan(first, rows);
    } else {
      batch.values = std::span(wholes_[c]).subspan(first, rows);
    }
    if (name != "j" && name != "t") batch.validity = validity_[c].data() + first / 64;
    return batch;
  }

  // field: the same for the definition, which never sees NaN or more than 64 bits.
  Cell field(const std::string& name, std::size_t row) const {
    const std::size_t c = number(name);
    if (fields(name, 0, kRows).is_missing(row)) return std::nullopt;
    switch (kRow[c].type) {
      case FieldType::kInteger:
        if (name == "wide") {
          const Int128 wide = wides_[c][row];
          if (wide < kLowest || wide > kHighest) return std::nullopt;
          return static_cast<std::int64_t>(wide);
        }
        return wholes_[c][row];
      case FieldType::kReal:
        if (name == "counted") return static_cast<double>(wholes_[c][row]);
        if (std::isnan(reals_[c][row])) return std::nullopt;
        return reals_[c][row];
      case FieldType::kText:
        return kept_[c][row];
      case FieldType::kBoolean:
        return wholes_[c][row] != 0;
      case FieldType::kTimestamp:
        return Instant{wholes_[c][row]};
      case FieldType::kTime:
        return TimeOfDay{wholes_[c][row]};
      case FieldType::kDecimal:
      case FieldType::kUnsigned:
        return Decimal{wides_[c][row], kRow[c].type.decimals()};
      case FieldType::kDate:
        break;
    }
    return Day{wholes_[c][row]};
  }

 private:
  static std::size_t number(const std::string& name) {
    std::size_t c = 0;
    while (kRow[c].name != name) ++c;
    return c;
  }

  std::array<std::vector<std::int64_t>, kColumns> wholes_;
  std::array<std::vector<Int128>, kColumns> wides_;
  std::array<std::vector<double>, kColumns> reals_;
  std::array<std::vector<std::string>, kColumns> kept_;
  std::array<std::vector<std::string_view>, kColumns> texts_;
  std::array<std::vector<std::uint64_t>, kColumns> validity_;
};

}  // namespace expression_batch_test
}  // namespace lastbit
