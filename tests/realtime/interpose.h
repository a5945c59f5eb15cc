// Counts what a thread asks of the allocator and of locks while it is watched. Link interpose.cpp to take effect.
#pragma once

namespace elastane {

// sanitizers put an allocator and locks of their own in the same place
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define ELASTANE_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define ELASTANE_SANITIZED 1
#endif
#endif

#ifdef ELASTANE_SANITIZED
inline constexpr bool kCanWatch = false;
#else
inline constexpr bool kCanWatch = true;
#endif

struct Requests {
  long allocations = 0;  // and releases
  long locks = 0;
};

// count what this thread does from here on, from zero
void watch();
// no longer; says what was counted
Requests unwatch();

}  // namespace elastane
