// apps/elastane/reproduce/reproduce.h: lab/benchmark/reproduce.h makes the tables.
#include "apps/elastane/reproduce/reproduce.h"

#include <gtest/gtest.h>

#include "lab/registry.h"

namespace elastane::app {
namespace {

class ReproduceVerb : public testing::Test {
 protected:
  ReproduceVerb() : program("elastane", "") { add_reproduce(program); }

  command_line::Command program;
};

TEST_F(ReproduceVerb, HasACommandForEverythingInTheRegistry) {
  command_line::Command& verb = *program.commands().front();
  EXPECT_EQ(verb.commands().size(), lab::benchmarks().size() + lab::reproductions().size());
}

TEST_F(ReproduceVerb, ListsNamesAndCosts) {
  const command_line::Parsed parsed = parse(program, {"reproduce", "--list"});
  ASSERT_NE(parsed.command, nullptr) << parsed.text;
  testing::internal::CaptureStdout();
  EXPECT_EQ(parsed.run(), 0);
  const std::string text = testing::internal::GetCapturedStdout();
  for (const lab::BenchmarkEntry* entry : lab::benchmarks()) {
    EXPECT_NE(text.find("| " + entry->name + " "), std::string::npos) << text;
  }
  for (const lab::Reproduction* entry : lab::reproductions()) {
    EXPECT_NE(text.find("| " + entry->name + " "), std::string::npos) << text;
  }
}

TEST_F(ReproduceVerb, NeedsAName) {
  const command_line::Parsed parsed = parse(program, {"reproduce"});
  ASSERT_NE(parsed.command, nullptr) << parsed.text;
  testing::internal::CaptureStderr();
  EXPECT_EQ(parsed.run(), 2);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("expected a NAME"), std::string::npos);
}

TEST_F(ReproduceVerb, AnUnknownNameIsAnsweredWithTheKnownOnes) {
  const command_line::Parsed parsed = parse(program, {"reproduce", "chess"});
  EXPECT_EQ(parsed.code, 2);
  for (const lab::Reproduction* entry : lab::reproductions()) {
    EXPECT_NE(parsed.text.find(entry->name), std::string::npos) << parsed.text;
  }
}

}  // namespace
}  // namespace elastane::app
