#include "lastbit/verify/certificate/fields.h"

#include <algorithm>

namespace lastbit::verify {

Json parse_json(std::string_view text, const TextKind& kind) {
  const auto refuse = [&](std::string problem) {
    throw Error(ErrorCode::kBadInput, std::string(kind.name), std::move(problem),
                std::string(kind.remedy));
  };
  if (text.size() > kind.max_bytes) refuse("the text is too large");
  // The limit keeps functions that call themselves on every level from running out of stack.
  const auto shallow = [&](int depth, Json::parse_event_t, Json&) {
    if (depth > kind.max_depth) refuse("the text is nested too deeply");
    return true;
  };
  try {
    return Json::parse(text, shallow);
  } catch (const Json::exception& error) {
    refuse(std::string("the text is not JSON: ") + error.what());
  }
  return {};
}

std::string Field::path() const {
  std::string path;
  for (const Way* way = way_.get(); way != nullptr; way = way->from.get()) {
    path.insert(0, way->last);
  }
  return path.empty() ? "/" : path;
}

void Field::fail(std::string_view problem) const {
  throw Error(ErrorCode::kBadInput, std::string(kind_->name) + " at " + path(),
              std::string(problem), std::string(kind_->remedy));
}

void Field::object(std::initializer_list<std::string_view> keys) const {
  if (!value_->is_object()) fail("an object is expected here");
  for (const auto& [key, value] : value_->items()) {
    const auto fits = [&](std::string_view wanted) {
      return wanted == key || (wanted.ends_with('?') && wanted.substr(0, wanted.size() - 1) == key);
    };
    if (std::ranges::none_of(keys, fits)) fail("there is a field that does not belong here");
  }
  for (const std::string_view key : keys) {
    if (!key.ends_with('?') && !has(key)) fail("the field " + std::string(key) + " is missing");
  }
}

Field Field::operator[](std::string_view key) const {
  if (!value_->is_object() || !has(key)) fail("the field " + std::string(key) + " is missing");
  return {value_->at(std::string(key)), *kind_, way_, "/" + std::string(key)};
}

std::size_t Field::size() const {
  if (!value_->is_array()) fail("an array is expected here");
  return value_->size();
}

Field Field::at(std::size_t index) const {
  if (index >= size()) fail("the array is too short");
  return {value_->at(index), *kind_, way_, "/" + std::to_string(index)};
}

std::string Field::text() const {
  if (!value_->is_string()) fail("text is expected here");
  return value_->get<std::string>();
}

bool Field::truth() const {
  if (!value_->is_boolean()) fail("true or false is expected here");
  return value_->get<bool>();
}

int Field::whole(int low, int high) const {
  if (!value_->is_number_integer()) fail("a whole number is expected here");
  // An unsigned number beyond int64 would come out negative.
  const bool large = value_->is_number_unsigned() && value_->get<std::uint64_t>() > INT32_MAX;
  const auto number = large ? std::int64_t{INT64_MAX} : value_->get<std::int64_t>();
  if (number < low || number > high) fail("the number is out of range");
  return static_cast<int>(number);
}

Rational Field::rational() const {
  const std::string written = text();
  if (written.size() > kind_->max_number_length) fail("the number is too long");
  try {
    const Rational value = Rational::parse(written);
    if (value.to_string() == written) return value;
  } catch (const Error& error) {
    fail("an exact number is expected here: " + error.problem());
  }
  fail("the number is not in its canonical form");
}

}  // namespace lastbit::verify
