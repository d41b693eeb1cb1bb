// What tests of this module share: streams made by hand, of parts that may lie, and tables as
// streams in every encoding. For tests only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lastbit/engines/arrow/arrow_abi.h"
#include "lastbit/engines/kernel/kernel_test_support.h"

namespace lastbit::engine {

struct SchemaParts {
  std::string format;
  std::string name = {};
  std::vector<SchemaParts> children = {};
  std::vector<SchemaParts> dictionary = {};  // none or one
  std::optional<std::string> metadata = {};
};
struct ArrayParts {
  std::int64_t length = 0;
  std::vector<std::optional<std::string>> buffers = {};  // nothing: a null pointer
  std::vector<ArrayParts> children = {};
  std::vector<ArrayParts> dictionary = {};  // none or one
  std::int64_t offset = 0;
  std::int64_t null_count = -1;
  bool is_released = false;
};
struct StreamParts {
  SchemaParts schema;
  std::vector<ArrayParts> batches = {};
  int schema_error = 0;
  int end_error = 0;  // instead of the end
};

// HandedOut: what was handed out and not released yet.
struct HandedOut {
  std::set<const void*> held;
  int made = 0;
  int wrong_releases = 0;
};

// stream_of: buffers are exactly as long as their parts, so that a sanitizer sees what is read
// behind them.
ArrowArrayStream stream_of(const StreamParts& parts, HandedOut& out);

// bytes_of: numbers as they lie in a buffer.
template <class T>
std::string bytes_of(const std::vector<T>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(T)};
}
// bits_of: of zeros and ones, the first as the lowest.
std::string bits_of(const std::string& digits);

// random_stream: a table in encodings and batches that the dice choose.
StreamParts random_stream(TableDice& dice, const MemoryTable& table);

}  // namespace lastbit::engine
