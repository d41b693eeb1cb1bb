// The module `lastbit._proofs`: the verifier. lastbit/_verifier.py imports it on first use.
#include <nanobind/nanobind.h>

#include "python/extension/bindings.h"
#include "python/extension/interpreter.h"
#include "python/extension/proofs/bindings.h"

NB_MODULE(_proofs, module) {
  lastbit::python::let_programs_end();
  lastbit::python::define_errors();
  lastbit::python::define_decisions(module);
  lastbit::python::define_loss(module);
}
