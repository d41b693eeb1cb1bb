#include "lastbit/engines/kernel/text_pool.h"

#include <utility>

namespace lastbit::engine {

std::uint64_t TextPool::Cache::code(std::string_view text) {
  const auto known = codes_.find(text);
  if (known != codes_.end()) return known->second;
  const auto [stored, code] = pool_.add(text);
  codes_.emplace(stored, code);
  return code;
}

std::pair<std::string_view, std::uint64_t> TextPool::add(std::string_view text) {
  const std::lock_guard lock(mutex_);
  const auto known = codes_.find(text);
  if (known != codes_.end()) return *known;
  constexpr std::uint64_t kEntry = 160;  // of the text, the table and the caches
  const std::string_view stored = texts_.emplace_back(text);
  bytes_ += stored.size() + kEntry;
  return *codes_.emplace(stored, texts_.size() - 1).first;
}

std::uint64_t TextPool::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

}  // namespace lastbit::engine
