// TextPool: gives each different text a number, so that rows of texts are rows of words. For this
// module only.
//
// Guarantee      equal texts have equal numbers, and different ones different numbers. Several
//                threads may use it at the same time, each through a cache of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "lastbit/release/keyed_choice.h"

namespace lastbit::engine {

// TextHasher: under a secret key, so that nobody can choose texts that collide.
struct TextHasher {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  std::size_t operator()(std::string_view text) const {
    KeyedHash hash(first, second);
    hash.add(text);
    return hash.finish();
  }
};
using TextCodes = std::unordered_map<std::string_view, std::uint64_t, TextHasher>;

class TextPool {
 public:
  explicit TextPool(const SecretKey& key)
      : hasher_{key.words[1], key.words[2]}, codes_(0, hasher_) {}

  // Cache: what one thread knows of the pool.
  class Cache {
   public:
    explicit Cache(TextPool& pool) : pool_(pool), codes_(0, pool.hasher_) {}
    std::uint64_t code(std::string_view text);

   private:
    TextPool& pool_;
    TextCodes codes_;  // views of the pool's texts
  };

  // text: of a code that a cache gave.
  // Requires  caller: no thread adds texts meanwhile, unless it holds the pool's lock.
  std::string_view text(std::uint64_t code) const { return texts_[code]; }
  // bytes: about how much memory the texts take.
  std::uint64_t bytes() const;

 private:
  std::pair<std::string_view, std::uint64_t> add(std::string_view text);

  TextHasher hasher_;
  mutable std::mutex mutex_;
  std::deque<std::string> texts_;  // texts stay where they are
  TextCodes codes_;
  std::uint64_t bytes_ = 0;
};

}  // namespace lastbit::engine
