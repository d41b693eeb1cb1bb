// Progress: a bar on standard error for work that takes a while.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace lastbit::cli {

// Shows nothing unless standard error is a terminal and the work has taken two seconds; erases the
// bar at the end. Errors of the terminal are ignored.
class Progress {
 public:
  Progress(std::string label, std::uint64_t total);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();
  // update: `done` of `total` are finished. Cheap enough to call once per item.
  void update(std::uint64_t done);

 private:
  using Clock = std::chrono::steady_clock;

  std::string label_;
  std::uint64_t total_;
  bool terminal_;
  bool shown_ = false;
  Clock::time_point start_;
  Clock::time_point next_;
};

// progress_bar: the bar as text, without the colours and the carriage return.
std::string progress_bar(const std::string& label, std::uint64_t done, std::uint64_t total);

}  // namespace lastbit::cli
