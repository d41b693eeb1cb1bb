// The gallery: every transformation of the library with a check of its stability relation, and the
// wrong ones that the checks must catch. The tests and `lastbit stability` both walk through it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lastbit/verify/stability/report.h"

namespace lastbit::verify {

struct GalleryEntry {
  std::string name;
  std::string relation;  // the claimed map in words; d is the distance of the inputs
  bool wrong = false;
  std::function<StabilityReport()> check;
};

// right_transformations: the library's own; every check must hold.
std::vector<GalleryEntry> right_transformations();
// wrong_transformations: every check must find a violation.
std::vector<GalleryEntry> wrong_transformations();

}  // namespace lastbit::verify
