// Random expressions over odd fields: what is written, canonical text, the definition and batches
// must agree.
#include "lastbit/release/expressions/expression_batch.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lastbit/release/expressions/lift.h"
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
FieldType stamp_type() {
  auto zone = TimeZone::find("Europe/Berlin");
  if (std::holds_alternative<ZoneProblem>(zone)) zone = TimeZone::find("-03:30");
  return FieldType::timestamp(*std::get<const TimeZone*>(zone));
}
const FieldType kStamp = stamp_type();
const FieldType kMoney = FieldType::decimal(2);

const std::vector<RowColumn> kRow = {{"i", FieldType::kInteger},
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

const std::array<FieldType, 9> kAllTypes = {
    FieldType::kInteger, FieldType::kReal, FieldType::kText,
    FieldType::kBoolean, FieldType::kDate, kStamp,
    FieldType::kTime,    kMoney,           FieldType::kUnsigned};

// Maker: the text of a random expression of a type. Parentheses are around everything, since
// syntax_test.cc checks what binds tighter.
class Maker {
 public:
  explicit Maker(Dice& dice) : dice_(dice) {}

  std::string make(FieldType type, int levels) {
    if (levels == 0 || dice_.below(8) == 0) return leaf(type);
    if (dice_.below(5) == 0) return choice(type, levels - 1);
    switch (type) {
      case FieldType::kInteger:
        return whole(levels - 1);
      case FieldType::kReal:
        return real(levels - 1);
      case FieldType::kText:
        return text(levels - 1);
      case FieldType::kBoolean:
        return truth(levels - 1);
      case FieldType::kTimestamp:
        return timestamp(levels - 1);
      case FieldType::kTime:
        return time(levels - 1);
      case FieldType::kDecimal:
        return decimal(levels - 1);
      case FieldType::kUnsigned:
        return unsigned_number(levels - 1);
      case FieldType::kDate:
        break;
    }
    return date(levels - 1);
  }

 private:
  using Names = std::vector<std::string>;
  static constexpr FieldType kInteger = FieldType::kInteger;
  static constexpr FieldType kReal = FieldType::kReal;
  static constexpr FieldType kText = FieldType::kText;
  static constexpr FieldType kBoolean = FieldType::kBoolean;
  static constexpr FieldType kDate = FieldType::kDate;
  static constexpr FieldType kTime = FieldType::kTime;
  static constexpr FieldType kUnsigned = FieldType::kUnsigned;

  std::string pick(const Names& names) { return dice_.one_of(names); }

  std::string leaf(FieldType type) {
    static const std::array<Names, 9> kNames = {Names{"i", "j", "wide"},
                                                Names{"x", "y", "counted"},
                                                Names{"s", "t"},
                                                Names{"p", "\"odd \"\"name\"\"\""},
                                                Names{"d", "\"end\""},
                                                Names{"at", "until"},
                                                Names{"clock"},
                                                Names{"m"},
                                                Names{"u"}};
    const std::string zone = kStamp.zone().name();
    const std::array<Names, 9> constants = {
        Names{"0", "1", "-1", "2", "-7", "9223372036854775807", "-9223372036854775808",
              "CAST(NULL AS INTEGER)"},
        Names{"0.0", "-0.0", "0.5", "1e300", "5e-324", ".25", "3.", "9007199254740993.0",
              "9223372036854775808.0", "CAST(NULL AS REAL)"},
        Names{"''", "'a'", "'it''s'", "'Ä'", "'x'", "' '", "'12'", "'%'", "CAST(NULL AS TEXT)"},
        Names{"TRUE", "false", "CAST(NULL AS BOOLEAN)"},
        Names{"DATE '0000-01-01'", "DATE '2024-02-29'", "date '9999-12-31'", "CAST(NULL AS DATE)"},
        Names{"TIMESTAMP '2026-03-29 02:30[" + zone + "]'",
              "TIMESTAMP '2026-10-25T02:30:00.5[" + zone + "]'",
              "TIMESTAMP '1970-01-01 00:00:00+00:00[" + zone + "]'",
              "CAST(NULL AS TIMESTAMP('" + zone + "'))"},
        Names{"TIME '00:00'", "TIME '10:00:00.000001'", "CAST(NULL AS TIME)"},
        Names{"DECIMAL '9.99'", "DECIMAL '-0.01'", "CAST(NULL AS DECIMAL(10, 2))",
              "DECIMAL '999999999999999999999999999999999999.99'"},
        Names{"CAST(18446744073709551615 AS UNSIGNED)", "CAST(NULL AS UBIGINT)"}};
    const std::size_t at = type.kind();
    return pick(dice_.below(3) != 0 ? kNames.at(at) : constants.at(at));
  }

  std::string choice(FieldType type, int levels) {
    const auto value = [&] { return make(type, levels); };
    switch (dice_.below(6)) {
      case 0:
        return "CASE WHEN " + make(kBoolean, levels) + " THEN " + value() + " WHEN " +
               make(kBoolean, levels) + " THEN " + value() + " END";
      case 1: {
        const FieldType of = any_type();
        return "CASE " + make(of, levels) + " WHEN " + make(of, levels) + " THEN " + value() +
               " WHEN " + leaf(of) + " THEN NULL ELSE " + value() + " END";
      }
      case 2:
        return "coalesce(" + value() + ", NULL, " + value() + ")";
      case 3:
        return "least(" + value() + ", " + value() + ", " + leaf(type) + ")";
      case 4:
        return "greatest(" + value() + ", " + value() + ")";
      default:
        return "nullif(" + value() + ", " + value() + ")";
    }
  }
  FieldType any_type() { return dice_.one_of(kAllTypes); }
  FieldType any_number() { return dice_.one_of(std::array{kInteger, kReal, kMoney, kUnsigned}); }

  std::string whole(int levels) {
    const auto number = [&] { return make(kInteger, levels); };
    switch (dice_.below(11)) {
      case 9:
        return pick({"hour", "minute", "second"}) + "(" +
               make(dice_.below(2) == 0 ? kStamp : kTime, levels) + ")";
      case 10:
        return pick({"year", "month", "week", "day", "weekday", "dayofyear"}) + "(" +
               make(kStamp, levels) + ")";
      case 0:
        return "(- " + number() + ")";
      case 1:
        return "abs(" + number() + ")";
      case 2:
        return pick({"floor", "CEIL"}) + "(" + make(any_number(), levels) + ")";
      case 3:
        return "length(" + make(kText, levels) + ")";
      case 4:
        return pick({"year", "quarter", "month", "week", "day", "weekday", "dayofyear"}) + "(" +
               make(kDate, levels) + ")";
      case 5:
        return "(" + make(kDate, levels) + " - " + make(kDate, levels) + ")";
      case 6: {
        const FieldType from =
            dice_.one_of(std::array{kInteger, kReal, kText, kBoolean, kMoney, kUnsigned});
        return "CAST(" + make(from, levels) + " AS BIGINT)";
      }
      case 7:
        return "EXTRACT(WEEK FROM " + make(kDate, levels) + ")";
      default:
        return "(" + number() + " " + pick({"+", "-", "*", "//", "%"}) + " " + number() + ")";
    }
  }

  std::string real(int levels) {
    const auto number = [&] { return make(kReal, levels); };
    switch (dice_.below(6)) {
      case 0:
        return "(- " + number() + ")";
      case 1:
        return "abs(" + number() + ")";
      case 2:
        return "round(" + number() + ", " + pick({"0", "1", "2", "15"}) + ")";
      case 3:
        return "(" +
               make(dice_.one_of(std::array{kInteger, kReal, kText, kMoney, kUnsigned}), levels) +
               ")::double precision";
      case 4:
        return "(" + make(any_number(), levels) + " / " + make(any_number(), levels) + ")";
      default:
        return "(" + make(dice_.below(2) == 0 ? kInteger : kReal, levels) + " " +
               pick({"+", "-", "*"}) + " " + number() + ")";
    }
  }

  std::string text(int levels) {
    const auto value = [&] { return make(kText, levels); };
    switch (dice_.below(6)) {
      case 0:
        return pick({"lower", "upper", "trim", "ltrim", "rtrim"}) + "(" + value() + ")";
      case 1:
        return "substring(" + value() + ", " + make(kInteger, levels) + ", " +
               make(kInteger, levels) + ")";
      case 2:
        return "substring(" + value() + ", " + make(kInteger, levels) + ")";
      case 3:
        return "replace(" + value() + ", " + value() + ", " + value() + ")";
      case 4:
        return "CAST(" + make(any_type(), levels) + " AS TEXT)";
      default:
        return "(" + value() + " || " + value() + ")";
    }
  }

  std::string truth(int levels) {
    const auto value = [&] { return make(kBoolean, levels); };
    const FieldType type = any_type();
    const bool number = is_number(type);
    const auto like = [&] { return make(number ? any_number() : type, levels); };
    switch (dice_.below(9)) {
      case 0:
        return "(NOT " + value() + ")";
      case 1:
        return "(" + value() + pick({" AND ", " OR "}) + value() + ")";
      case 2:
        return "(" + value() + " OR " + value() + " AND " + value() + ")";
      case 3:
        return "(" + make(any_type(), levels) + pick({" IS NULL", " IS NOT NULL"}) + ")";
      case 4:
        return "(" + value() + pick({" IS TRUE", " IS NOT TRUE", " IS FALSE"}) + ")";
      case 5:
        return "(" + like() + pick({" IN (", " NOT IN ("}) + like() + ", " + constant_of(type) +
               ", " + like() + ", " + constant_of(type) + pick({")", ", NULL)"}) + ")";
      case 6:
        return "(" + like() + " BETWEEN " + like() + " AND " + like() + ")";
      case 7:
        return "(" + make(kText, levels) + pick({" LIKE ", " NOT LIKE "}) +
               pick({"'%'", "''", "'a%'", "'%a'", "'_'", "'%a%b%'", "'Ä_ger'", "'%!%%' ESCAPE '!'",
                     "'''%' ESCAPE ''''", "'%ä_ä%' ESCAPE 'ä'", "'x%_'"}) +
               ")";
      default:
        return "(" + like() + " " + pick({"=", "<>", "!=", "<", "<=", ">", ">="}) + " " + like() +
               ")";
    }
  }
  // constant_of: values that fields have, so that IN finds some.
  std::string constant_of(FieldType type) {
    static const std::array<Names, 9> kConstants = {
        Names{"-7", "0", "12.0", "9223372036854775807"},
        Names{"0", "-0.0", "12", "0.5"},
        Names{"'north'", "''", "'a'"},
        Names{"TRUE", "FALSE"},
        Names{"'2024-02-29'", "DATE '1970-01-01'"},
        Names{"'2026-03-29 02:30'", "TIMESTAMP '1970-01-01 00:00Z'", "utc"},
        Names{"'10:00'", "TIME '12:00'"},
        Names{"9.99", "-0.5", "250", "1e300", "fine"},
        Names{"12", "18446744073709551615", "1.0"}};
    return pick(kConstants.at(type.kind()));
  }

  std::string timestamp(int levels) {
    const std::string cast = " AS TIMESTAMP('" + kStamp.zone().name() + "'))";
    switch (dice_.below(4)) {
      case 0:
        return "date_trunc('" +
               pick({"second", "minute", "hour", "day", "week", "month", "quarter", "year"}) +
               "', " + make(kStamp, levels) + ")";
      case 1:
        return "CAST(" + make(kText, levels) + cast;
      case 2:
        return "CAST(" + make(kDate, levels) + cast;
      default:
        return "CAST(utc" + cast;
    }
  }
  std::string time(int levels) {
    return "CAST(" + make(dice_.below(2) == 0 ? kStamp : kText, levels) + " AS TIME)";
  }
  std::string decimal(int levels) {
    const auto number = [&] { return make(kMoney, levels); };
    switch (dice_.below(7)) {
      case 0:
        return "(- " + number() + ")";
      case 1:
        return "abs(" + number() + ")";
      case 2:
        return "round(" + number() + ", " + pick({"0", "1", "2", "15"}) + ")";
      case 3:
        return "CAST(" + make(dice_.below(3) == 0 ? kText : any_number(), levels) +
               " AS NUMERIC(38, 2))";
      case 4:
        return "CAST(fine " + pick({"+", "-", "*"}) + " " + number() + " AS DECIMAL(9, 2))";
      case 5:
        return "(" + number() + pick({" + 0.25", " - 1", " * 3", " + u", " * wide"}) + ")";
      default:
        return "(" + number() + " " + pick({"+", "-"}) + " " + number() + ")";
    }
  }
  std::string unsigned_number(int levels) {
    if (dice_.below(4) == 0) return "abs(" + make(kUnsigned, levels) + ")";
    if (dice_.below(4) == 0) {
      return "CAST(" + make(kUnsigned, levels) + " " + pick({"+", "-", "*", "//", "%"}) + " " +
             make(dice_.below(2) == 0 ? kUnsigned : kInteger, levels) + " AS UNSIGNED)";
    }
    return "CAST(" + make(dice_.below(3) == 0 ? kText : any_number(), levels) + " AS UNSIGNED)";
  }

  std::string date(int levels) {
    switch (dice_.below(4)) {
      case 0:
        return "(" + make(kDate, levels) + pick({" + ", " - "}) + make(kInteger, levels) + ")";
      case 1:
        return "(" + make(kInteger, levels) + " + " + make(kDate, levels) + ")";
      case 2:
        return "date_trunc('" + pick({"day", "week", "month", "quarter", "year"}) + "', " +
               make(kDate, levels) + ")";
      default:
        return "(" + make(dice_.below(2) == 0 ? kText : kStamp, levels) + ")::date";
    }
  }

  Dice& dice_;
};

std::string shown(const Cell& cell) {
  if (!cell) return "missing";
  if (const auto* real = std::get_if<double>(&*cell)) {
    return "real " + std::to_string(std::bit_cast<std::uint64_t>(*real));
  }
  if (const auto* text = std::get_if<std::string>(&*cell)) return "text " + *text;
  if (const auto* truth = std::get_if<bool>(&*cell)) return *truth ? "true" : "false";
  if (const auto* day = std::get_if<Day>(&*cell)) return "day " + std::to_string(day->number);
  if (const auto* at = std::get_if<Instant>(&*cell)) return "at " + std::to_string(at->micros);
  if (const auto* time = std::get_if<TimeOfDay>(&*cell)) {
    return "time " + std::to_string(time->micros);
  }
  if (const auto* decimal = std::get_if<Decimal>(&*cell)) {
    return Integer(decimal->number).to_string() + "e-" + std::to_string(decimal->decimals);
  }
  return std::to_string(std::get<std::int64_t>(*cell));
}

Cell cell_of(const FieldBatch& batch, FieldType type, std::size_t row) {
  if (batch.is_missing(row)) return std::nullopt;
  switch (type) {
    case FieldType::kReal:
      return batch.value<double>(row);
    case FieldType::kText:
      return std::string(batch.value<std::string_view>(row));
    case FieldType::kBoolean:
      return batch.value<std::int64_t>(row) != 0;
    case FieldType::kDate:
      return Day{batch.value<std::int64_t>(row)};
    case FieldType::kTimestamp:
      return Instant{batch.value<std::int64_t>(row)};
    case FieldType::kTime:
      return TimeOfDay{batch.value<std::int64_t>(row)};
    case FieldType::kDecimal:
    case FieldType::kUnsigned:
      return Decimal{batch.value<Int128>(row), type.decimals()};
    case FieldType::kInteger:
      break;
  }
  return batch.value<std::int64_t>(row);
}

std::optional<RowExpression> parsed(const std::string& text) {
  auto result = parse_expression(text, kRow);
  if (const auto* problem = std::get_if<ExpressionProblem>(&result)) {
    ADD_FAILURE() << text << "\n" << problem->offset << ": " << problem->problem;
    return std::nullopt;
  }
  return std::get<RowExpression>(std::move(result));
}

// compare_run: whether a batch of rows has the values of the definition.
bool compare_run(const RowExpression& expression, const Table& table, const ExpressionBatch& batch,
                 ExpressionBatch::Room& room, std::size_t first, std::size_t rows) {
  std::vector<FieldBatch> fields;
  for (const RowColumn& column : batch.columns()) {
    fields.push_back(table.fields(column.name, first, rows));
  }
  const FieldBatch result = batch.run(fields, rows, room);
  for (std::size_t row = 0; row < rows; ++row) {
    const auto field = [&](const std::string& name) { return table.field(name, first + row); };
    const std::string wanted = shown(evaluate(expression, field));
    const std::string got = shown(cell_of(result, batch.type(), row));
    if (wanted == got) continue;
    ADD_FAILURE() << canonical_text(expression) << "\nrow " << row << " of " << rows << ": "
                  << wanted.substr(0, 200) << ", not " << got.substr(0, 200);
    return false;
  }
  return true;
}

TEST(ExpressionBatchTest, RandomExpressionsMeanTheSameInEveryForm) {
  Dice dice(20'261'116);
  const std::array<Table, 3> tables = {Table(dice), Table(dice, Fields::kComplete),
                                       Table(dice, Fields::kTame)};
  const Table& table = tables[0];
  Maker maker(dice);
  constexpr std::array<std::size_t, 5> kSizes = {0, 1, 63, 64, 65};
  std::array<int, 2> seen = {0, 0};  // how often a value was missing, and how often there was one
  for (int i = 0; i < 6'000; ++i) {
    const FieldType type = kAllTypes[static_cast<std::size_t>(i % 9)];
    const std::string text = maker.make(type, 1 + i % 4);
    const auto expression = parsed(text);
    if (!expression) return;
    ASSERT_EQ(expression->type, type) << text;
    const std::string canonical = canonical_text(*expression);
    const auto again = parsed(canonical);
    ASSERT_EQ(again, expression) << canonical;
    ASSERT_EQ(canonical_text(*again), canonical);
    const LiftedExpression lifted = lift_texts(*expression);
    ASSERT_EQ(replace_columns(lifted.whole, lifted.parts), expression) << canonical;
    const ExpressionBatch batch(*expression);
    const auto room = batch.make_room();
    for (int run = 0; run < 3; ++run) {
      const std::size_t rows = i % 100 == 10 * run ? 2'048 : dice.one_of(kSizes);
      const std::size_t first = dice.below((Table::kRows - rows) / 64) * 64;
      if (!compare_run(*expression, tables[static_cast<std::size_t>(run)], batch, *room, first,
                       rows)) {
        return;
      }
    }
    const auto field = [&](const std::string& name) { return table.field(name, 70); };
    ++seen.at(evaluate(*expression, field) ? 1 : 0);
  }
  EXPECT_GT(seen[0], 1'000);
  EXPECT_GT(seen[1], 3'000);
}

// So many parts that a room takes the rows in several steps.
TEST(ExpressionBatchTest, LargeExpressionsTakeFewerRowsAtATime) {
  Dice dice(7);
  const Table table(dice);
  std::string text = "CASE";
  std::string number = "CASE";
  for (int i = 0; i < 200; ++i) {
    const std::string when = " WHEN i = " + std::to_string(i) + " THEN ";
    text += when + "'" + std::to_string(i) + "'";
    number += when + std::to_string(i) + ".5";
  }
  for (const std::string& written : {text + " ELSE t || '!' END", number + " ELSE x END"}) {
    const auto expression = parsed(written);
    ASSERT_TRUE(expression);
    const ExpressionBatch batch(*expression);
    const auto room = batch.make_room();
    for (const std::size_t rows : {2'048UL, 1UL, 257UL, 2'048UL, 0UL}) {
      ASSERT_TRUE(compare_run(*expression, table, batch, *room, 64, rows));
    }
  }
}

TEST(ExpressionBatchTest, LongListsFindTheirValues) {
  Dice dice(8);
  const Table table(dice);
  std::string numbers = "i IN (";
  std::string texts = "s NOT IN (";
  for (int i = 5'000; i > 0; --i) {
    numbers += std::to_string(i) + (i % 2 == 0 ? ".0, " : ", ");
    texts += "'" + std::to_string(i) + "', ";
  }
  for (const std::string& written : {numbers + "-7)", numbers + "NULL, 1)", texts + "'north')",
                                     texts + "t)", texts + "t, NULL)"}) {
    const auto expression = parsed(written);
    ASSERT_TRUE(expression);
    const ExpressionBatch batch(*expression);
    const auto room = batch.make_room();
    ASSERT_TRUE(compare_run(*expression, table, batch, *room, 0, 65));
  }
}

}  // namespace expression_batch_test
}  // namespace lastbit
