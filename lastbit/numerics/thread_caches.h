// Inside numerics only: MPFR and FLINT keep constants such as ln 2 once per thread.
#pragma once

namespace lastbit::internal {

// free_caches_at_thread_exit: makes sure, once per thread, that the caches of the calling thread
// are freed when it ends. Every constructor of a Ball or Float calls it first, so that objects
// living as long as their thread are destroyed before the caches are.
void free_caches_at_thread_exit();

}  // namespace lastbit::internal
