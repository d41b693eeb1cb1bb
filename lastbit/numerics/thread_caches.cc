#include "lastbit/numerics/thread_caches.h"

#include <mpfr.h>

#include "lastbit/numerics/arb_header.h"

namespace lastbit::internal {
namespace {

struct CacheOwner {
  CacheOwner() = default;
  CacheOwner(const CacheOwner&) = delete;
  CacheOwner& operator=(const CacheOwner&) = delete;
  ~CacheOwner() {
    // FLINT hands out its numbers from pools; the cleanup frees only those that are not in use.
    flint_cleanup();
    mpfr_free_cache();
  }
};

}  // namespace

void free_caches_at_thread_exit() {
  static thread_local const CacheOwner owner;
  static_cast<void>(owner);
}

}  // namespace lastbit::internal
