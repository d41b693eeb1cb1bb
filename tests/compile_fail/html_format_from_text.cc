// The format of a page stands in the source: no text that is known only when the program runs can
// become one.
// EXPECT-ERROR: no matching function|could not convert|not a constant expression
#include <string>

#include "lastbit/base/html.h"

using namespace lastbit;

Html cell(const std::string& text) {
#ifdef LASTBIT_WRONG
  return format_html(text.c_str(), 1);
#else
  return format_html("<td>{}</td>{}", text, 1);
#endif
}
