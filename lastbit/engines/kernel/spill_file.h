// SpillFile: words that do not fit in memory, in a file without a name. For this module only.
//
// Guarantee      the file vanishes with the process, however that ends; nobody else can open it.
// Fails          kBadInput if it cannot be made, or if the disk is full.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

namespace lastbit::engine {

class SpillFile {
 public:
  explicit SpillFile(const std::filesystem::path& directory);
  SpillFile(const SpillFile&) = delete;
  SpillFile& operator=(const SpillFile&) = delete;
  ~SpillFile();

  // write: appends the words and says where they begin, counted in words. Several threads may write
  // at the same time.
  std::uint64_t write(std::span<const std::uint64_t> words);
  void read(std::uint64_t begin, std::span<std::uint64_t> words) const;

 private:
  int file_ = -1;
  std::atomic<std::uint64_t> size_ = 0;
};

}  // namespace lastbit::engine
