// command_line/aligned_table.cpp: columns line up, also where characters take several bytes.
#include "command_line/aligned_table.h"

#include <gtest/gtest.h>

namespace elastane::command_line {
namespace {

TEST(AlignedTable, LinesUp) {
  const AlignedTable table{.header = {"agent", "µs"}, .rows = {{"a", "1.5"}, {"long name", "10"}}};
  EXPECT_EQ(table.text(),
            "| agent     |  µs |\n"
            "| --------- | --: |\n"
            "| a         | 1.5 |\n"
            "| long name |  10 |\n");
}

TEST(AlignedTable, SetsTheFirstColumnsLeft) {
  const AlignedTable table{.header = {"a", "b", "c"}, .rows = {{"x", "wide", "1"}}, .left = 2};
  EXPECT_EQ(table.text(),
            "| a   | b    |   c |\n"
            "| --- | ---- | --: |\n"
            "| x   | wide |   1 |\n");
}

TEST(AlignedTable, ColumnsAlignInAnyAlphabet) {
  const AlignedTable table{.header = {"agent", "µs"}, .rows = {{"λ", "1.0"}, {"frozen", "–"}}};
  EXPECT_EQ(table.text(), "| agent  |  µs |\n| ------ | --: |\n| λ      | 1.0 |\n| frozen |   – |\n");
}

}  // namespace
}  // namespace elastane::command_line
