// The module `lastbit._lastbit`.
#include <nanobind/nanobind.h>

#include "python/extension/bindings.h"

NB_MODULE(_lastbit, module) {
  lastbit::python::define_errors();
  lastbit::python::define_noise(module);
}
