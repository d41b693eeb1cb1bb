// The module `lastbit._lastbit`.
#include <nanobind/nanobind.h>

#include "python/extension/bindings.h"

NB_MODULE(_lastbit, module) {
  module.attr("version") = LASTBIT_VERSION;
  lastbit::python::define_errors();
  lastbit::python::define_noise(module);
  lastbit::python::define_ledgers(module);
  lastbit::python::define_rows(module);
  lastbit::python::define_releases(module);
  lastbit::python::define_accuracy(module);
  lastbit::python::define_account(module);
  lastbit::python::define_chains(module);
}
