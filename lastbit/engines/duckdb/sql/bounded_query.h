// BoundedQuery: an aggregation of a file of private rows. The engine does all of it; noise is added
// elsewhere.
//
// Guarantee      the answer is that of the aggregation (release/plan/aggregation.h) for the rows of
//                the file as declared. The order of the rows, the number of threads, the memory
//                limit and the format of the file change nothing.
//                Proof: proofs/engine.md#determinism, proofs/engine.md#statement
// Not promised   that running takes the same time for all data; which groups exist is part of the
//                answer where keys are discovered.
// Fails          kBadParameter for an impossible query, before any row is read; kBadInput for a
//                source that cannot be read as declared, or that has more rows than `max_rows`. No
//                message depends on a field, and no field causes any other failure.
#pragma once

#include <vector>

#include "lastbit/engines/duckdb/reading/source.h"
#include "lastbit/release/engine.h"
#include "lastbit/release/keyed_choice.h"
#include "lastbit/release/plan/aggregation.h"

namespace lastbit::engine {

struct BoundedQuery : Aggregation {
  DataSource source;
  EngineLimits limits;
};

// run_bounded: if all keys are public, all groups in the order of their keys, the last column
// changing fastest, with zeros for groups without rows. If keys are found, the groups that have
// rows of counted units, in the order of their keys. The answer is private.
// UseKernel: whether rows of units go to the kernel (engines/kernel), or all work is done by the
// engine's statements. Both give the same answer, and statements are there for what the kernel
// lacks memory for. Tests must know which one answered: with kOnly it is an invariant that the
// kernel does, wherever uses_kernel (bounded_sql.h).
enum class UseKernel { kYes, kNo, kOnly };
std::vector<GroupAnswer> run_bounded(const BoundedQuery& query, const SecretKey& key,
                                     UseKernel kernel = UseKernel::kYes);

}  // namespace lastbit::engine
