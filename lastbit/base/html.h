// Html: text that a browser reads as markup. Plain text is always escaped; markup comes only from
// literals in our own source.
#pragma once

#include <fmt/core.h>

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace lastbit {

class Html;

// HtmlLiteral: markup written in our source, as in "<br/>"_html.
class HtmlLiteral {
 public:
  std::string_view markup() const { return markup_; }

 private:
  consteval explicit HtmlLiteral(std::string_view markup) : markup_(markup) {}
  friend consteval HtmlLiteral operator""_html(const char* markup, std::size_t size);

  std::string_view markup_;
};
consteval HtmlLiteral operator""_html(const char* markup, std::size_t size) {
  return HtmlLiteral(std::string_view(markup, size));
}

// Html
// Ensures   a piece is well-formed if our literals are: no text from outside can open or close a
//           tag, end a quoted attribute or hide a character.
class Html {
 public:
  Html() = default;
  Html(HtmlLiteral literal) : markup_(literal.markup()) {}  // NOLINT(google-explicit-constructor)
  // text: plain text on one line, for content and for quoted attributes. Hidden characters, line
  // feeds included, and bytes that are not UTF-8 appear as in shown_text.
  static Html text(std::string_view plain);

  // str: the markup, to be written to a file.
  const std::string& str() const& { return markup_; }
  std::string str() && { return std::move(markup_); }
  bool empty() const { return markup_.empty(); }

  Html& operator+=(const Html& other) {
    markup_ += other.markup_;
    return *this;
  }
  friend Html operator+(Html left, const Html& right) { return std::move(left += right); }

 private:
  template <class... Parts>
  friend class HtmlFormat;
  explicit Html(std::string markup) : markup_(std::move(markup)) {}

  std::string markup_;
};

// HtmlPart: what may fill a {} of a format: markup, numbers, and text, which is escaped.
template <class T>
concept HtmlPart = std::same_as<T, Html> || std::same_as<T, HtmlLiteral> ||
                   (std::is_arithmetic_v<T> && !std::same_as<T, char> && !std::same_as<T, bool>) ||
                   std::convertible_to<const T&, std::string_view>;

// HtmlFormat: a literal in our source with placeholders for parts; checked at compile time.
template <class... Parts>
class HtmlFormat {
 public:
  template <std::size_t Size>
  consteval HtmlFormat(const char (&format)[Size])  // NOLINT(google-explicit-constructor)
      : format_(format) {}

  Html fill(const Parts&... parts) const { return Html(fmt::format(format_, written(parts)...)); }

 private:
  template <class T>
  using Written = std::conditional_t<std::is_arithmetic_v<T>, T, std::string>;
  template <class T>
  static Written<T> written(const T& part) {
    if constexpr (std::is_arithmetic_v<T>) {
      return part;
    } else if constexpr (std::same_as<T, HtmlLiteral>) {
      return std::string(part.markup());
    } else if constexpr (std::same_as<T, Html>) {
      return part.str();
    } else {
      return Html::text(part).str();
    }
  }

  fmt::format_string<Written<Parts>...> format_;
};

// format_html: the format, a literal, with its placeholders filled: format_html("<b>{}</b>", name).
template <HtmlPart... Parts>
Html format_html(HtmlFormat<std::type_identity_t<Parts>...> format, const Parts&... parts) {
  return format.fill(parts...);
}

// bidi: untrusted text, escaped, whose writing direction does not affect the text around it.
inline Html bidi(std::string_view text) { return format_html("<bdi>{}</bdi>", text); }

}  // namespace lastbit
