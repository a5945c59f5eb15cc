// lab/benchmark/reproduce.h and report.h
#include "lab/benchmark/reproduce.h"

#include <gtest/gtest.h>

#include <csignal>
#include <nlohmann/json.hpp>
#include <regex>

#include "command_line/aligned_table.h"
#include "tests/io/folder.h"
#include "tests/lab/benchmark/coin_benchmark.h"

namespace elastane::benchmark {
namespace {

using Json = nlohmann::ordered_json;

CoinBenchmark coins() {
  return CoinBenchmark({{"frozen", 0.4, 40}, {"sketch", 0.6, 10, "λ 1e-3"}, {"exact", 0.75, 10}}, 16,
                       {{"λ 1e-4", 0.6}, {"λ 1e-2", 0.6}});
}

std::string printed(const Benchmark& benchmark, const ReproduceOptions& options) {
  testing::internal::CaptureStdout();
  const int code = reproduce(benchmark, options);
  const std::string text = testing::internal::GetCapturedStdout();
  EXPECT_EQ(code, 0);
  return text;
}

TEST(Reproduce, WritesRowsWithTheKeysThatWereAgreed) {
  const Folder folder;
  const CoinBenchmark benchmark = coins();
  printed(benchmark, {.seeds = 2, .episodes = 64, .json = folder / "rows.json"});
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
  const CoinBenchmark first = coins(), second = coins();
  const std::string text = printed(first, options);
  EXPECT_EQ(printed(second, options), text);
  EXPECT_EQ(second.played, 0);
  const CoinBenchmark third = coins();
  ReproduceOptions fresh = options;
  fresh.fresh = true;
  printed(third, fresh);
  EXPECT_EQ(third.played, 3 * 80);
}

TEST(Reproduce, CtrlCKeepsWhatWasPlayedAndTheSameCommandGoesOn) {
  const Folder folder;
  const ReproduceOptions options{.seeds = 2, .episodes = 40, .journal = folder / "j"};
  CoinBenchmark stopped = coins();
  stopped.watch = [](int played) {
    if (played == 100) std::raise(SIGINT);
  };
  testing::internal::CaptureStderr();
  EXPECT_EQ(reproduce(stopped, options), 128 + SIGINT);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("the same command resumes from"), std::string::npos);
  const CoinBenchmark rest = coins(), whole = coins();
  const std::string text = printed(rest, options);
  EXPECT_GT(rest.played, 0);
  EXPECT_LT(rest.played, 3 * 80);
  EXPECT_EQ(text, printed(whole, {.seeds = 2, .episodes = 40}));
}

TEST(Reproduce, TheReferenceTakesPartUnasked) {
  const Folder folder;
  const CoinBenchmark benchmark = coins();
  printed(benchmark, {.agents = {"exact"}, .seeds = 1, .episodes = 20, .json = folder / "rows.json"});
  const Json rows = Json::parse(read_text(folder / "rows.json"));
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0]["agent"], "frozen");
  EXPECT_EQ(rows[1]["agent"], "exact");
}

TEST(Reproduce, TheGridIsPlayedInsteadOfTheAgents) {
  const Folder folder;
  const CoinBenchmark benchmark = coins();
  const std::string text = printed(
      benchmark, {.grid = true, .seeds = 1, .episodes = 20, .json = folder / "g.json", .markdown = folder / "g.md"});
  EXPECT_EQ(Json::parse(read_text(folder / "g.json")).size(), 3U);
  EXPECT_NE(text.find("λ 1e-2"), std::string::npos);
  EXPECT_NE(read_text(folder / "g.md").find("# coins: the budget grid"), std::string::npos);
}

TEST(Reproduce, MarkdownBeginsWithCommandCommitAndSeeds) {
  const Folder folder;
  const CoinBenchmark benchmark = coins();
  const std::string text = printed(benchmark, {.first_seed = 3,
                                               .seeds = 2,
                                               .episodes = 20,
                                               .markdown = folder / "results.md",
                                               .command = "elastane reproduce coins"});
  const std::string markdown = read_text(folder / "results.md");
  EXPECT_TRUE(std::regex_search(
      markdown, std::regex("^# coins\n\n`elastane reproduce coins`, commit [^,]+, seeds 3 to 4, weights 0{14}4d\n")))
      << markdown.substr(0, 200);
  EXPECT_NE(markdown.find(text), std::string::npos);
  EXPECT_TRUE(markdown.ends_with("- **exact**: succeeds by chance\n"));
}

TEST(Reproduce, ClaimsAndPublishedFiguresArePrinted) {
  CoinBenchmark benchmark = coins();
  benchmark.stated = {{"≥ .10 more success than frozen", {"sketch", "exact"}, "frozen", Measure::success, 0.10}};
  const std::string text = printed(benchmark, {.seeds = 3, .episodes = 96});
  EXPECT_TRUE(
      std::regex_search(text, std::regex("more success than frozen \\| exact +\\| frozen +\\| +\\+0\\.\\d+.*yes")))
      << text;
  EXPECT_NE(text.find("*published* "), std::string::npos);
}

TEST(Reproduce, AnUnknownAgentIsNamedWithThoseThereAre) {
  const CoinBenchmark benchmark = coins();
  try {
    reproduce(benchmark, {.agents = {"exakt"}});
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("(frozen, sketch, exact), found exakt"), std::string::npos)
        << error.what();
  }
}

TEST(AlignedTable, ColumnsLineUpWhateverTheAlphabet) {
  const app::AlignedTable table{.header = {"agent", "µs"}, .rows = {{"λ", "1.0"}, {"frozen", "–"}}};
  EXPECT_EQ(table.text(), "| agent  |  µs |\n| ------ | --: |\n| λ      | 1.0 |\n| frozen |   – |\n");
}

}  // namespace
}  // namespace elastane::benchmark
