#include "python/extension/interpreter.h"

#include <nanobind/nanobind.h>
#include <unistd.h>

#include <atomic>
#include <thread>

namespace lastbit::python {

namespace nb = nanobind;

namespace {

// How many threads work without the lock, and whether the program ends.
std::atomic<int> working = 0;
std::atomic<bool> ending = false;

[[noreturn]] void rest() {
  while (true) pause();
}

// rest_if_ending: a thread that rests is not counted.
void rest_if_ending() {
  if (!ending) return;
  --working;
  rest();
}

// taking_lock: calls a function of Python that takes the lock. None of them throws; what arrives
// here is the end of the thread.
template <class Take>
auto taking_lock(const Take& take) noexcept {
  try {
    return take();
  } catch (...) {
    rest();
  }
}

void wait_for_work() {
  ending = true;
  PyThreadState* const thread = PyEval_SaveThread();
  const auto end = std::chrono::steady_clock::now() + kLongestWait;
  while (working > 0 && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  PyEval_RestoreThread(thread);
}

}  // namespace

OthersRun::OthersRun() : thread_(PyEval_SaveThread()) {
  ++working;
  rest_if_ending();
}

OthersRun::~OthersRun() {
  --working;
  taking_lock([this] { PyEval_RestoreThread(thread_); });
}

PythonRuns::PythonRuns()
    : before_((rest_if_ending(), taking_lock([] { return PyGILState_Ensure(); }))) {}

void let_programs_end() {
  // A child after a fork has only the thread that forked.
  nb::module_::import_("os").attr("register_at_fork")(nb::arg("after_in_child") =
                                                          nb::cpp_function([] { working = 0; }));
  nb::module_::import_("atexit").attr("register")(nb::cpp_function(wait_for_work));
}

}  // namespace lastbit::python
