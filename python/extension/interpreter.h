// The lock of Python's interpreter, for work that does not need it, and for calls back; and the end
// of the program while such work goes on in a daemon thread.
//
// Guarantee      a program can end while threads work here. Their work rests where it would look at
//                signals, or ends, before anything that it uses is taken down; a thread never
//                returns to a Python that is no more. The program waits for that as long as
//                kLongestWait.
//                Before 3.14, Python ends a thread that waits for its lock by unwinding its stack,
//                through C++ that cannot be unwound: the process would abort.
#pragma once

#include <Python.h>

#include <chrono>

namespace lastbit::python {

inline constexpr std::chrono::seconds kLongestWait(5);

// OthersRun: other Python threads run while this lives.
class OthersRun {
 public:
  OthersRun();
  OthersRun(const OthersRun&) = delete;
  OthersRun& operator=(const OthersRun&) = delete;
  ~OthersRun();

 private:
  PyThreadState* thread_;
};

// PythonRuns: Python code may run in this thread, within an OthersRun, while this lives.
class PythonRuns {
 public:
  PythonRuns();
  PythonRuns(const PythonRuns&) = delete;
  PythonRuns& operator=(const PythonRuns&) = delete;
  ~PythonRuns() { PyGILState_Release(before_); }

 private:
  PyGILState_STATE before_;
};

// let_programs_end: makes Python call us when the program ends. Each module does so once.
void let_programs_end();

}  // namespace lastbit::python
