// Measured: what a piece of work takes, in a process of its own.
#pragma once

#include <fmt/core.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <limits>

#include "lastbit/base/error.h"
#include "lastbit/base/stopwatch.h"

namespace lastbit {

struct Measured {
  double seconds = std::numeric_limits<double>::infinity();
  double megabytes = 0;
};

// in_child: the seconds and the peak memory of a process that does the work. Its failure is a
// kInternal Error.
inline Measured in_child(const std::function<void()>& work) {
  const Stopwatch watch;
  const pid_t child = fork();
  if (child == 0) {
    try {
      work();
    } catch (const std::exception& error) {
      fmt::print(stderr, "{}\n", error.what());
      _exit(EXIT_FAILURE);
    }
    _exit(EXIT_SUCCESS);
  }
  int status = -1;
  rusage usage = {};
  invariant(child > 0 && wait4(child, &status, 0, &usage) == child, "a process can be started");
  const double taken = watch.seconds();
  if (!WIFEXITED(status) || WEXITSTATUS(status) != EXIT_SUCCESS) {
    throw Error(ErrorCode::kInternal, "benchmark", "a measured process failed", "see above");
  }
  return {taken, static_cast<double>(usage.ru_maxrss) / 1e3};
}

}  // namespace lastbit
