// The module `lastbit._lastbit`.
#include <nanobind/nanobind.h>

#include "python/extension/bindings.h"
#include "python/extension/interpreter.h"

NB_MODULE(_lastbit, module) {
  module.attr("version") = LASTBIT_VERSION;
  // A thread that rests when the program ends holds what it works on.
  nanobind::set_leak_warnings(false);
  lastbit::python::let_programs_end();
  lastbit::python::define_errors();
  lastbit::python::define_noise(module);
  lastbit::python::define_ledgers(module);
  lastbit::python::define_rows(module);
  lastbit::python::define_parts(module);
  lastbit::python::define_releases(module);
  lastbit::python::define_accuracy(module);
  lastbit::python::define_account(module);
  lastbit::python::define_chains(module);
}
