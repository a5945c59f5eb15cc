// Tests of lab/frost/reproduction.cpp: its options, and what it asks to be trained.
#include "lab/frost/reproduction.h"

#include <gtest/gtest.h>

namespace elastane::frost {
namespace {

TEST(FrostReproduction, HasTheOptionsOfAStudyAndListsWhatIsToBeTrained) {
  const lab::Reproduction entry = frost_reproduction();
  command_line::Command command("frost", "");
  entry.declare(command);
  for (const char* option : {"--parts", "--seeds", "--cases", "--images", "--journal", "--json", "--markdown"}) {
    EXPECT_TRUE(command.has(option)) << option;
  }
  EXPECT_FALSE(entry.training().empty());
}

}  // namespace
}  // namespace elastane::frost
