// lab/protein_loop/named_loops.h
#include "lab/protein_loop/named_loops.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/data.h"

namespace elastane::protein_loop {
namespace {

TEST(NamedLoops, BuiltOnesAreValidAndDependOnTheSeed) {
  const std::vector<NamedLoop> a = built_loops(2, 1), b = built_loops(2, 2);
  ASSERT_EQ(a.size(), 2U);
  for (const NamedLoop& loop : a) EXPECT_TRUE(validate(loop.window, loop.protein)) << loop.name;
  EXPECT_NE(a[0].name, b[0].name);
}

TEST(NamedLoops, AFolderWithoutDefinitionsIsNamed) {
  try {
    benchmark_loops("no/such/folder", 0);
    FAIL();
  } catch (const std::exception& error) {
    EXPECT_NE(std::string(error.what()).find("no/such/folder"), std::string::npos);
  }
}

TEST(NamedLoops, ThoseOfTheBenchmarkAreReadAndMayBeShifted) {
  const std::string folder = data_folder() + "/loops";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no " << folder;
  const std::vector<NamedLoop> loops = benchmark_loops(folder, 0);
  EXPECT_EQ(loops.size(), 22U);
  for (const NamedLoop& loop : loops) EXPECT_EQ(loop.window.residues, 12) << loop.name;
  EXPECT_LE(benchmark_loops(folder, 24).size(), loops.size());
}

}  // namespace
}  // namespace elastane::protein_loop
