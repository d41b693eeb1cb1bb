#include "lastbit/engines/kernel/row_store.h"

#include <span>
#include <utility>

#include "lastbit/base/error.h"

namespace lastbit::engine {

RowStore::Piece RowStore::keep(std::vector<std::uint64_t>& words) {
  Piece piece;
  piece.size = words.size();
  const std::uint64_t bytes = words.size() * sizeof(std::uint64_t);
  if (used_bytes_.fetch_add(bytes) + bytes <= memory_bytes_) {
    piece.words = std::move(words);
    words = {};
    return piece;
  }
  used_bytes_.fetch_sub(bytes);
  if (!spill_directory_) {
    throw Error(ErrorCode::kBadInput, place_, "takes more memory than there is",
                "raise the memory limit, or give a directory to spill to that has room");
  }
  {
    const std::lock_guard lock(mutex_);
    if (file_ == nullptr) file_ = std::make_unique<SpillFile>(*spill_directory_);
  }
  piece.begin = file_->write(words);
  words.clear();
  return piece;
}

std::span<const std::uint64_t> RowStore::read(const Piece& piece,
                                              std::vector<std::uint64_t>& buffer) const {
  if (!piece.words.empty() || piece.size == 0) return piece.words;
  buffer.resize(piece.size);
  file_->read(piece.begin, buffer);
  return buffer;
}

void RowStore::drop(Piece& piece) {
  if (piece.words.empty()) return;
  used_bytes_.fetch_sub(piece.words.size() * sizeof(std::uint64_t));
  piece = {};
}

void UnitPartitions::take(std::size_t part, std::vector<std::uint64_t>& words) {
  RowStore::Piece piece = store_.keep(words);
  words.reserve(piece_words_ + 64);
  const std::lock_guard lock(mutex_);
  parts_[part].push_back(std::move(piece));
}

void UnitPartitions::finish(Writer& writer) {
  for (std::size_t part = 0; part < kParts; ++part) {
    if (writer.buffers_[part].empty()) continue;
    RowStore::Piece piece = store_.keep(writer.buffers_[part]);
    const std::lock_guard lock(mutex_);
    parts_[part].push_back(std::move(piece));
  }
}

std::uint64_t UnitPartitions::size(const Part& part) {
  std::uint64_t words = 0;
  for (const RowStore::Piece& piece : part) words += piece.size;
  return words;
}

}  // namespace lastbit::engine
