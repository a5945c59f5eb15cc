// Tests of elastane/core/math/isa.cpp.
#include <gtest/gtest.h>

#include <string>

#include "elastane/core/math/kernels.h"

namespace elastane {
namespace {

TEST(InstructionSets, AreKnownByName) {
  for (const Isa isa : {Isa::automatic, Isa::sse4, Isa::avx2, Isa::avx512}) {
    EXPECT_EQ(parse_isa(name(isa)).value(), isa);
  }
  const auto unknown = parse_isa("neon");
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().find("neon"), std::string::npos);
  EXPECT_NE(unknown.error().find("sse4, avx2 or avx512"), std::string::npos);
}

TEST(InstructionSets, AutomaticIsTheBestThatThisMachineHas) {
  Isa best = Isa::automatic;
  for (const Isa isa : {Isa::sse4, Isa::avx2, Isa::avx512}) {
    if (const auto found = kernels(isa)) {
      EXPECT_EQ((*found)->isa, isa);
      best = isa;
    }
  }
  EXPECT_EQ(kernels().value()->isa, best);
}

}  // namespace
}  // namespace elastane
