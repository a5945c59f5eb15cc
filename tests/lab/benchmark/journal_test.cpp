// Tests lab/benchmark/journal.cpp, journal_text.cpp and run.cpp.
#include "lab/benchmark/journal.h"

#include <gtest/gtest.h>

#include <limits>

#include "lab/benchmark/run.h"
#include "tests/io/folder.h"
#include "tests/lab/benchmark/coin_benchmark.h"

namespace elastane::benchmark {
namespace {

const std::vector<CoinAgent> kAgents = {{"frozen"}, {"exact", 0.8, 5, "λ 1e-3"}};

JournalHeader header_of(const CoinBenchmark& benchmark) {
  return {.benchmark = benchmark.name(), .weights = benchmark.fingerprint(), .version = "1", .threads = 1};
}

RunOptions small() { return {.agents = {0, 1}, .seeds = 2, .episodes = 20, .block = 8}; }

void play_all(const CoinBenchmark& benchmark, const RunOptions& options, Journal& journal) {
  play(
      benchmark, options, journal, [] { return false; }, [](const Progress&) {})
      .value();
}

std::vector<Record> fresh(const RunOptions& options) {
  const CoinBenchmark benchmark(kAgents);
  Journal journal(header_of(benchmark));
  play_all(benchmark, options, journal);
  return collect(benchmark, options, journal).value();
}

void expect_same(const std::vector<Record>& a, const std::vector<Record>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].outcomes, b[i].outcomes);
    EXPECT_EQ(a[i].latency.counts(), b[i].latency.counts());
    EXPECT_EQ(a[i].latency.total(), b[i].latency.total());
    EXPECT_EQ(a[i].latency.stages(), b[i].latency.stages());
  }
}

TEST(Journal, ARunThatIsReadIsTheRunThatWasPlayed) {
  const Folder folder;
  const CoinBenchmark benchmark(kAgents);
  {
    Journal journal = Journal::open(folder / "j", header_of(benchmark)).value();
    play_all(benchmark, small(), journal);
  }
  const CoinBenchmark again(kAgents);
  Journal journal = Journal::open(folder / "j", header_of(again)).value();
  play_all(again, small(), journal);
  EXPECT_EQ(again.played, 0);
  expect_same(collect(again, small(), journal).value(), fresh(small()));
}

TEST(Journal, ARunThatWasStoppedGoesOn) {
  const Folder folder;
  const CoinBenchmark benchmark(kAgents);
  {
    Journal journal = Journal::open(folder / "j", header_of(benchmark)).value();
    std::atomic<bool> stop = false;
    play(
        benchmark, small(), journal, [&] { return stop.load(); }, [&](const Progress& p) { stop = p.done == 5; })
        .value();
    EXPECT_FALSE(collect(benchmark, small(), journal));
  }
  EXPECT_LT(benchmark.played, 80);
  const CoinBenchmark rest(kAgents);
  Journal journal = Journal::open(folder / "j", header_of(rest)).value();
  int kept = 0;
  play(
      rest, small(), journal, [] { return false; }, [&](const Progress& p) { kept = p.kept; })
      .value();
  EXPECT_EQ(kept, 5);
  expect_same(collect(rest, small(), journal).value(), fresh(small()));
}

TEST(Journal, CutAnywhereItLosesAtMostTheLineThatWasCut) {
  const Folder folder;
  const CoinBenchmark benchmark(kAgents);
  {
    Journal journal = Journal::open(folder / "j", header_of(benchmark)).value();
    play_all(benchmark, small(), journal);
  }
  const std::string whole = read_text(folder / "j");
  for (std::size_t cut = 0; cut < whole.size(); cut += 97) {
    const std::string text = whole.substr(0, cut);
    const auto parsed = parse_journal(text);
    ASSERT_TRUE(parsed) << parsed.error();
    const auto lines = std::ranges::count(text, '\n');
    EXPECT_EQ(static_cast<std::ptrdiff_t>(parsed->blocks.size()), std::max<std::ptrdiff_t>(0, lines - 1));
    write_text(folder / "cut", text);
    Journal journal = Journal::open(folder / "cut", header_of(benchmark)).value();
    EXPECT_EQ(journal.torn_bytes(), text.size() - parsed->whole);
  }
  // the last of them goes on as if nothing had been
  Journal journal = Journal::open(folder / "cut", header_of(benchmark)).value();
  play_all(benchmark, small(), journal);
  expect_same(collect(benchmark, small(), journal).value(), fresh(small()));
}

TEST(Journal, MoreSeedsAndEpisodesKeepWhatIsThere) {
  const CoinBenchmark benchmark(kAgents);
  Journal journal(header_of(benchmark));
  const RunOptions first{.agents = {0}, .seeds = 1, .episodes = 16, .block = 8};
  const RunOptions more{.agents = {0, 1}, .seeds = 2, .episodes = 24, .block = 8};
  play_all(benchmark, first, journal);
  play_all(benchmark, more, journal);
  EXPECT_EQ(benchmark.played, 2 * 2 * 24);
  expect_same(collect(benchmark, more, journal).value(), fresh(more));
}

