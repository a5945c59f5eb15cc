// lab/peptide/sequence.h
#include "lab/peptide/sequence.h"

#include <gtest/gtest.h>

namespace elastane::peptide {
namespace {

TEST(Sequence, AnUnknownResidueIsNamed) {
  const auto result = parse_sequence("ACDEBGHIK");
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().find("residue 5"), std::string::npos) << result.error();
  EXPECT_NE(result.error().find("\"B\""), std::string::npos);
  EXPECT_FALSE(parse_sequence("acdefghik"));
}

TEST(Sequence, ALengthOutOfRangeIsRefused) {
  EXPECT_FALSE(parse_sequence("ACDEFGH"));
  EXPECT_FALSE(parse_sequence("ACDEFGHIKLMNP"));
  EXPECT_FALSE(parse_sequence(""));
}

TEST(Sequence, RandomOnesAreValid) {
  Random random(7);
  for (int n = 0; n < 50; ++n) EXPECT_TRUE(parse_sequence(random_sequence(random).text()));
}

}  // namespace
}  // namespace elastane::peptide
