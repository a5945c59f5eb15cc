// A prompt in panels, as a stream would hold it, for `elastane bench attention`.
#pragma once

#include <functional>
#include <vector>

#include "bench/attention_problem.h"
#include "elastane/core/backbone/head_modes.h"
#include "elastane/core/base/buffer.h"
#include "elastane/core/math/kernels.h"

namespace elastane::bench {

// the blocks that query head `head` reads for the query block at `position`
using BlockList = std::function<int(int head, std::uint64_t position, KeyBlock* list)>;

// what one thread writes to while it attends
class AttentionRoom {
 public:
  explicit AttentionRoom(const AttentionShape& shape);
  float* work() { return reinterpret_cast<float*>(work_.data()); }
  KeyBlock* list() { return list_.data(); }

 private:
  Buffer work_;
  std::vector<KeyBlock> list_;
};

class Prompt {
 public:
  explicit Prompt(const AttentionProblem& problem);

  float* ring() { return reinterpret_cast<float*>(panels_.data()); }
  AttentionRoom& room() { return room_; }
  ConstRows queries(int first, int rows) const {
    return ConstRows{q_.data(), p.length, p.heads * p.size}.slice(first, rows);
  }
  const std::vector<float>& answers() const { return y_; }

  // the whole prompt; returns the blocks that were read
  std::int64_t attend(const BlockList& list);
  // one head's block of queries from t on
  int attend(int head, int t, const BlockList& list, AttentionRoom& room);
  // one query at the end
  void attend_last(HeadMode mode);

  // full heads first, then streaming ones
  BlockList by_modes() const;
  // random blocks of this density, besides the first and the diagonal one
  BlockList random_blocks(double density);

  // milliseconds on the clock with two threads that share the items, and of processor time of the busier one
  struct TwoThreads {
    double wall, busier;
  };
  TwoThreads by_two_threads(const BlockList& list);

  AttentionProblem p;
  KeyValueWindow window;
  const Kernels& k;

 private:
  Buffer panels_;
  std::vector<float> q_, y_;
  AttentionRoom room_;
};

// blocks of a dense prompt, and operations of so many blocks
double all_blocks(const AttentionProblem& p);
double block_flops(const AttentionProblem& p, double blocks);

// the heads of each mode copied together, attended, and copied back, in milliseconds
double gathered_millis(Prompt& prompt);

}  // namespace elastane::bench
