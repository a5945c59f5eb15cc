// web/page.h
#include "web/page.h"

#include <gtest/gtest.h>

#include <cmath>

namespace elastane::web {
namespace {

TEST(Page, TextIsEscaped) {
  Page page("a < b");
  page.heading("c & d");
  page.table({"\"x\""}, {{"1"}});
  const std::string html = page.html();
  EXPECT_NE(html.find("<title>a &lt; b</title>"), std::string::npos);
  EXPECT_NE(html.find("<h2>c &amp; d</h2>"), std::string::npos);
  EXPECT_NE(html.find("<th>&quot;x&quot;</th>"), std::string::npos);
}

TEST(Page, AChartLeavesOutWhatIsNotFinite) {
  const std::string svg =
      draw({.title = "error", .log_y = true, .lines = {{"frozen", "#d64545", {{0, 1}, {1, NAN}, {2, 10}}}}});
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_NE(svg.find("frozen</text>"), std::string::npos);
}

TEST(Page, AChartOfManyLinesHasItsKeyBelowAndShowsSinglePoints) {
  Chart chart{.title = "recall"};
  for (int i = 0; i < 20; ++i) {
    chart.lines.push_back({"a model with a name " + std::to_string(i), "#123456", {{i, 0.5 + i}}});
  }
  const std::string many = draw(chart);
  chart.lines.resize(1);
  const std::string one = draw(chart);
  EXPECT_NE(one.find("viewBox=\"0 0 860 260\""), std::string::npos);
  EXPECT_EQ(many.find("viewBox=\"0 0 860 260\""), std::string::npos) << "taller";
  EXPECT_NE(many.find("<circle"), std::string::npos);
}

TEST(Page, HistogramsShareOutTheValues) {
  const Histogram h = histogram_of({0, 1, 2, 3, 100}, 3, 0.75);
  ASSERT_EQ(h.bars.size(), 4U);
  EXPECT_EQ(h.bars.back().first, "beyond");
  double sum = 0;
  for (const auto& [label, share] : h.bars) sum += share;
  EXPECT_DOUBLE_EQ(sum, 1);
}

}  // namespace
}  // namespace elastane::web
