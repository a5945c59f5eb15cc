// apps/elastane/feed/row_source.cpp
#include "apps/elastane/feed/row_source.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

namespace elastane::app {
namespace {

TEST(RowSource, RowsAreNumberedWithinTheirStreams) {
  const std::string path =
      std::filesystem::temp_directory_path() / ("row_source_" + std::to_string(::getpid()) + ".csv");
  std::ofstream(path) << "unique_id,load\nx,1\ny,2\nx,3\n";
  const command_line::StopSignals stop;
  RowSource source({.input = path, .channels = {"load"}}, stop);
  std::string seen;
  serve::RowBatch row;
  while (source.next(row))
    seen += row.id + std::to_string(row.first) + "=" + std::to_string(static_cast<int>(row.values[0])) + " ";
  EXPECT_EQ(seen, "x1=1 y1=2 x2=3 ");
  std::ofstream(path) << "load\n1\n";
  RowSource nameless({.input = path, .channels = {"load"}}, stop);
  EXPECT_THROW(nameless.next(row), std::runtime_error);
  std::filesystem::remove(path);
}

TEST(RowSource, ABadRowStopsASourceOrIsSkippedAndKeepsItsNumber) {
  const std::string path = std::filesystem::temp_directory_path() / ("bad_rows_" + std::to_string(::getpid()) + ".csv");
  std::ofstream(path) << "load\n1\nhalf\n3\n";
  const command_line::StopSignals stop;
  serve::RowBatch row;
  RowSource strict({.input = path, .id = "a", .channels = {"load"}}, stop);
  EXPECT_TRUE(strict.next(row));
  EXPECT_THROW(strict.next(row), std::runtime_error);
  RowSource lenient({.input = path, .id = "a", .channels = {"load"}, .skips_bad = true}, stop);
  EXPECT_TRUE(lenient.next(row));
  ASSERT_TRUE(lenient.next(row));
  EXPECT_TRUE(std::isnan(row.values.at(0)));
  ASSERT_TRUE(lenient.next(row));
  EXPECT_EQ(row.first, 3U);
  EXPECT_EQ(row.values.at(0), 3);
  std::ofstream(path) << "other\n1\n";
  RowSource misfit({.input = path, .id = "a", .channels = {"load"}, .skips_bad = true}, stop);
  EXPECT_THROW(misfit.next(row), std::runtime_error);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace elastane::app
