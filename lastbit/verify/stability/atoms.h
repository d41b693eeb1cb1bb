// Atoms: the values that break programs, for every domain of single cells.
//
// atoms(domain) lists members of the domain with the trouble-makers first: bounds and their
// neighbours, NaN (two payloads), ±0, ±∞, subnormals, 2^53 + 1, INT64_MIN/MAX, null, empty text.
// Enumeration and random draws both use them among other values, so they always take part.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "lastbit/core/domain.h"

namespace lastbit::verify {

// hostile_values: the trouble-makers of a type, whatever the domain.
std::vector<double> hostile_doubles();
std::vector<std::int64_t> hostile_integers();
std::vector<std::string> hostile_strings();

// keep_members: the candidates that belong to the domain, each identity once, order kept.
template <Domain D>
std::vector<CarrierOf<D>> keep_members(const D& domain,
                                       const std::vector<CarrierOf<D>>& candidates) {
  std::vector<CarrierOf<D>> kept;
  for (const auto& candidate : candidates) {
    const auto seen = [&](const auto& other) { return identical(other, candidate); };
    if (domain.contains(candidate) && std::ranges::none_of(kept, seen)) kept.push_back(candidate);
  }
  return kept;
}

std::vector<double> atoms(const AllDomain<double>& domain);
std::vector<std::int64_t> atoms(const AllDomain<std::int64_t>& domain);
std::vector<bool> atoms(const AllDomain<bool>& domain);
std::vector<std::string> atoms(const AllDomain<std::string>& domain);
std::vector<double> atoms(const IntervalDomain<double>& domain);
std::vector<std::int64_t> atoms(const IntervalDomain<std::int64_t>& domain);
std::vector<Rational> atoms(const IntervalDomain<Rational>& domain);
std::vector<Rational> atoms(const AllDomain<Rational>& domain);

template <Domain D>
std::vector<std::optional<CarrierOf<D>>> atoms(const OptionalDomain<D>& domain);
template <Domain A, Domain B>
std::vector<std::pair<CarrierOf<A>, CarrierOf<B>>> atoms(const PairDomain<A, B>& domain);

template <Domain D>
std::vector<std::optional<CarrierOf<D>>> atoms(const OptionalDomain<D>& domain) {
  std::vector<std::optional<CarrierOf<D>>> values{std::nullopt};
  for (const auto& value : atoms(domain.element())) values.emplace_back(value);
  return values;
}

template <Domain A, Domain B>
std::vector<std::pair<CarrierOf<A>, CarrierOf<B>>> atoms(const PairDomain<A, B>& domain) {
  // The diagonal first, so that a short prefix already varies in both coordinates.
  const auto firsts = atoms(domain.first());
  const auto seconds = atoms(domain.second());
  std::vector<std::pair<CarrierOf<A>, CarrierOf<B>>> values;
  for (std::size_t shift = 0; shift < seconds.size(); ++shift) {
    for (std::size_t i = 0; i < firsts.size(); ++i) {
      values.emplace_back(firsts[i], seconds[(i + shift) % seconds.size()]);
    }
  }
  return values;
}

}  // namespace lastbit::verify
