// Source: the text of a program, for messages that point at a place in it.
#pragma once

#include <string>
#include <string_view>

#include "lastbit/base/error.h"
#include "lastbit/verify/logic/program.h"

namespace lastbit::verify {

class Source {
 public:
  // The text must outlive the Source. A byte order mark before it is not part of it.
  Source(std::string_view text, std::string_view file_name);

  std::string_view text() const { return text_; }

  // error: a kBadText Error at FILE:LINE:COLUMN whose problem ends with the source line and a caret
  // below the column.
  Error error(Position at, std::string_view problem, std::string_view remedy) const;

  // excerpt: the line of `at` with its number, and a caret below the column. Only the surroundings
  // are shown of a long line, and bytes that could garble a terminal are shown as '?'.
  std::string excerpt(Position at) const;

 private:
  std::string_view text_;
  std::string_view file_;
};

}  // namespace lastbit::verify
