#include "cli/terminal/doomed.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <utility>

namespace lastbit::cli {
namespace {

// What the signal handler may access: pointers to paths that do not move.
constexpr std::size_t kSlots = 8;
std::array<std::atomic<const char*>, kSlots> g_doomed;
static_assert(std::atomic<const char*>::is_always_lock_free);

void remove_path(const char* path) {
  if (::unlink(path) != 0) ::rmdir(path);
}

// Only calls that are safe in a signal handler. The newest go first: files before their folder.
void remove_all_and_end(int signal) {
  for (std::size_t i = kSlots; i > 0; --i) {
    const char* path = g_doomed[i - 1].load();
    if (path != nullptr) remove_path(path);
  }
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void watch_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const auto before = std::signal(signal, remove_all_and_end);
    if (before == SIG_IGN) std::signal(signal, SIG_IGN);  // as under nohup
  }
}

}  // namespace

DoomedPath::DoomedPath(std::filesystem::path path) : path_(std::move(path)) {
  for (auto& slot : g_doomed) {
    const char* empty = nullptr;
    if (slot.compare_exchange_strong(empty, path_.c_str())) break;
  }
  watch_signals();
}

DoomedPath::~DoomedPath() {
  remove_path(path_.c_str());
  for (auto& slot : g_doomed) {
    const char* mine = path_.c_str();
    if (slot.compare_exchange_strong(mine, nullptr)) break;
  }
}

}  // namespace lastbit::cli
