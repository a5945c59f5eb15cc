// lab/registry.h
#include "lab/registry.h"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

namespace elastane::lab {
namespace {

TEST(Registry, NamesAreUniqueAndDescribed) {
  std::set<std::string> names;
  for (const BenchmarkEntry* entry : benchmarks()) {
    EXPECT_TRUE(names.insert(entry->name).second) << entry->name;
    EXPECT_FALSE(entry->what.empty()) << entry->name;
    EXPECT_TRUE(entry->open && entry->record) << entry->name;
  }
  for (const Reproduction* entry : reproductions()) {
    EXPECT_TRUE(names.insert(entry->name).second) << entry->name;
    EXPECT_FALSE(entry->what.empty()) << entry->name;
    EXPECT_TRUE(entry->declare) << entry->name;
  }
}

TEST(Registry, ShowsEveryBenchmarkAndWhatHasNoTable) {
  std::set<std::string> names;
  for (const BenchmarkEntry* entry : shows()) {
    EXPECT_TRUE(names.insert(entry->name).second) << entry->name;
    EXPECT_TRUE(entry->record) << entry->name;
  }
  EXPECT_GE(shows().size(), benchmarks().size());
}

TEST(Registry, AnUnknownBenchmarkIsAnsweredWithTheKnownOnes) {
  try {
    find_benchmark("chess");
    FAIL();
  } catch (const std::runtime_error& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("unknown benchmark \"chess\""), std::string::npos) << text;
    for (const BenchmarkEntry* entry : benchmarks()) EXPECT_NE(text.find(entry->name), std::string::npos) << text;
  }
}

TEST(Registry, FindsEveryBenchmarkByItsName) {
  for (const BenchmarkEntry* entry : benchmarks()) EXPECT_EQ(&find_benchmark(entry->name), entry);
}

}  // namespace
}  // namespace elastane::lab
