// lab/drifting_target/reproduction.cpp: the command and its rows.
#include "lab/drifting_target/reproduction.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace elastane::drifting_target {
namespace {

TEST(Reproduction, WritesARowForEveryMethodAndSetting) {
  const std::string path = std::filesystem::temp_directory_path() / "elastane_drifting_target.json";
  command_line::Command program("reproduce", "");
  drifting_target_reproduction().declare(program);
  const char* arguments[] = {"reproduce", "--seeds", "1", "--steps", "8", "--json", path.c_str()};
  testing::internal::CaptureStdout();
  const int code = command_line::parse_and_run(program, std::size(arguments), arguments);
  const std::string shown = testing::internal::GetCapturedStdout();
  EXPECT_EQ(code, 0);
  const auto rows = nlohmann::json::parse(std::ifstream(path));
  std::filesystem::remove(path);
  EXPECT_EQ(rows.size(), 4 * 12u);
  EXPECT_EQ(rows[0].at("method"), "exact");
  EXPECT_TRUE(rows[0].contains("madds"));
  EXPECT_NE(shown.find("32 outputs, sharper decoder"), std::string::npos);
}

}  // namespace
}  // namespace elastane::drifting_target
