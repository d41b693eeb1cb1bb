// Random members of domains, half of them trouble-makers (see atoms.h), for property tests on
// domains too large to enumerate. The bits come from a recorded tape, so a failure repeats.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lastbit/core/domain.h"
#include "lastbit/random/bit_source.h"
#include "lastbit/random/uniform.h"
#include "lastbit/verify/stability/atoms.h"

namespace lastbit::verify {

// ordinary_member: a member that is not a trouble-maker by design, or nothing if the draw missed
// the domain.
std::optional<double> ordinary_member(const AllDomain<double>& domain, BitSource& bits);
std::optional<double> ordinary_member(const IntervalDomain<double>& domain, BitSource& bits);
std::optional<std::int64_t> ordinary_member(const AllDomain<std::int64_t>& domain, BitSource& bits);
std::optional<std::int64_t> ordinary_member(const IntervalDomain<std::int64_t>& domain,
                                            BitSource& bits);
std::optional<bool> ordinary_member(const AllDomain<bool>& domain, BitSource& bits);
std::optional<std::string> ordinary_member(const AllDomain<std::string>& domain, BitSource& bits);

template <Domain D>
CarrierOf<D> random_member(const D& domain, BitSource& bits);

template <Domain D>
std::optional<std::optional<CarrierOf<D>>> ordinary_member(const OptionalDomain<D>& domain,
                                                           BitSource& bits) {
  if (bits.bits(2) == 0) return std::optional<CarrierOf<D>>();
  return random_member(domain.element(), bits);
}

template <Domain A, Domain B>
std::optional<std::pair<CarrierOf<A>, CarrierOf<B>>> ordinary_member(const PairDomain<A, B>& domain,
                                                                     BitSource& bits) {
  auto first = random_member(domain.first(), bits);
  return std::pair{std::move(first), random_member(domain.second(), bits)};
}

template <Domain D>
CarrierOf<D> random_member(const D& domain, BitSource& bits) {
  if (bits.bit()) {
    if (auto member = ordinary_member(domain, bits)) return *member;
  }
  const auto troublesome = atoms(domain);
  return troublesome[uniform_below(bits, troublesome.size())];
}

// random_vector: `rows` random members, with repetitions about every fourth row.
template <Domain D>
std::vector<CarrierOf<D>> random_vector(const D& element, std::size_t rows, BitSource& bits) {
  std::vector<CarrierOf<D>> vector;
  for (std::size_t i = 0; i < rows; ++i) {
    const bool repeat = i > 0 && bits.bits(2) == 0;
    if (repeat) {
      vector.push_back(CarrierOf<D>(vector[uniform_below(bits, i)]));
    } else {
      vector.push_back(random_member(element, bits));
    }
  }
  return vector;
}

}  // namespace lastbit::verify
