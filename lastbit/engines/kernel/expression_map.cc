#include "lastbit/engines/kernel/expression_map.h"

#include <mutex>
#include <utility>
#include <vector>

#include "lastbit/release/expressions/expression_batch.h"

namespace lastbit::engine {
namespace {

class ExpressionMap final : public RowFunction {
 public:
  ExpressionMap(const RowExpression& expression, std::shared_ptr<const RowFunction> map)
      : batch_(expression), map_(std::move(map)) {}

  void run(std::span<const FieldBatch> arguments, std::size_t rows, Output& out) const override {
    ExpressionBatch::OwnedRoom room = take_room();
    const FieldBatch values = batch_.run(arguments, rows, *room);
    if (map_ != nullptr) {
      map_->run({&values, 1}, rows, out);
    } else if (batch_.type() == FieldType::kText) {
      write_fields<std::string_view>(values, rows, out);
    } else {
      write_fields<std::int64_t>(values, rows, out);
    }
    ExpressionBatch::forget_texts(*room);
    const std::lock_guard lock(mutex_);
    rooms_.push_back(std::move(room));
  }

 private:
  // A room that no thread uses.
  ExpressionBatch::OwnedRoom take_room() const {
    const std::lock_guard lock(mutex_);
    if (rooms_.empty()) return batch_.make_room();
    ExpressionBatch::OwnedRoom room = std::move(rooms_.back());
    rooms_.pop_back();
    return room;
  }

  ExpressionBatch batch_;
  std::shared_ptr<const RowFunction> map_;
  mutable std::mutex mutex_;
  mutable std::vector<ExpressionBatch::OwnedRoom> rooms_;
};

}  // namespace

std::shared_ptr<const RowFunction> map_expression(const RowExpression& expression,
                                                  std::shared_ptr<const RowFunction> map) {
  return std::make_shared<ExpressionMap>(expression, std::move(map));
}

}  // namespace lastbit::engine
