#include "lastbit/engines/arrow/arrow_rows.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <utility>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/base/text.h"
#include "lastbit/engines/arrow/arrow_block.h"
#include "lastbit/engines/arrow/arrow_check.h"

namespace lastbit::engine {
namespace {

// Held: a struct of the interface, released when this goes, unless it holds nothing.
template <class Struct>
class Held {
 public:
  Held() = default;
  // From somebody else, who then holds nothing.
  explicit Held(Struct& other) : held_(std::exchange(other, Struct{})) {}
  Held(Held&& other) noexcept : held_(std::exchange(other.held_, Struct{})) {}
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  Held& operator=(Held&&) = delete;
  ~Held() {
    if (held_.release != nullptr) held_.release(&held_);
  }
  Struct* operator->() { return &held_; }
  Struct& operator*() { return held_; }
  const Struct& operator*() const { return held_; }

 private:
  Struct held_ = {};
};

class ArrowRows final : public RowSource {
 public:
  ArrowRows(ArrowArrayStream& stream, std::string name) : name_(std::move(name)) {
    Held<ArrowArrayStream> owned(stream);
    if (owned->release == nullptr || owned->get_schema == nullptr || owned->get_next == nullptr) {
      throw Error(ErrorCode::kBadInput, name_, "is a stream that was read already",
                  "give a new stream: each can be read once");
    }
    require_success(owned->get_schema(&*owned, &*schema_), *schema_);
    if (schema_->release == nullptr) {
      throw Error(ErrorCode::kBadInput, name_, "gave no schema", kRemedy);
    }
    columns_ = check_schema(*schema_, name_);
    while (true) {
      Held<ArrowArray> batch;
      require_success(owned->get_next(&*owned, &*batch), *batch);
      if (batch->release == nullptr) return;
      check_batch(*batch, columns_, name_);
      batches_.push_back(std::move(batch));
    }
  }

  std::string name() const override { return name_; }

  std::vector<SchemaColumn> schema() const override {
    std::vector<SchemaColumn> all;
    for (const ArrowColumn& column : columns_) all.push_back(column.schema);
    return all;
  }

  void give_rows(std::span<const RowColumn> columns, RowOrder order,
                 const TakeBatch& take) const override {
    if (order == RowOrder::kByUnit) {
      throw Error(ErrorCode::kNotSupported, name_, "cannot sort its rows by unit",
                  "take the rows in any order");
    }
    std::deque<ArrowBlock> blocks;
    std::vector<std::size_t> places;
    for (const RowColumn& wanted : columns) {
      places.push_back(find(wanted));
      blocks.emplace_back(name_, columns_[places.back()], wanted.type);
    }
    std::vector<ColumnBatch> parts(columns.size());
    for (const Held<ArrowArray>& batch : batches_) {
      const auto length = static_cast<std::size_t>((*batch).length);
      const auto offset = static_cast<std::size_t>((*batch).offset);
      for (std::size_t first = 0; first < length; first += kBlock) {
        const std::size_t rows = std::min(kBlock, length - first);
        for (std::size_t i = 0; i < blocks.size(); ++i) {
          const ArrowArray& array = *(*batch).children[places[i]];
          parts[i] = blocks[i].read(array, offset + first, rows);
        }
        // Somebody who asks for no column still wants to know how many rows there are.
        const ColumnBatch only_rows{rows, {}, {}};
        take(blocks.empty() ? std::span(&only_rows, 1) : std::span<const ColumnBatch>(parts));
      }
    }
  }

  // The batches are held, and nobody may change them (arrow_rows.h).
  void require_unchanged() const override {}

 private:
  static constexpr std::size_t kBlock = 16'384;  // rows that are converted at a time
  static constexpr const char* kRemedy =
      "make it again with a program that writes Arrow's format as specified";

  // After a failure `out` is not ours, whatever it holds.
  template <class Struct>
  void require_success(int error, Struct& out) const {
    if (error == 0) return;
    out.release = nullptr;
    throw Error(ErrorCode::kBadInput, name_, fmt::format("stopped with the error number {}", error),
                "repair the program that makes the stream; its own message may hold private data");
  }

  std::size_t find(const RowColumn& wanted) const {
    const auto found = std::ranges::find(columns_, wanted.name,
                                         [](const ArrowColumn& c) { return c.schema.name; });
    if (found == columns_.end()) {
      throw Error(ErrorCode::kBadInput, name_, "has no column " + quote(wanted.name),
                  "name one of its columns");
    }
    const SchemaColumn& column = found->schema;
    const bool fits = column.type && can_be_read(field_type(*column.type), wanted.type);
    if (!fits) {
      throw Error(ErrorCode::kBadInput, name_,
                  fmt::format("has a column {} of the type {}, which cannot be read as {}",
                              quote(column.name), quote(column.type_name), name_of(wanted.type)),
                  "cast it to another type before");
    }
    return static_cast<std::size_t>(found - columns_.begin());
  }

  std::string name_;
  Held<ArrowSchema> schema_;
  std::vector<ArrowColumn> columns_;
  std::vector<Held<ArrowArray>> batches_;
};

}  // namespace

std::shared_ptr<const RowSource> read_arrow_stream(ArrowArrayStream& stream, std::string name) {
  return std::make_shared<ArrowRows>(stream, std::move(name));
}

}  // namespace lastbit::engine
