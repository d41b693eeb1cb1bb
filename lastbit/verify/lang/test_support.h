// What the tests of this module share. Not installed.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/verify/lang/parser.h"

namespace lastbit::verify {

// mistake: "LINE:COLUMN what is wrong; remedy", without the excerpt; "accepted" when nothing is.
inline std::string mistake(std::string_view text) {
  try {
    parse_program(text, "m.dp");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBadText) << error.what();
    EXPECT_TRUE(error.place().starts_with("m.dp:")) << error.place();
    const std::string problem = error.problem().substr(0, error.problem().find('\n'));
    return error.place().substr(5) + " " + problem + "; " + error.remedy();
  }
  return "accepted";
}

// with_body: a mechanism with one parameter of each sort and this body, which starts at 4:1.
inline std::string with_body(std::string_view body) {
  return "mechanism m(f: real, b: bool, k: int, q: real[n], c: int[n], n: int, eps: real)\n"
         "  adjacent |f.1 - f.2| <= 1\n"
         "{\n" +
         std::string(body) + "\n}\n";
}
inline std::string body_mistake(std::string_view body) { return mistake(with_body(body)); }

// with_clauses: a mechanism with these clauses, which start at 2:1, and an empty body.
inline std::string with_clauses(std::string_view clauses) {
  return "mechanism m(f: real, b: bool, k: int, q: real[n], c: int[n], n: int, eps: real)\n" +
         std::string(clauses) + "\n{ }\n";
}
inline std::string clause_mistake(std::string_view clauses) {
  return mistake(with_clauses(clauses));
}

// Dice: choices that are the same on every machine (a 64-bit linear congruence, upper bits).
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}
  // below: a number in [0, count).
  std::size_t below(std::size_t count) {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::size_t>((state_ >> 33) % count);
  }
  bool one_in(std::size_t count) { return below(count) == 0; }
  template <typename T>
  const T& pick(const std::vector<T>& from) {
    return from[below(from.size())];
  }

 private:
  std::uint64_t state_;
};

}  // namespace lastbit::verify
