#include "cli/terminal/progress.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace lastbit::cli {
namespace {

constexpr auto kPatience = std::chrono::seconds(2);
constexpr auto kRefresh = std::chrono::milliseconds(100);
constexpr std::size_t kBarWidth = 30;

void show(std::string_view text) {
  // A bar that cannot be shown is not worth an error.
  [[maybe_unused]] const auto sent = ::write(STDERR_FILENO, text.data(), text.size());
}

}  // namespace

std::string progress_bar(const std::string& label, std::uint64_t done, std::uint64_t total) {
  const double share =
      total == 0 ? 1.0 : static_cast<double>(std::min(done, total)) / static_cast<double>(total);
  const auto filled = static_cast<std::size_t>(share * static_cast<double>(kBarWidth));
  std::string bar;
  for (std::size_t i = 0; i < kBarWidth; ++i) bar += i < filled ? "━" : "─";
  return fmt::format("{}  {}  {:3.0f} %", label, bar, share * 100);
}

Progress::Progress(std::string label, std::uint64_t total)
    : label_(std::move(label)),
      total_(total),
      terminal_(::isatty(STDERR_FILENO) == 1),
      start_(Clock::now()),
      next_(start_ + kPatience) {}

Progress::~Progress() {
  if (shown_) show("\r\x1b[K");
}

void Progress::update(std::uint64_t done) {
  if (!terminal_) return;
  const auto now = Clock::now();
  if (now < next_) return;
  next_ = now + kRefresh;
  shown_ = true;
  show("\r\x1b[K" + progress_bar(label_, done, total_));
}

}  // namespace lastbit::cli
