// An Error of the library becomes the exception `lastbit.Error`; a signal becomes what Python makes
// of it.
#include <nanobind/nanobind.h>

#include <exception>
#include <string>

#include "lastbit/base/error.h"
#include "python/extension/bindings.h"
#include "python/extension/interpreter.h"

namespace lastbit::python {

namespace nb = nanobind;

namespace {

void raise(const Error& error) {
  const nb::object make = nb::module_::import_("lastbit._errors").attr("error_of");
  const std::string code(error_code_name(error.code()));
  const nb::object made =
      make(code.c_str(), error.place().c_str(), error.problem().c_str(), error.remedy().c_str());
  PyErr_SetObject(made.type().ptr(), made.ptr());
}

}  // namespace

void define_errors() {
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const Error& error) {
      raise(error);
    }
  });
}

void let_signals_through() {
  const PythonRuns python_runs;
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

}  // namespace lastbit::python
