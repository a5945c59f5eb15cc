// Tests apps/elastane/reproduce.cpp and contest_report.cpp.
#include "apps/elastane/reproduce.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "apps/elastane/aligned_table.h"
#include "tests/io/folder.h"
#include "tests/worlds/contest/coin_contest.h"

namespace elastane::app {
namespace {

using contest::CoinContest;
using contest::Measure;
using Json = nlohmann::ordered_json;

CoinContest coins() {
  return CoinContest({{"frozen", 0.4, 40}, {"sketch", 0.6, 10, "λ 1e-3"}, {"exact", 0.75, 10}}, 16,
                     {{"λ 1e-4", 0.6}, {"λ 1e-2", 0.6}});
}

std::string printed(const contest::Contest& contest, const ReproduceOptions& options) {
  testing::internal::CaptureStdout();
  const int code = reproduce(contest, options);
  const std::string text = testing::internal::GetCapturedStdout();
  EXPECT_EQ(code, 0);
  return text;
}

TEST(Reproduce, WritesRowsWithTheKeysThatWereAgreed) {
  const Folder folder;
  const CoinContest contest = coins();
  printed(contest, {.seeds = 2, .episodes = 64, .json = folder / "rows.json"});
  const Json rows = Json::parse(read_text(folder / "rows.json"));
  ASSERT_EQ(rows.size(), 3U);
  const std::vector<std::string> keys = {"agent",
                                         "success",
                                         "success_ci",
                                         "steps",
                                         "steps_ci",
                                         "steps_after_change",
                                         "violations_per_1000",
                                         "regret",
                                         "p50_us",
                                         "p99_us",
                                         "products_per_step",
                                         "accept_rate",
                                         "condition",
                                         "madds",
                                         "p_value"};
  for (const Json& row : rows) {
    auto at = row.begin();
    for (const std::string& key : keys) EXPECT_EQ((at++).key(), key);
  }
  EXPECT_TRUE(rows[0]["p_value"].is_null());
  EXPECT_EQ(rows[1]["success_ci"].size(), 2U);
  EXPECT_DOUBLE_EQ(rows[1]["products_per_step"].get<double>(), 3);
}

TEST(Reproduce, AFinishedRunPrintsItsTablesWithoutPlaying) {
  const Folder folder;
  const ReproduceOptions options{.seeds = 2, .episodes = 40, .journal = folder / "j"};
  const CoinContest first = coins(), second = coins();
  const std::string text = printed(first, options);
  EXPECT_EQ(printed(second, options), text);
  EXPECT_EQ(second.played, 0);
  const CoinContest third = coins();
  ReproduceOptions fresh = options;
  fresh.fresh = true;
  printed(third, fresh);
  EXPECT_EQ(third.played, 3 * 80);
}

TEST(Reproduce, TheReferenceTakesPartUnasked) {
  const Folder folder;
  const CoinContest contest = coins();
  printed(contest, {.agents = {"exact"}, .seeds = 1, .episodes = 20, .json = folder / "rows.json"});
  const Json rows = Json::parse(read_text(folder / "rows.json"));
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0]["agent"], "frozen");
  EXPECT_EQ(rows[1]["agent"], "exact");
}

TEST(Reproduce, TheGridIsPlayedInsteadOfTheAgents) {
  const Folder folder;
  const CoinContest contest = coins();
  const std::string text = printed(
      contest, {.grid = true, .seeds = 1, .episodes = 20, .json = folder / "g.json", .markdown = folder / "g.md"});
  EXPECT_EQ(Json::parse(read_text(folder / "g.json")).size(), 3U);
  EXPECT_NE(text.find("λ 1e-2"), std::string::npos);
  EXPECT_NE(read_text(folder / "g.md").find("# coins: the budget grid"), std::string::npos);
}

TEST(Reproduce, MarkdownBeginsWithCommandCommitAndSeeds) {
  const Folder folder;
  const CoinContest contest = coins();
  const std::string text = printed(contest, {.first_seed = 3,
                                             .seeds = 2,
                                             .episodes = 20,
                                             .markdown = folder / "results.md",
                                             .command = "elastane reproduce coins"});
  const std::string markdown = read_text(folder / "results.md");
  EXPECT_TRUE(std::regex_search(
      markdown, std::regex("^# coins\n\n`elastane reproduce coins`, commit [^,]+, seeds 3 to 4, weights 0{14}4d\n")))
      << markdown.substr(0, 200);
  EXPECT_TRUE(markdown.ends_with(text));
}

TEST(Reproduce, ClaimsAndPublishedFiguresArePrinted) {
  CoinContest contest = coins();
  contest.stated = {{"≥ .10 more success than frozen", {"sketch", "exact"}, "frozen", Measure::success, 0.10}};
  const std::string text = printed(contest, {.seeds = 3, .episodes = 96});
  EXPECT_TRUE(
      std::regex_search(text, std::regex("more success than frozen \\| exact +\\| frozen +\\| +\\+0\\.\\d+.*yes")))
      << text;
  EXPECT_NE(text.find("*published* "), std::string::npos);
}

TEST(Reproduce, AnUnknownAgentIsNamedWithThoseThereAre) {
  const CoinContest contest = coins();
  try {
    reproduce(contest, {.agents = {"exakt"}});
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("(frozen, sketch, exact), found exakt"), std::string::npos)
        << error.what();
  }
}

TEST(AlignedTable, ColumnsLineUpWhateverTheAlphabet) {
  const AlignedTable table{.header = {"agent", "µs"}, .rows = {{"λ", "1.0"}, {"frozen", "–"}}};
  EXPECT_EQ(table.text(), "| agent  |  µs |\n| ------ | --: |\n| λ      | 1.0 |\n| frozen |   – |\n");
}

}  // namespace
}  // namespace elastane::app
