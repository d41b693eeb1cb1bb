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

// A message may quote a part of a text, cut in the middle of a character, or a path that is not
// UTF-8.
nb::str readable(const std::string& text) {
  return nb::steal<nb::str>(
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
}

void raise(const Error& error) {
  const nb::object make = nb::module_::import_("lastbit._errors").attr("error_of");
  const std::string code(error_code_name(error.code()));
  const nb::object made = make(readable(code), readable(error.place()), readable(error.problem()),
                               readable(error.remedy()));
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
