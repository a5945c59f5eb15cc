// web/figure_panels.h
#include "web/figure_panels.h"

#include <gtest/gtest.h>

namespace elastane::web {
namespace {

TEST(FigurePanels, EachPanelHasItsNameAndResult) {
  const std::string svg =
      figure_panels({}, "A <walk>", "", {{"esm", true, 12, "<path/>"}, {"k0", false, 40, ""}}, "there", {});
  EXPECT_NE(svg.find(">esm</text>"), std::string::npos);
  EXPECT_NE(svg.find("there in 12 steps"), std::string::npos);
  EXPECT_NE(svg.find("failed"), std::string::npos);
  EXPECT_NE(svg.find("A &lt;walk&gt;"), std::string::npos);
  EXPECT_NE(svg.find("<path/>"), std::string::npos);
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
}

TEST(FigurePanels, LargeDepthsShareAColour) {
  EXPECT_STREQ(depth_colour(3), depth_colour(30));
  EXPECT_STREQ(depth_colour(-1), depth_colour(0));
}

}  // namespace
}  // namespace elastane::web
