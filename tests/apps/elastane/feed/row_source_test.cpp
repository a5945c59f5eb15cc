// apps/elastane/feed/row_source.cpp
#include "apps/elastane/feed/row_source.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace elastane::app
