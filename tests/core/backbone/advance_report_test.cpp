// Tests of elastane/core/backbone/advance_report.h.
#include "elastane/core/backbone/advance_report.h"

#include <gtest/gtest.h>

namespace elastane {
namespace {

TEST(BlockReport, AddsUpFieldByField) {
  BlockReport sum{.macs = 1, .slots_read = 2, .heads_full = 3, .depth = 4, .tokens_written = 5};
  sum += {.macs = 10, .slots_read = 20, .heads_full = 30, .depth = 40, .tokens_written = 50};
  EXPECT_EQ(sum, (BlockReport{.macs = 11, .slots_read = 22, .heads_full = 33, .depth = 44, .tokens_written = 55}));
}

}  // namespace
}  // namespace elastane
