// RowStore: rows of units in pieces, in memory as long as they fit and then in a file. For this
// module only.
//
// Fails          kBadInput if they fit neither in memory nor on the disk.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lastbit/engines/kernel/spill_file.h"

namespace lastbit::engine {

class RowStore {
 public:
  RowStore(std::uint64_t memory_bytes, std::optional<std::filesystem::path> spill_directory,
           std::string place)
      : memory_bytes_(memory_bytes),
        spill_directory_(std::move(spill_directory)),
        place_(std::move(place)) {}

  // Piece: whole rows, one after the other.
  struct Piece {
    std::vector<std::uint64_t> words;  // empty if they are in the file
    std::uint64_t begin = 0;           // in the file
    std::uint64_t size = 0;            // in words
  };

  // keep: takes the words, which are empty afterwards. Several threads may call it at once.
  Piece keep(std::vector<std::uint64_t>& words);
  // read: the words of a piece, read into the buffer if they are in the file.
  std::span<const std::uint64_t> read(const Piece& piece, std::vector<std::uint64_t>& buffer) const;
  // drop: forgets a piece.
  void drop(Piece& piece);

 private:
  std::uint64_t memory_bytes_;
  std::optional<std::filesystem::path> spill_directory_;
  std::string place_;
  std::atomic<std::uint64_t> used_bytes_ = 0;
  std::mutex mutex_;  // guards the making of the file
  std::unique_ptr<SpillFile> file_;
};

// UnitPartitions: rows, by bits of the hash of their units. The rows of a unit are in one part.
class UnitPartitions {
 public:
  static constexpr std::size_t kBits = 8;
  static constexpr std::size_t kParts = std::size_t{1} << kBits;
  using Part = std::vector<RowStore::Piece>;

  UnitPartitions(RowStore& store, std::size_t piece_words)
      : store_(store), piece_words_(piece_words) {}

  // Writer: of one thread.
  class Writer {
   public:
    // open: where the next row of the part is appended. close: after each row.
    std::vector<std::uint64_t>& open(std::size_t part) { return buffers_[part]; }
    void close(std::size_t part, UnitPartitions& partitions) {
      if (buffers_[part].size() >= partitions.piece_words_) partitions.take(part, buffers_[part]);
    }

   private:
    friend class UnitPartitions;
    std::array<std::vector<std::uint64_t>, kParts> buffers_;
  };

  // finish: takes what is left in a writer.
  void finish(Writer& writer);
  std::array<Part, kParts>& parts() { return parts_; }

  static std::uint64_t size(const Part& part);

 private:
  void take(std::size_t part, std::vector<std::uint64_t>& words);

  RowStore& store_;
  std::size_t piece_words_;
  std::mutex mutex_;
  std::array<Part, kParts> parts_;
};

}  // namespace lastbit::engine
