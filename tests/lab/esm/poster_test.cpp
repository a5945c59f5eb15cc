// Tests lab/esm/poster.cpp.
#include "lab/esm/poster.h"

#include <gtest/gtest.h>

#include <cmath>

namespace elastane::esm {
namespace {

using benchmark::Outcome;
using benchmark::Record;
using benchmark::Row;

Record record_of(const std::string& name, const std::vector<Outcome>& outcomes) {
  Record record{.card = {.name = name}, .outcomes = outcomes};
  record.latency.add(10);
  return record;
}

std::vector<Record> mazes() {
  return {record_of("ssm", {{.world = 0, .success = true, .steps = 10, .regret = 1.5, .macs = 40},
                            {.world = 1, .success = false, .steps = 50, .regret = 4.1, .macs = 200}}),
          record_of("transformer", {{.world = 0, .success = true, .steps = 10, .regret = 0.5, .macs = 80},
                                    {.world = 1, .success = false, .steps = 10, .regret = 2.9, .macs = 80}}),
          record_of("esm",
                    {{.world = 0, .success = true, .steps = 4, .regret = 0, .macs = 8},
                     {.world = 1, .success = true, .steps = 4, .regret = 0, .corrections = 2, .macs = 8, .idle = 2}})};
}

std::vector<Record> loops() {
  return {record_of("ssm", {{.world = 0, .steps = 4, .macs = 4, .energy = 10}}),
          record_of("transformer", {{.world = 0, .steps = 4, .macs = 8, .energy = 8}}),
          record_of("corrector", {{.world = 0, .steps = 4, .macs = 12, .energy = 5}})};
}

class Poster : public testing::Test {
 protected:
  std::vector<Record> records = mazes();
  std::vector<Row> maze = benchmark::results(records, {.reference = "ssm"});
  std::vector<Row> loop = benchmark::results(loops(), {.reference = "ssm"});
  std::vector<PosterRow> rows = poster_rows(records, maze, loop);
};

TEST_F(Poster, JoinsAgentsOfBothWorlds) {
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[2].agent, "esm");
  EXPECT_EQ(rows[2].loop, nullptr);
  EXPECT_EQ(rows[3].agent, "corrector");
  EXPECT_EQ(rows[3].maze, nullptr);
}

TEST_F(Poster, ComputeIsOverTheTransformers) {
  EXPECT_DOUBLE_EQ(rows[1].compute, 1);
  EXPECT_DOUBLE_EQ(rows[0].maze_compute, 0.5);  // 4 a step against 8
  EXPECT_DOUBLE_EQ(rows[0].compute, 0.5);       // and 1 against 2
  EXPECT_DOUBLE_EQ(rows[2].compute, 0.25);      // of the one world it played
  EXPECT_TRUE(std::isnan(rows[2].loop_compute));
  EXPECT_DOUBLE_EQ(rows[3].compute, 1.5);
}

TEST_F(Poster, LongerWaysCountWhereTheyMay) {
  ASSERT_EQ(rows[1].within.size(), 3U);
  EXPECT_DOUBLE_EQ(rows[0].within[0].success.mean, 0);  // 2.5 times the shortest, and never
  EXPECT_DOUBLE_EQ(rows[0].within[2].success.mean, 0.5);
  EXPECT_DOUBLE_EQ(rows[1].within[1].success.mean, 0.5);  // 1.5 and 3.9 times
  EXPECT_DOUBLE_EQ(rows[1].within[2].success.mean, 1);
}

TEST_F(Poster, JsonHasTheKeysThatWereAgreed) {
  const benchmark::RowJson json = poster_json(rows);
  const char* const keys[] = {"agent",   "maze_success", "maze_ci",    "energy",    "energy_ci",
                              "compute", "step_p50_us",  "mean_depth", "zero_share"};
  for (const auto& row : json) {
    auto at = row.begin();
    for (const char* key : keys) EXPECT_EQ((at++).key(), key);
  }
  EXPECT_DOUBLE_EQ(json[1]["energy"].get<double>(), 0.8);
  EXPECT_TRUE(json[2]["energy"].is_null());
  EXPECT_DOUBLE_EQ(json[2]["mean_depth"].get<double>(), 0.25);
}

TEST_F(Poster, PublishedFiguresStandUnderOurs) {
  const std::string text = poster_table(rows);
  EXPECT_NE(text.find("*0.96*"), std::string::npos) << text;
  EXPECT_NE(text.find("*published*"), std::string::npos);
}

}  // namespace
}  // namespace elastane::esm
