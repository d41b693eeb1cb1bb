#include "lastbit/base/work_limit.h"

#include <algorithm>

namespace lastbit {
namespace {

thread_local std::uint64_t work_left = UINT64_MAX;

}  // namespace

WorkLimit::WorkLimit(std::uint64_t most) : outer_(work_left), most_(std::min(most, work_left)) {
  work_left = most_;
}

WorkLimit::~WorkLimit() { work_left = outer_ - spent(); }

void WorkLimit::spend(std::size_t units) {
  if (units > work_left) {
    work_left = 0;
    throw Exceeded{};
  }
  work_left -= units;
}

std::uint64_t WorkLimit::spent() const { return most_ - work_left; }

}  // namespace lastbit
