// The module `lastbit._lastbit`.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <string>

#include "lastbit/base/passwords.h"
#include "lastbit/postgres/address.h"
#include "python/extension/bindings.h"
#include "python/extension/interpreter.h"

NB_MODULE(_lastbit, module) {
  module.attr("version") = LASTBIT_VERSION;
  // A thread that rests when the program ends holds what it works on.
  nanobind::set_leak_warnings(false);
  lastbit::python::let_programs_end();
  lastbit::python::define_errors();
  module.def(
      "without_passwords", [](const std::string& text) { return lastbit::without_passwords(text); },
      nanobind::arg("text"));
  module.def(
      "refuse_other_urls",
      [](const std::string& place, const std::string& text) {
        lastbit::postgres::refuse_other_urls(place, text);
      },
      nanobind::arg("place"), nanobind::arg("text"));
  lastbit::python::define_noise(module);
  lastbit::python::define_ledgers(module);
  lastbit::python::define_rows(module);
  lastbit::python::define_parts(module);
  lastbit::python::define_releases(module);
  lastbit::python::define_accuracy(module);
  lastbit::python::define_account(module);
  lastbit::python::define_chains(module);
}
