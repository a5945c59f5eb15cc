// lab/peptide/structures.h
#include "lab/peptide/structures.h"

#include <gtest/gtest.h>

#include "tests/lab/peptide/scripted_agent.h"

namespace elastane::peptide {
namespace {

TEST(Structures, TheOracleLeavesAStructure) {
  const std::string pdb = final_structure(draw_episode(1, 0), "oracle", nullptr);
  EXPECT_NE(pdb.find("TITLE     oracle"), std::string::npos);
  EXPECT_NE(pdb.find("ATOM"), std::string::npos);
}

TEST(Structures, WithoutSuccessThereIsNone) {
  ScriptedAgent still([](auto, std::span<float> y) { std::ranges::fill(y, 0.0F); });
  EXPECT_EQ(final_structure(draw_episode(1, 0), "still", &still), "");
}

}  // namespace
}  // namespace elastane::peptide
