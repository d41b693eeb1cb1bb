#include "lastbit/transformations/rows/bins.h"

#include "lastbit/base/error.h"

namespace lastbit {
namespace {

// An edge beyond the 64-bit integers stays beyond them.
Int128 to_int128(const Integer& value) {
  if (value.fits_int64()) return value.to_int64();
  const Int128 beyond = static_cast<Int128>(1) << 64;
  return value.sign() < 0 ? -beyond : beyond;
}

template <SummableRow T>
auto first_at_or_above(const Rational& edge) {
  if constexpr (std::same_as<T, double>) {
    return edge.up();
  } else {
    return to_int128(edge.ceil());
  }
}

template <SummableRow T>
auto last_at_or_below(const Rational& edge) {
  if constexpr (std::same_as<T, double>) {
    return edge.down();
  } else {
    return to_int128(edge.floor());
  }
}

const Rational& checked_last(std::string_view place, const std::vector<Rational>& edges) {
  if (edges.size() < 2) {
    throw Error::bad_parameter(place, "edges", "has fewer than two entries",
                               "give the lower edge of the first bin and the upper edge of each");
  }
  for (std::size_t i = 1; i < edges.size(); ++i) {
    if (edges[i - 1] < edges[i]) continue;
    throw Error::bad_parameter(place, "edges", "is not strictly increasing",
                               "sort the edges and list each once");
  }
  return edges.back();
}

}  // namespace

template <SummableRow T>
Bins<T>::Bins(std::string_view place, const std::vector<Rational>& edges)
    : last_(last_at_or_below<T>(checked_last(place, edges))) {
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
    starts_.push_back(first_at_or_above<T>(edges[i]));
  }
}

template class Bins<std::int64_t>;
template class Bins<double>;

}  // namespace lastbit
