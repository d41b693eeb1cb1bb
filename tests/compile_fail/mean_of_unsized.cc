// A mean divides by the number of rows, which must be public: vectors of free size do not chain into
// a mean.
// EXPECT-ERROR: deleted
#include "lastbit/transformations/aggregates/mean.h"
#include "lastbit/transformations/rows/clamp.h"
#include "lastbit/transformations/rows/resize.h"

using namespace lastbit;

auto bounded = make_clamp(vector_of(interval(0, 120)));
#ifdef LASTBIT_WRONG
auto mean = bounded >> make_mean();
#else
auto mean = bounded >> make_resize(100, 40) >> make_mean();
#endif
