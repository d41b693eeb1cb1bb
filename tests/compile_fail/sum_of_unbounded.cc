// A sum of rows without bounds has no sensitivity: clamp first.
// EXPECT-ERROR: deleted
#include "lastbit/transformations/aggregates/sum.h"
#include "lastbit/transformations/rows/clamp.h"
#include "lastbit/transformations/rows/impute.h"

using namespace lastbit;

auto known = make_impute_constant(vector_of(optional_of(integers())), SymmetricDistance{}, 0);
#ifdef LASTBIT_WRONG
auto total = known >> make_sum();
#else
auto total = known >> make_clamp(0, 10) >> make_sum();
#endif
