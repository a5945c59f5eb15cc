// lab/protein_chain/contact_limits.h
#include "lab/protein_chain/contact_limits.h"

#include <gtest/gtest.h>

namespace elastane::protein_chain {
namespace {

TEST(ContactLimits, AreSymmetricAndExtremeOnesAreTheShorter) {
  for (int a = 0; a < kElements; ++a) {
    for (int b = 0; b < kElements; ++b) {
      EXPECT_EQ(kOuter[a][b], kOuter[b][a]);
      EXPECT_EQ(kExtreme[a][b], kExtreme[b][a]);
      EXPECT_LT(kExtreme[a][b], kOuter[a][b]);
    }
  }
}

TEST(ContactLimits, EveryKindOfAtomHasItsElement) {
  EXPECT_EQ(element_of(AtomKind::n), kNitrogen);
  EXPECT_EQ(element_of(AtomKind::o), kOxygen);
  for (const AtomKind kind : {AtomKind::ca, AtomKind::cb, AtomKind::c}) EXPECT_EQ(element_of(kind), kCarbon);
}

}  // namespace
}  // namespace elastane::protein_chain
