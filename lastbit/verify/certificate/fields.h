// Reading untrusted JSON: every access says what it expects, and an Error says where it was not
// found. It reads certificates of proofs and of losses, and nothing else.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/numerics/rational.h"

namespace lastbit::verify {

using Json = nlohmann::json;

// TextKind: what kind of text this is: its limits, and how Errors refer to it.
struct TextKind {
  std::string_view name;    // such as "certificate"
  std::string_view remedy;  // of every Error
  std::size_t max_bytes;
  int max_depth;                  // of nested arrays and objects
  std::size_t max_number_length;  // of exact numbers, in characters
};

// parse_json: the value that a text holds.
// Fails     a text that is too large, too deep or not JSON is a kBadInput Error.
Json parse_json(std::string_view text, const TextKind& kind);

// Field: a JSON value together with the path to it. Both arguments outlive it.
class Field {
 public:
  Field(const Json& value, const TextKind& kind) : Field(value, kind, nullptr, "") {}

  [[noreturn]] void fail(std::string_view problem) const;

  // object: this is an object with exactly these keys, those ending in ? being optional.
  void object(std::initializer_list<std::string_view> keys) const;
  bool has(std::string_view key) const { return value_->contains(key); }
  Field operator[](std::string_view key) const;
  // size, at: this is an array.
  std::size_t size() const;
  Field at(std::size_t index) const;

  bool is_null() const { return value_->is_null(); }
  bool is_text(std::string_view text) const { return value_->is_string() && *value_ == text; }
  std::string text() const;
  bool truth() const;
  int whole(int low, int high) const;
  // rational: text in the one form that Rational::to_string writes.
  Rational rational() const;

 private:
  // The path is put together only when it is shown, which may be never; paths share their
  // beginnings.
  struct Way {
    std::shared_ptr<const Way> from;
    std::string last;
  };
  Field(const Json& value, const TextKind& kind, std::shared_ptr<const Way> from, std::string last)
      : value_(&value),
        kind_(&kind),
        way_(std::make_shared<const Way>(Way{std::move(from), std::move(last)})) {}
  std::string path() const;

  const Json* value_;
  const TextKind* kind_;
  std::shared_ptr<const Way> way_;
};

// list_of, list_from: arrays, item by item.
template <class T, class Convert>
Json list_of(const std::vector<T>& items, const Convert& convert) {
  Json list = Json::array();
  for (const T& item : items) list.push_back(convert(item));
  return list;
}

template <class Convert>
auto list_from(const Field& field, const Convert& convert) {
  std::vector<decltype(convert(field))> items;
  for (std::size_t i = 0; i < field.size(); ++i) items.push_back(convert(field.at(i)));
  return items;
}

}  // namespace lastbit::verify
