// command_line/messages.cpp; tests/apps/faults closes and fills descriptors
#include "command_line/messages.h"

#include <gtest/gtest.h>

namespace elastane::command_line {
namespace {

TEST(Messages, ShowControlCharacters) {
  EXPECT_EQ(printable("plain µs"), "plain µs");
  EXPECT_EQ(printable("a\nb\x1b[31m\x7f"), "a\\nb\\x1b[31m\\x7f");
}

}  // namespace
}  // namespace elastane::command_line
