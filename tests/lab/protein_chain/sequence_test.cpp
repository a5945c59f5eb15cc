// lab/protein_chain/sequence.h
#include "lab/protein_chain/sequence.h"

#include <gtest/gtest.h>

namespace elastane::protein_chain {
namespace {

TEST(Sequence, ClassesFollowTheResidueAndItsNeighbour) {
  const Sequence s = classified("AGIPVPGP");
  const std::array expected = {Class::general, Class::gly, Class::pre_pro, Class::pro,
                               Class::pre_pro, Class::pro, Class::gly,     Class::pro};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(s.classes[i], expected[i]) << i;
}

TEST(Sequence, TheResidueAfterTheLastOneCounts) {
  EXPECT_EQ(classified("AV", 'P').classes[1], Class::pre_pro);
  EXPECT_EQ(classified("AV").classes[1], Class::ile_val);
}

TEST(Sequence, GlycineHasNoCb) {
  const Sequence s = classified("AG");
  EXPECT_EQ(s.text(), "AG");
  EXPECT_TRUE(s.has_cb(0));
  EXPECT_FALSE(s.has_cb(1));
}

TEST(Sequence, ThreeLettersAreThoseOfPdbFiles) {
  EXPECT_EQ(three_letters('W'), "TRP");
  EXPECT_EQ(three_letters('?'), "UNK");
}

}  // namespace
}  // namespace elastane::protein_chain
