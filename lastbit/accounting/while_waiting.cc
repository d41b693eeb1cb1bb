#include "lastbit/accounting/while_waiting.h"

#include <utility>

namespace lastbit {
namespace {

thread_local const WhileWaiting* newest_check = nullptr;

}  // namespace

WhileWaiting::WhileWaiting(std::function<void()> check)
    : check_(std::move(check)), older_(std::exchange(newest_check, this)) {}

WhileWaiting::~WhileWaiting() { newest_check = older_; }

void WhileWaiting::look() {
  if (newest_check != nullptr && newest_check->check_) newest_check->check_();
}

}  // namespace lastbit
