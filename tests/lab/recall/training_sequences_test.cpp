// lab/recall/training_sequences.cpp: prompts as tensors.
#include "lab/recall/training_sequences.h"

#include <gtest/gtest.h>

namespace elastane::recall {
namespace {

TEST(Sequences, HaveTargetsAtQueriesAlone) {
  const Episode e = draw_episode(5, {.task = Task::copy});
  const train::Series s = series_of(e);
  EXPECT_EQ(s.x.size(0), e.length());
  EXPECT_EQ(s.x.size(1), kInputs);
  const at::Tensor known = at::isfinite(s.target).all(1);
  for (int t = 0; t < e.length(); ++t) {
    ASSERT_EQ(known[t].item<bool>(), e.steps[t].query) << t;
    if (!e.steps[t].query) continue;
    EXPECT_EQ(s.target[t].argmax().item<std::int64_t>(), e.steps[t].label);
  }
}

}  // namespace
}  // namespace elastane::recall
