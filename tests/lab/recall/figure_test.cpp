// lab/recall/figure.cpp: a still picture of the last query.
#include "lab/recall/recording.h"

#include <gtest/gtest.h>

#include "tests/lab/recall/glass_models.h"

namespace elastane::recall {
namespace {

TEST(Figure, HasAPanelPerAgent) {
  const std::string svg =
      record(random_glass(), {.seed = 1, .episode = 0, .agents = {"dense", "anytime"}}).value().figure();
  EXPECT_NE(svg.find("<svg"), std::string::npos);
  EXPECT_NE(svg.find("anytime"), std::string::npos);
}

}  // namespace
}  // namespace elastane::recall
