// JsonText: strict JSON (RFC 8259), read from the front of a text.
//
// Definition     The grammar is that of RFC 8259 and nothing more: no comments, no trailing commas,
//                no NaN, no raw control characters in strings, no leading zeros. Beyond that RFC,
//                the escape of half a surrogate pair without its other half is malformed, and so
//                are objects and arrays in more than kMaxJsonDepth levels.
// Guarantee      Time is linear in the bytes read, and the memory needed does not depend on them.
// Fails          Malformed, with the place of the problem.
// Source         [RFC8259]
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace lastbit::source {

// The most objects and arrays that may be open at once; the outermost one counts.
inline constexpr std::size_t kMaxJsonDepth = 500;

// JsonString: the text between the quotes of a string.
struct JsonString {
  std::string_view raw;     // as written, and well-formed
  bool has_escape = false;  // if false, the raw text is the string itself
};

// JsonValue: a value without its contents. The text is that of a string, a number or a literal.
struct JsonValue {
  enum class Kind { kString, kNumber, kTrue, kFalse, kNull, kArray, kObject };
  Kind kind;
  JsonString text;
};

// unescape: the text that a string represents, in UTF-8.
// Requires  that `raw` is the raw text of a JsonString that JsonText read.
std::string unescape(std::string_view raw);

class JsonText {
 public:
  // `offset` is the place of the text's first byte in its file.
  // Requires  that `text` is UTF-8, which is not checked here. It must outlive what is read from
  //           it.
  JsonText(std::string_view text, std::uint64_t offset) : text_(text), offset_(offset) {}

  // at: how many bytes have been read so far.
  std::size_t at() const { return at_; }
  bool at_end() const { return at_ == text_.size(); }
  // next_byte: the next byte; 0 at the end, which never occurs in the grammar.
  char next_byte() const { return at_end() ? '\0' : text_[at_]; }

  // offset_of: the place of a part of this text in the file.
  std::uint64_t offset_of(std::string_view part) const {
    return offset_ + static_cast<std::uint64_t>(part.data() - text_.data());
  }

  // skip_space: skips spaces, tabs, carriage returns and line feeds.
  void skip_space() {
    while (!at_end() && is_space(text_[at_])) ++at_;
  }
  // take: skips `byte` if it is next, and says whether it was.
  bool take(char byte) {
    if (at_end() || text_[at_] != byte) return false;
    ++at_;
    return true;
  }

  // read_object: reads the object that is next and calls on_field(JsonString key, JsonValue value)
  // for each of its members, in order.
  template <typename OnField>
  void read_object(OnField&& on_field) {
    if (open_object()) return;
    do {
      const JsonString key = read_key();
      on_field(key, read_value());
    } while (pass_comma());
  }

  // require_object: refuses the text unless an object is next.
  void require_object() const {
    if (next_byte() != '{') refuse("a record is not a JSON object");
  }
  // refuse: throws a Malformed for the next byte.
  [[noreturn]] void refuse(std::string_view problem) const;

 private:
  static bool is_space(char byte) {
    // One comparison rules out nearly every other byte.
    if (byte > ' ') return false;
    return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t';
  }

  // open_object: skips an opening brace and says whether it is closed at once.
  bool open_object();
  // read_key: a key and the colon after it, up to where the value starts.
  JsonString read_key();
  // read_value: the value of a member of the outermost object.
  JsonValue read_value();
  // pass_comma: skips a comma or the closing brace, and says whether it was the comma.
  bool pass_comma();

  JsonValue read_scalar();
  JsonString read_string();
  std::string_view read_number();
  void read_literal(std::string_view literal);
  void read_digits();
  // take_opening: skips an opening bracket or brace, and returns the one that closes it; 0 if none
  // is next.
  char take_opening();
  void skip_nested();

  std::string_view text_;
  std::uint64_t offset_;
  std::size_t at_ = 0;
};

// find_object_end: where the object or array at the start of a text ends, just after its last byte;
// 0 if the text ends first. It looks only at strings and brackets: the grammar is not checked.
std::size_t find_object_end(std::string_view text);

// find_last_comma: the place of the last comma between the elements of an array; 0 if there is
// none. The text starts with the array's opening bracket or with a comma between elements, which is
// skipped. The grammar is not checked.
std::size_t find_last_comma(std::string_view text);

}  // namespace lastbit::source
