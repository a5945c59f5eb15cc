// lab/peptide/figure.cpp
#include <gtest/gtest.h>

#include "lab/peptide/recording.h"
#include "tests/paths.h"

namespace elastane::peptide {
namespace {

TEST(PeptideFigure, HasAPanelForEveryAgentAndTheContact) {
  const Networks networks = load_networks(ELASTANE_MODELS).value();
  const auto r = record(networks, {.seed = 1, .episode = 0, .agents = {"frozen", "oracle"}});
  ASSERT_TRUE(r) << r.error();
  const std::string svg = r->figure();
  EXPECT_TRUE(svg.starts_with("<svg"));
  for (const char* part : {"frozen", "oracle", "start: ", "end: ", "distance of the contact"}) {
    EXPECT_NE(svg.find(part), std::string::npos) << part;
  }
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

}  // namespace
}  // namespace elastane::peptide
