// lab/benchmark/journal.h
#include "lab/benchmark/journal.h"

#include <gtest/gtest.h>

#include <limits>

#include "tests/io/folder.h"
#include "tests/lab/benchmark/coin_runs.h"

namespace elastane::benchmark {
namespace {

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

TEST(Journal, AnInterruptedRunResumes) {
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
  // the last of them resumes, with the same outcomes
  Journal journal = Journal::open(folder / "cut", header_of(benchmark)).value();
  play_all(benchmark, small(), journal);
  expect_same(collect(benchmark, small(), journal).value(), fresh(small()));
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
  expect_refused(other, "expected the current weights");
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
  EXPECT_NE(second.error().find("another run is writing to it"), std::string::npos);
}

TEST(Journal, OtherFilesAreLeftAlone) {
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

TEST(Journal, FiguresThatAreNotFiniteAreNotKept) {
  Journal journal(JournalHeader{});
  const Status kept = journal.append(
      {.agent = "exact", .seed = 3, .first = 8, .outcomes = {{}, {.regret = std::numeric_limits<double>::infinity()}}});
  ASSERT_FALSE(kept);
  EXPECT_NE(kept.error().find("exact, seed 3, episode 9: expected finite"), std::string::npos);
}

}  // namespace
}  // namespace elastane::benchmark
