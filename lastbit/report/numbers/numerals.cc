#include "lastbit/report/numbers/numerals.h"

#include "lastbit/base/text.h"

namespace lastbit::report {
namespace {

// Signs: between thousands, and before decimals. The space is narrow and does not break.
struct Signs {
  std::string_view thousands;
  std::string_view decimals;
};
constexpr Signs kSigns[] = {{",", "."}, {"\u202f", ","}, {".", ","}, {"\u2019", "."}};

}  // namespace

std::string Numerals::text(std::string_view number) const {
  const Signs& signs = kSigns[static_cast<std::size_t>(format_)];
  std::string out;
  for (std::size_t i = 0; i < number.size(); ++i) {
    const bool between =
        i > 0 && i + 1 < number.size() && is_digit(number[i - 1]) && is_digit(number[i + 1]);
    if (between && number[i] == ',') {
      out += signs.thousands;
    } else if (between && number[i] == '.') {
      out += signs.decimals;
    } else {
      out += number[i];
    }
  }
  return out;
}

}  // namespace lastbit::report
