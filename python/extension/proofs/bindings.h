// What the files of the module `lastbit._proofs` share.
#pragma once

#include <nanobind/nanobind.h>

namespace lastbit::python {

void define_decisions(nanobind::module_& module);
void define_loss(nanobind::module_& module);

}  // namespace lastbit::python