TEST(Journal, OtherSettingsOfAnAgentArePlayedAnew) {
  const CoinBenchmark benchmark(kAgents), tuned({{"frozen"}, {"exact", 0.8, 5, "λ 1e-2"}});
  Journal journal(header_of(benchmark));
  play_all(benchmark, small(), journal);
  play_all(tuned, small(), journal);
  EXPECT_EQ(tuned.played, 40);
}

TEST(Journal, ThreadsDoNotChangeAnOutcome) {
  RunOptions options = small();
  options.threads = 3;
  expect_same(fresh(options), fresh(small()));
}

TEST(Journal, TheGridComesAfterTheAgents) {
  const CoinBenchmark benchmark(kAgents, 12, {{"λ 1e-4"}, {"λ 1e-2"}});
  EXPECT_EQ(card_of(benchmark, 1).name, "exact");
  EXPECT_EQ(card_of(benchmark, 3).name, "λ 1e-2");
}

TEST(Journal, AJournalOfAnotherRunIsRefused) {
  const Folder folder;
  const CoinBenchmark benchmark(kAgents);
  const JournalHeader header = header_of(benchmark);
  Journal::open(folder / "j", header).value();
  const auto expect_refused = [&](JournalHeader other, const std::string& why) {
    const auto refused = Journal::open(folder / "j", other);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().find(why), std::string::npos) << refused.error();
  };
  JournalHeader other = header;
  other.benchmark = "navigation";
  expect_refused(other, "expected a journal of navigation, found one of coins");
  other = header;
  other.weights += 1;
  expect_refused(other, "expected the weights of now");
  other = header;
  other.version = "2";
  expect_refused(other, "expected version 2, found 1");
  other = header;
  other.threads = 2;
  expect_refused(other, "expected threads 2, found 1");
}

TEST(Journal, TwoRunsCannotShareOne) {
  const Folder folder;
  const JournalHeader header{.benchmark = "coins"};
  const Journal first = Journal::open(folder / "j", header).value();
  const auto second = Journal::open(folder / "j", header);
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().find("another run writes to it"), std::string::npos);
}

TEST(Journal, AFileThatIsNoJournalIsLeftAlone) {
  const Folder folder;
  for (const std::string text : {"my thesis", "{}\n", "{\"elastane_trace\":1}\n", "\n"}) {
    write_text(folder / "thesis", text);
    const auto refused = Journal::open(folder / "thesis", {});
    ASSERT_FALSE(refused) << text;
    EXPECT_EQ(read_text(folder / "thesis"), text);
  }
  EXPECT_FALSE(Journal::open(folder.path(), {}));
  EXPECT_FALSE(Journal::open(folder / "no/where", {}));
}

TEST(Journal, DamageInTheMiddleIsNamedByItsLine) {
  const Folder folder;
  Block block{.agent = "frozen", .seed = 1, .outcomes = {{.steps = 3}}};
  block.latency.add(2);
  const std::string header = format_header({.benchmark = "coins"}), good = format_block(block).value();
  ASSERT_TRUE(parse_journal(header + good));
  for (const std::string bad : {"{}", "[]", "x", "", "{\"agent\":1}"}) {
    const auto parsed = parse_journal(header + good + bad + "\n" + good);
    ASSERT_FALSE(parsed) << bad;
    EXPECT_TRUE(parsed.error().starts_with("line 3: ")) << parsed.error();
  }
}

TEST(Journal, WhereMicroStepsWentAndWhatTheyTookIsKept) {
  Block block{.agent = "exact", .seed = 1, .outcomes = {{.energy = -2.5, .idle = 7, .tallies = {{9, 2}, {0, 0}}}}};
  StepReport report;
  for (int i = 0; i < kStages; ++i) report.micros[static_cast<std::size_t>(i)] = 0.1 * i;
  block.latency.add(report);
  const std::string header = format_header({.benchmark = "coins"}), text = format_block(block).value();
  const JournalText read = parse_journal(header + text).value();
  EXPECT_EQ(read.blocks[0].outcomes, block.outcomes);
  EXPECT_EQ(read.blocks[0].latency.stages(), block.latency.stages());
  std::string negative = text;
  negative.replace(negative.find("[9,2]"), 5, "[9,-2]");
  EXPECT_FALSE(parse_journal(header + negative));
}

TEST(Journal, FiguresThatAreNotFiniteAreNotKept) {
  Journal journal(JournalHeader{});
  const Status kept = journal.append(
      {.agent = "exact", .seed = 3, .first = 8, .outcomes = {{}, {.regret = std::numeric_limits<double>::infinity()}}});
  ASSERT_FALSE(kept);
  EXPECT_NE(kept.error().find("exact, seed 3, episode 9: expected finite"), std::string::npos);
}

}  // namespace
}  // namespace elastane::benchmark
