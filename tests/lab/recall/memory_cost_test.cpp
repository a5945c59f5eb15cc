// lab/recall/memory_cost.cpp: bytes and times per token.
#include "lab/recall/memory_cost.h"

#include <gtest/gtest.h>

namespace elastane::recall {
namespace {

TEST(MemoryCost, EveryPointHasATime) {
  AssociativeMemory memory{.heads = 2, .keys = 16, .values = 32};
  for (const CostPoint& point : time_memory("delta", memory, {512, 1024})) EXPECT_GT(point.p50_us, 0);
  memory.gate = {.policy = WritePolicy::surprise, .threshold = 1e6};
  EXPECT_GT(time_memory("closed", memory, {512})[0].p50_us, 0);
  EXPECT_GT(time_attention(32, 512).p50_us, 0);
}

}  // namespace
}  // namespace elastane::recall
