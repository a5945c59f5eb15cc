// Keeps a second run away from a snapshot: the lock is held until the object is destroyed, or the program ends.
#pragma once

#include <string>

#include "elastane/io/descriptor.h"

namespace elastane::app {

class SnapshotLock {
 public:
  // Locks PATH.lock, which stays there: removing it would let a third run in. "": no lock. Throws if another run has it.
  explicit SnapshotLock(const std::string& path);

 private:
  Descriptor file_;
};

}  // namespace elastane::app
