// Keeps the memory of tensors that are freed in every step in the process: returning its pages to the system and asking
// for them again costs more than the work.
#pragma once

#include <malloc.h>

namespace elastane::lab {

inline void keep_pages() {
  ::mallopt(M_MMAP_THRESHOLD, 32 << 20);  // the largest that the allocator takes
  ::mallopt(M_TRIM_THRESHOLD, 1 << 30);
}

}  // namespace elastane::lab
