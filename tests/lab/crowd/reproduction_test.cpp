// lab/crowd/reproduction.h: its options, and what it refuses.
#include "lab/crowd/reproduction.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tests/io/folder.h"

namespace elastane::crowd {
namespace {

int reproduce(std::vector<const char*> arguments) {
  command_line::Command program("crowdnav", "");
  crowdnav_reproduction().declare(program);
  arguments.insert(arguments.begin(), "crowdnav");
  return command_line::parse_and_run(program, static_cast<int>(arguments.size()), arguments.data());
}

TEST(CrowdReproduction, WritesRowsOfRandomEpisodes) {
  const Folder folder;
  const std::string path = folder / "rows.json";
  EXPECT_EQ(reproduce({"--generated", "2", "--seed", "5", "--json", path.c_str()}), 0);
  std::ifstream file(path);
  const auto written = nlohmann::json::parse(file);
  EXPECT_EQ(written["cases"], 2);
  EXPECT_EQ(written["seed"], 5);
  EXPECT_EQ(written["rows"].size(), 9U);
  EXPECT_EQ(written["duels"].size(), 8U);
}

TEST(CrowdReproduction, DoesNotTuneOnTheTestCases) { EXPECT_THROW(reproduce({"--tune"}), std::runtime_error); }

TEST(CrowdReproduction, NamesMissingData) { EXPECT_THROW(reproduce({"--data", "no/such/folder"}), std::runtime_error); }

}  // namespace
}  // namespace elastane::crowd
