// What is promised about multisets says nothing about lists: a left side that speaks of the symmetric
// distance does not chain into a right side that takes the insert-delete distance.
// EXPECT-ERROR: deleted
#include "lastbit/transformations/aggregates/count.h"
#include "lastbit/transformations/change_metric.h"
#include "lastbit/transformations/rows/clamp.h"

using namespace lastbit;

auto bounded = make_clamp(vector_of(interval(0, 120)));
auto count = make_count(vector_of(interval(0, 120)), InsertDeleteDistance{});
#ifdef LASTBIT_WRONG
auto chain = bounded >> count;
#else
auto chain = bounded >> make_sort() >> count;
#endif
