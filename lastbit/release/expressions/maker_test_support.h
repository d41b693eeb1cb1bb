// Texts of random expressions, for tests that compare what they mean in every form.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lastbit/release/expressions/odd_fields_test_support.h"

namespace lastbit {
namespace expression_batch_test {

inline const std::array<FieldType, 9> kAllTypes = {
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

}  // namespace expression_batch_test
}  // namespace lastbit
