#include "lab/provenance.h"

#include <utility>

namespace elastane::lab {
namespace {

Provenance& current() {
  static Provenance provenance;
  return provenance;
}

}  // namespace

void set_provenance(Provenance provenance) { current() = std::move(provenance); }
const Provenance& provenance() { return current(); }

}  // namespace elastane::lab
