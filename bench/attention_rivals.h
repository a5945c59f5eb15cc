// The rivals of `elastane bench attention`: each in a program of its own, its answers compared with ours first.
#pragma once

#include "bench/attention_prompt.h"
#include "bench/bench.h"

namespace elastane::bench {

// processor milliseconds, or null where the rival is not there; throws if its answers differ from those of the prompt
Json ask_torch(const char* style, const Prompt& prompt);
// Full heads by GroupQueryAttention, causal. It has no sink: streaming heads have a local window of the same length, so
// they see less than ours, and only answers of prompts without streaming heads are compared.
Json ask_onnxruntime(const Prompt& prompt);

}  // namespace elastane::bench
