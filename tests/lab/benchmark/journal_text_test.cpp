// lab/benchmark/journal_text.cpp
#include <gtest/gtest.h>

#include "lab/benchmark/journal.h"

namespace elastane::benchmark {
namespace {

TEST(JournalText, DamageInTheMiddleIsNamedByItsLine) {
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

TEST(JournalText, WhereMicroStepsWentAndWhatTheyTookIsKept) {
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

}  // namespace
}  // namespace elastane::benchmark
