#include "lastbit/base/html.h"

#include "lastbit/base/escape.h"

namespace lastbit {

Html Html::text(std::string_view plain) {
  std::string safe;
  for (const char c : shown_text(plain)) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      case '\'':
        safe += "&#39;";
        break;
      default:
        safe += c;
    }
  }
  return Html(std::move(safe));
}

}  // namespace lastbit
