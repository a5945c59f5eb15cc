// Attention by LibTorch's operations, for elastane bench attention.
#pragma once

#include <string>

#include "bench/attention_problem.h"

namespace elastane::libtorch {

struct AttentionAnswer {
  double ms;                // processor time of the best run
  std::vector<float> last;  // the last row of answers
};

// "masked": head by head, softmax over all pairs with a mask, in rows of 1024 where the prompt is long. "tuned": in rows of
// 256, with keys cut at the diagonal and, for streaming heads, at the window.
AttentionAnswer attend(const bench::AttentionProblem& problem, const std::string& style);

}  // namespace elastane::libtorch
