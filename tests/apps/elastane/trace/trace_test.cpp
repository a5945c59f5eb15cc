// apps/elastane/trace/trace.cpp: a written trace as a table and as JSON, and what is refused.
#include <fstream>

#include "apps/elastane/verbs.h"
#include "elastane/io/trace.h"
#include "tests/apps/elastane/verb_run.h"
#include "tests/io/folder.h"

namespace elastane::app {
namespace {

VerbRun trace(std::vector<std::string> words) {
  words.insert(words.begin(), "trace");
  return run_verb(add_trace, words);
}

void write_trace(const std::string& path, int steps) {
  TraceWriter writer = TraceWriter::open(path, {{"model", "made up"}}).value();
  for (int i = 1; i <= steps; ++i) {
    const StepReport report{.depth = i % 3, .accepted = i % 3, .trials = i % 3, .loss_before = 2, .loss_after = 1};
    writer.write(static_cast<std::uint64_t>(i), i, report).value();
  }
  writer.close().value();
}

TEST(Trace, IsSummarisedAsATableAndAsJson) {
  const Folder folder;
  write_trace(folder / "t", 30);
  const std::string table = trace({"summarise", folder / "t"}).out;
  for (const char* part :
       {"a trace of 30 steps, 1 to 30", "made up", "How deep", "Why it stopped", "What it gained", "What it cost"}) {
    EXPECT_TRUE(holds(table, part)) << part << " is missing in\n" << table;
  }
  const std::string json = trace({"summarise", folder / "t", "--json"}).out;
  EXPECT_TRUE(json.starts_with("{") && json.ends_with("}\n")) << json;
}

TEST(Trace, AcceptsTheOtherSpelling) {
  const Folder folder;
  write_trace(folder / "t", 3);
  EXPECT_EQ(trace({"summarize", folder / "t"}).out, trace({"summarise", folder / "t"}).out);
}

TEST(Trace, RefusesWhatHoldsNoSteps) {
  const Folder folder;
  write_trace(folder / "empty", 0);
  EXPECT_ANY_THROW(trace({"summarise", folder / "empty"}));
  EXPECT_ANY_THROW(trace({"summarise", folder / "nothing"}));
  EXPECT_EQ(trace({}).code, 2);
  EXPECT_EQ(trace({"explain"}).code, 2);
}

}  // namespace
}  // namespace elastane::app
