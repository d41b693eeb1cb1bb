// Reading JSON that nobody vouches for: every access says what it expects, and an Error says where
// it was not found. Only this room includes it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/numerics/rational.h"

namespace lastbit::verify {

using Json = nlohmann::json;

// Field: a JSON value together with the way that leads to it.
class Field {
 public:
  Field(const Json& value, std::string path) : value_(&value), path_(std::move(path)) {}

  [[noreturn]] void fail(std::string_view problem) const;

  // object: this is an object with exactly these keys, those ending in ? being optional.
  void object(std::initializer_list<std::string_view> keys) const;
  bool has(std::string_view key) const { return value_->contains(key); }
  Field operator[](std::string_view key) const;
  // size, at: this is an array.
  std::size_t size() const;
  Field at(std::size_t index) const;

  bool is_null() const { return value_->is_null(); }
  std::string text() const;
  bool truth() const;
  int whole(int low, int high) const;
  // rational: text in the one form that Rational::to_string writes.
  Rational rational() const;

 private:
  const Json* value_;
  std::string path_;
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
