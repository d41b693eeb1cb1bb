// The lock of Python's interpreter, for work that does not need it, and for calls back.
//
// Guarantee      when the program ends while a thread waits for the lock, the thread rests until
//                the process is gone, as since Python 3.14. Before, Python ends such a thread by
//                unwinding its stack, through C++ that cannot be unwound: the process would abort.
#pragma once

#include <Python.h>
#include <unistd.h>

namespace lastbit::python {

// taking_lock: calls a function of Python that takes the lock. None of them throws; what arrives
// here is the end of the thread.
template <class Take>
auto taking_lock(const Take& take) noexcept {
  try {
    return take();
  } catch (...) {
    while (true) pause();
  }
}

// OthersRun: other Python threads run while this lives.
class OthersRun {
 public:
  OthersRun() : thread_(PyEval_SaveThread()) {}
  OthersRun(const OthersRun&) = delete;
  OthersRun& operator=(const OthersRun&) = delete;
  ~OthersRun() {
    taking_lock([this] { PyEval_RestoreThread(thread_); });
  }

 private:
  PyThreadState* thread_;
};

// PythonRuns: Python code may run in this thread while this lives.
class PythonRuns {
 public:
  PythonRuns() : before_(taking_lock([] { return PyGILState_Ensure(); })) {}
  PythonRuns(const PythonRuns&) = delete;
  PythonRuns& operator=(const PythonRuns&) = delete;
  ~PythonRuns() { PyGILState_Release(before_); }

 private:
  PyGILState_STATE before_;
};

}  // namespace lastbit::python
