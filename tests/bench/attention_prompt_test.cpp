// bench/attention_prompt.cpp: prompts that `elastane bench attention` times; threads and order change no bit.
#include "bench/attention_prompt.h"

#include <gtest/gtest.h>

namespace elastane::bench {
namespace {

TEST(AttentionPrompt, GivesTheSameBitsWithTwoThreads) {  // law E5
  Prompt prompt({.length = 512, .size = 16, .heads = 4, .kv_heads = 2, .streaming = 2});
  const BlockList list = prompt.by_modes();
  prompt.attend(list);
  const std::vector<float> alone = prompt.answers();
  const Prompt::TwoThreads two = prompt.by_two_threads(list);
  EXPECT_EQ(prompt.answers(), alone);
  EXPECT_GT(two.wall, 0);
  EXPECT_GT(two.busier, 0);
}

TEST(AttentionPrompt, CountsTheBlocksThatItReads) {  // law E9
  const AttentionProblem p{.length = 1024, .size = 16};
  Prompt prompt(p);
  EXPECT_EQ(static_cast<double>(prompt.attend(prompt.by_modes())), all_blocks(p));
  const BlockList few = prompt.random_blocks(0.1);
  const double read = static_cast<double>(prompt.attend(few));
  EXPECT_LT(read, 0.5 * all_blocks(p));
  EXPECT_GE(read, 2.0 * p.heads * (p.length / kAttentionBlock) - p.heads);  // the first and the diagonal one at least
  EXPECT_EQ(block_flops(p, 1), 4.0 * 64 * 64 * 16);
}

TEST(AttentionPrompt, AnswersTheLastQueryLikeThePrompt) {  // law E4
  Prompt prompt({.length = 256, .size = 64, .heads = 4, .kv_heads = 2});
  prompt.attend(prompt.by_modes());
  const std::vector<float> all = prompt.answers();
  prompt.attend_last(HeadMode::full);  // into the first row
  const std::size_t width = 4 * 64;
  for (std::size_t i = 0; i < width; ++i) EXPECT_EQ(prompt.answers()[i], all[255 * width + i]);
}

}  // namespace
}  // namespace elastane::bench
