// Html: text that a browser reads as markup. Plain text gets in only escaped, and markup only as a
// literal of our own source.
#pragma once

#include <fmt/core.h>

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace lastbit {

class Html;

// HtmlLiteral: markup that stands in our source, as in "<br/>"_html.
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
// Ensures   a piece is well-formed wherever our literals are: no text that came from outside can
//           open or close a tag, end a quoted attribute or hide a character.
class Html {
 public:
  Html() = default;
  Html(HtmlLiteral literal) : markup_(literal.markup()) {}  // NOLINT(google-explicit-constructor)
  // text: plain text on one line, for content and for quoted attributes. Hidden characters, line
  // feeds too, and bytes that are not UTF-8 are shown as shown_text shows them.
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

// HtmlPart: what may stand for a {} of a format: markup, numbers, and text, which is escaped.
template <class T>
concept HtmlPart = std::same_as<T, Html> || std::same_as<T, HtmlLiteral> ||
                   (std::is_arithmetic_v<T> && !std::same_as<T, char> && !std::same_as<T, bool>) ||
                   std::convertible_to<const T&, std::string_view>;

// HtmlFormat: a literal of our source with places for parts; checked when it is compiled.
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

// format_html: the format, a literal, with its places filled: format_html("<b>{}</b>", name).
template <HtmlPart... Parts>
Html format_html(HtmlFormat<std::type_identity_t<Parts>...> format, const Parts&... parts) {
  return format.fill(parts...);
}

// bidi: a text of others, escaped, whose direction of writing stays its own.
inline Html bidi(std::string_view text) { return format_html("<bdi>{}</bdi>", text); }

}  // namespace lastbit
