// show: a value as text that tells identity apart: −0.0 from 0.0, NaNs by payload, null, quotes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lastbit/core/identity.h"
#include "lastbit/numerics/rational.h"

namespace lastbit::verify {

std::string show(double value);
std::string show(std::int64_t value);
std::string show(bool value);
std::string show(const std::string& value);
std::string show(const Rational& value);
template <class T>
std::string show(const std::optional<T>& value);
template <class A, class B>
std::string show(const std::pair<A, B>& value);
template <class T>
std::string show(const std::vector<T>& values);
template <class K, class V>
std::string show(const std::map<K, V, IdentityLess>& entries);

template <class T>
std::string show(const std::optional<T>& value) {
  return value ? show(*value) : "null";
}

template <class A, class B>
std::string show(const std::pair<A, B>& value) {
  return "(" + show(value.first) + ", " + show(value.second) + ")";
}

template <class T>
std::string show(const std::vector<T>& values) {
  std::string text = "[";
  for (std::size_t i = 0; i < values.size(); ++i) {
    text += (i == 0 ? "" : ", ") + show(T(values[i]));
  }
  return text + "]";
}

template <class K, class V>
std::string show(const std::map<K, V, IdentityLess>& entries) {
  std::string text = "{";
  for (const auto& [key, value] : entries) {
    text += (text.size() == 1 ? "" : ", ") + show(key) + ": " + show(value);
  }
  return text + "}";
}

}  // namespace lastbit::verify
