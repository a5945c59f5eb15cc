// lab/protein_loop/repair_table.h
#include "lab/protein_loop/repair_table.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace elastane::protein_loop {
namespace {

TEST(RepairTable, WritesFiguresAndStructuresOfBuiltLoops) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "repair_table";
  std::filesystem::create_directories(folder);
  RepairTableOptions options;
  options.built = 2, options.cases = 2, options.seconds = 0.02;
  options.json = (folder / "figures.json").string();
  options.structures = (folder / "structures").string();
  testing::internal::CaptureStdout();
  print_repair_table(options);
  EXPECT_NE(testing::internal::GetCapturedStdout().find("built 1001"), std::string::npos);
  std::ifstream file(options.json);
  const nlohmann::json figures = nlohmann::json::parse(file);
  ASSERT_EQ(figures["repair"].size(), 3U);
  EXPECT_EQ(figures["repair"][2]["loop"], "all");
  EXPECT_EQ(figures["repair"][2]["closed"], 1.0);
  EXPECT_EQ(figures["random"].size(), 3U);
  for (const char* what : {"native", "bent", "repaired"}) {
    EXPECT_TRUE(std::filesystem::exists(folder / "structures" / ("built 1000_" + std::string(what) + ".pdb"))) << what;
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace elastane::protein_loop
