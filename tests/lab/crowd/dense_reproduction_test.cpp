// lab/crowd/dense_reproduction.cpp: the command, on a few crossings.
#include "lab/crowd/dense_reproduction.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/io/folder.h"

namespace elastane::crowd {
namespace {

TEST(DenseReproduction, WritesARowForEveryAgentAndCrowd) {
  const Folder folder;
  const std::string file = folder / "rows.json";
  const std::vector<const char*> arguments = {"crowd",  "--episodes", "2",      "--people", "5,10",      "--settings",
                                              "circle", "--agents",   "ORCA 0", "--json",   file.c_str()};
  command_line::Command program("crowd", "");
  dense_reproduction().declare(program);
  testing::internal::CaptureStdout();
  EXPECT_EQ(command_line::parse_and_run(program, static_cast<int>(arguments.size()), arguments.data()), 0);
  testing::internal::GetCapturedStdout();
  const auto written = nlohmann::json::parse(std::ifstream(file));
  ASSERT_EQ(written["rows"].size(), 2U);
  EXPECT_EQ(written["rows"][1]["people"], 10);
  EXPECT_EQ(written["rows"][1]["setting"], "circle");
}

}  // namespace
}  // namespace elastane::crowd
