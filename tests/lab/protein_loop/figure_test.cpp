// lab/protein_loop/figure.cpp
#include <gtest/gtest.h>

#include "lab/protein_loop/recording.h"
#include "tests/paths.h"

namespace elastane::protein_loop {
namespace {

TEST(LoopFigure, HasAPanelForEveryAgent) {
  const Networks networks = load_networks(ELASTANE_MODELS).value();
  const auto r = record(networks, {.seed = 1, .episode = 0, .agents = {"ssm", "esm"}});
  ASSERT_TRUE(r) << r.error();
  const std::string svg = r->figure();
  EXPECT_TRUE(svg.starts_with("<svg"));
  for (const char* part : {"ssm", "esm", "K along the chain", "the loop before it was bent"}) {
    EXPECT_NE(svg.find(part), std::string::npos) << part;
  }
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

}  // namespace
}  // namespace elastane::protein_loop
