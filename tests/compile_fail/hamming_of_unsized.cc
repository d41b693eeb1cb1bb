// The Hamming distance exists on vectors of one public size only.
// EXPECT-ERROR: constraint
#include "lastbit/transformations/aggregates/count.h"

using namespace lastbit;

#ifdef LASTBIT_WRONG
auto count = make_count(vector_of(booleans()), HammingDistance{});
#else
auto count = make_count(vector_of(booleans(), 10), HammingDistance{});
#endif
