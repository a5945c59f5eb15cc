// apps/elastane/play/play.h: tests/apps/run shows episodes.
#include "apps/elastane/play/play.h"

#include <gtest/gtest.h>

#include "lab/registry.h"

namespace elastane::app {
namespace {

TEST(Play, HasACommandForAllThatCanBeShown) {
  command_line::Command program("elastane", "");
  add_play(program);
  const auto verbs = program.commands();
  ASSERT_EQ(verbs.size(), 1U);
  ASSERT_EQ(verbs[0]->commands().size(), lab::shows().size());
  for (command_line::Command* command : verbs[0]->commands()) {
    EXPECT_TRUE(command->has("--episode")) << command->name();
    EXPECT_TRUE(command->has("--figure")) << command->name();
  }
}

TEST(Play, AnUnknownNameIsAnsweredWithTheKnownOnes) {
  command_line::Command program("elastane", "");
  add_play(program);
  const command_line::Parsed parsed = parse(program, {"play", "chess"});
  EXPECT_EQ(parsed.code, 2);
  for (const lab::BenchmarkEntry* entry : lab::benchmarks()) {
    EXPECT_NE(parsed.text.find(entry->name), std::string::npos) << parsed.text;
  }
}

TEST(Play, AnOptionThatNoWorldHasIsRefused) {
  command_line::Command program("elastane", "");
  add_play(program);
  const std::string name = lab::benchmarks().front()->name;
  const command_line::Parsed parsed = parse(program, {"play", name, "--weather", "rain"});
  EXPECT_EQ(parsed.code, 2);
  EXPECT_NE(parsed.text.find(name + ": --weather is not one of its options"), std::string::npos) << parsed.text;
}

}  // namespace
}  // namespace elastane::app
