// Tests lab/esm/curve.cpp.
#include "lab/esm/curve.h"

#include <gtest/gtest.h>

namespace elastane::esm {
namespace {

using benchmark::Outcome;
using benchmark::Record;
using benchmark::Row;

// four steps in each of two mazes
Record record_of(const std::string& name, const std::string& settings, int successes, int micro_steps) {
  Record record{.card = {.name = name, .settings = settings}, .outcomes = {}};
  for (int world = 0; world < 2; ++world) {
    record.outcomes.push_back({.world = world,
                               .success = world < successes,
                               .steps = 4,
                               .corrections = micro_steps,
                               .macs = 4000.0 * (1 + micro_steps),
                               .idle = 4 - micro_steps});
  }
  record.latency.add(10);
  return record;
}

class CurveTest : public testing::Test {
 protected:
  std::vector<Record> records = {record_of("k0", "", 1, 0), record_of("esm, price 0, seed 1", "price 0", 2, 4),
                                 record_of("esm, price 0, seed 2", "price 0", 1, 2),
                                 record_of("esm, price 1, seed 1", "price 1", 1, 1)};
  std::vector<Row> rows = benchmark::results(records, {.reference = "k0"});
  std::vector<CurvePoint> points = curve_points(records, rows);
};

TEST_F(CurveTest, TrainingsWithOnePriceAreOnePoint) {
  ASSERT_EQ(points.size(), 2U);
  EXPECT_EQ(points[0].settings, "price 0");
  EXPECT_DOUBLE_EQ(points[0].success.mean, 0.75);
  EXPECT_EQ(points[0].depths, (std::vector<double>{1, 0.5}));
  EXPECT_DOUBLE_EQ(points[0].mean_depth, 0.75);
  EXPECT_DOUBLE_EQ(points[0].zero_share, 0.25);
  EXPECT_DOUBLE_EQ(points[0].macs, 4000);
  EXPECT_DOUBLE_EQ(points[1].success.mean, 0.5);
}

TEST_F(CurveTest, TableAndJsonSayTheSame) {
  const std::string table = curve_table(points, 8000);
  EXPECT_NE(table.find("1.000, 0.500"), std::string::npos) << table;
  EXPECT_NE(table.find("0.5000"), std::string::npos) << table;
  const auto json = curve_json("maze", points, 8000);
  ASSERT_EQ(json.size(), 2U);
  EXPECT_EQ(json[0]["agent"], "esm, price 0");
  EXPECT_EQ(json[0]["compute"], 0.5);
  EXPECT_EQ(json[1]["maze_success"], 0.5);
}

TEST_F(CurveTest, TheFigureHasAPanelForEachCurveAndWhoIsThere) {
  const std::string svg = curve_figure({{"Mazes", points, &rows}, {"More mazes", points, &rows}});
  EXPECT_NE(svg.find("Mazes</text>"), std::string::npos);
  EXPECT_NE(svg.find("More mazes</text>"), std::string::npos);
  EXPECT_NE(svg.find("k0</text>"), std::string::npos);
  EXPECT_EQ(svg.find("transformer</text>"), std::string::npos);  // it did not play
  EXPECT_NE(svg.find("λ 1</text>"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

}  // namespace
}  // namespace elastane::esm
