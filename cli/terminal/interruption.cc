#include "cli/terminal/interruption.h"

#include <array>
#include <cstdlib>

namespace lastbit::cli {
namespace {

using Handler = void (*)(int);

constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};
volatile std::sig_atomic_t g_noted = 0;
std::array<Handler, kSignals.size()> g_before{};
bool g_watching = false;

void note(int signal) {
  if (g_noted != 0) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
  g_noted = signal;
}

}  // namespace

Interruption::Interruption() {
  g_noted = 0;
  g_watching = true;
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    g_before[i] = std::signal(kSignals[i], note);
    if (g_before[i] == SIG_IGN) std::signal(kSignals[i], SIG_IGN);  // as under nohup
  }
}

Interruption::~Interruption() { release(); }

void Interruption::check() const {
  if (g_noted != 0) throw Interrupted{g_noted};
}

void Interruption::release() {
  if (!g_watching) return;
  g_watching = false;
  for (std::size_t i = 0; i < kSignals.size(); ++i) std::signal(kSignals[i], g_before[i]);
}

void end_by(const Interrupted& interrupted) {
  std::signal(interrupted.signal, SIG_DFL);
  std::raise(interrupted.signal);
  std::abort();
}

}  // namespace lastbit::cli
