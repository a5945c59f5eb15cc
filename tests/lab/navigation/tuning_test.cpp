// lab/navigation/tuning.h: a row for each setting, with the best and the chosen one marked.
#include "lab/navigation/tuning.h"

#include <gtest/gtest.h>

#include "tests/paths.h"

namespace elastane::navigation {
namespace {

TEST(Tuning, PrintsARowForEachSetting) {
  command_line::Command program("tune_navigation", "");
  tuning_reproduction().declare(program);
  const char* arguments[] = {"tune_navigation", "--models", ELASTANE_MODELS, "--agents", "filter", "--episodes", "4"};
  testing::internal::CaptureStdout();
  EXPECT_EQ(command_line::parse_and_run(program, 7, arguments), 0);
  const std::string table = testing::internal::GetCapturedStdout();
  std::size_t rows = 0;
  for (std::size_t at = table.find("| filter |"); at != std::string::npos; at = table.find("| filter |", at + 1))
    ++rows;
  EXPECT_EQ(rows, 8U);
  EXPECT_NE(table.find("best"), std::string::npos);
  EXPECT_NE(table.find("chosen"), std::string::npos);
}

}  // namespace
}  // namespace elastane::navigation
