// lab/navigation/endless.h: prints windows of steps, and names an unknown agent.
#include "lab/navigation/endless.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "tests/paths.h"

namespace elastane::navigation {
namespace {

int run(const char* agent) {
  command_line::Command program("endless_drive", "");
  endless_reproduction().declare(program);
  const char* arguments[] = {"endless_drive", "--models", ELASTANE_MODELS, "--agent", agent, "--steps", "20000"};
  return command_line::parse_and_run(program, 7, arguments);
}

TEST(EndlessDrive, PrintsItsWindows) {
  testing::internal::CaptureStdout();
  EXPECT_EQ(run("frozen"), 0);
  const std::string table = testing::internal::GetCapturedStdout();
  EXPECT_NE(table.find("frozen (): 20000 steps without a reset"), std::string::npos);
  EXPECT_NE(table.find("| up to 20000 |"), std::string::npos);
}

TEST(EndlessDrive, NamesAnUnknownAgent) { EXPECT_THROW(run("melted"), std::runtime_error); }

}  // namespace
}  // namespace elastane::navigation
