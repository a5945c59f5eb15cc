// Memory of tensors that come and go in every step: kept by the process, where giving its pages back to the system and
// asking for them again would cost more than the work.
#pragma once

#include <malloc.h>

namespace elastane::lab {

inline void keep_pages() {
  ::mallopt(M_MMAP_THRESHOLD, 32 << 20);  // the largest that the allocator takes
  ::mallopt(M_TRIM_THRESHOLD, 1 << 30);
}

}  // namespace elastane::lab
