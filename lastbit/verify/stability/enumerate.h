// Enumerating domains: all members over a given list of atoms, up to a given length.
#pragma once

#include <algorithm>
#include <concepts>
#include <vector>

#include "lastbit/core/domain.h"
#include "lastbit/verify/stability/atoms.h"

namespace lastbit::verify {

// all_vectors: every vector of exactly `length` rows over the atoms, |atoms|^length of them.
template <class T>
std::vector<std::vector<T>> all_vectors(const std::vector<T>& atoms, std::size_t length) {
  std::vector<std::vector<T>> vectors{{}};
  for (std::size_t position = 0; position < length; ++position) {
    std::vector<std::vector<T>> longer;
    for (const auto& vector : vectors) {
      for (const T& atom : atoms) {
        longer.push_back(vector);
        longer.back().push_back(atom);
      }
    }
    vectors = std::move(longer);
  }
  return vectors;
}

// EnumerationLimits: how many atoms, and how many rows if the domain does not fix the size.
struct EnumerationLimits {
  std::size_t atoms = 4;
  std::size_t rows = 3;
};

// members: every member of the domain over its first `limits.atoms` atoms; all lengths from 0 to
// `limits.rows`, shortest first, including the empty vector, duplicates and permutations.
template <Domain D>
std::vector<CarrierOf<VectorDomain<D>>> members(const VectorDomain<D>& domain,
                                                EnumerationLimits limits) {
  auto values = atoms(domain.element());
  values.resize(std::min(values.size(), limits.atoms));
  std::vector<CarrierOf<VectorDomain<D>>> all;
  for (std::size_t length = 0; length <= limits.rows; ++length) {
    auto vectors = all_vectors(values, length);
    all.insert(all.end(), vectors.begin(), vectors.end());
  }
  return all;
}

// A sized domain has only one length; limits.rows is not used.
template <Domain D>
std::vector<CarrierOf<SizedVectorDomain<D>>> members(const SizedVectorDomain<D>& domain,
                                                     EnumerationLimits limits) {
  auto values = atoms(domain.element());
  values.resize(std::min(values.size(), limits.atoms));
  return all_vectors(values, domain.size());
}

// A domain of single values has its atoms; limits.rows is not used.
template <Domain D>
  requires(!DatasetDomain<D>)
std::vector<CarrierOf<D>> members(const D& domain, EnumerationLimits limits) {
  auto values = atoms(domain);
  values.resize(std::min(values.size(), limits.atoms));
  return values;
}

}  // namespace lastbit::verify
