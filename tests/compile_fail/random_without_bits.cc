// A randomised transformation cannot be called without a source of bits.
// EXPECT-ERROR: (no match for call|no matching function|constraint)
#include "lastbit/transformations/rows/clamp.h"
#include "lastbit/transformations/rows/resize.h"

using namespace lastbit;

auto sample = make_clamp(vector_of(interval(0, 120))) >> make_resize(10, 0);
#ifdef LASTBIT_WRONG
auto rows = sample({1, 2, 3});
#else
auto rows = sample({1, 2, 3}, thread_bit_source());
#endif
