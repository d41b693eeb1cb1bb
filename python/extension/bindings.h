// What the files of the extension share. Each defines a part of the module `lastbit._lastbit`,
// which only the package `lastbit` calls: numbers arrive as texts that lastbit/_numbers.py makes,
// and leave as texts that it reads.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>
#include <string>

#include "lastbit/numerics/rational.h"

namespace lastbit::python {

void define_errors();
void define_noise(nanobind::module_& module);
void define_ledgers(nanobind::module_& module);
void define_releases(nanobind::module_& module);
void define_rows(nanobind::module_& module);
void define_parts(nanobind::module_& module);
void define_accuracy(nanobind::module_& module);
void define_account(nanobind::module_& module);
void define_chains(nanobind::module_& module);

// let_signals_through: for long work without the lock of Python. A signal such as Ctrl-C ends it
// with the exception that Python raises.
void let_signals_through();

// number_of: a number that the package wrote as a text, as in "3" or "-1/3".
Rational number_of(const std::string& text);
std::optional<Rational> number_of(const std::optional<std::string>& text);
// fraction_text: a number as fractions.Fraction reads it, numerator/denominator.
std::string fraction_text(const Rational& number);

}  // namespace lastbit::python
