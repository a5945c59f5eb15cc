// A small Transformer that can be looked into: a plain forward pass over a prompt, with the keys that each query read.
//
// The engine's kernels keep no attention weights. This is their naive twin for the lab, in double and without any speed:
// it shows what a head read, and it tries rules that choose blocks of keys (anytime attention) without training.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "elastane/core/base/result.h"
#include "elastane/core/network/model_config.h"
#include "lab/recall/episode.h"

namespace elastane::recall {

// by what blocks are chosen beyond sink and window
enum class BlockRule : std::uint8_t {
  nearest,  // those before the window: a larger window
  mean,     // the largest q · mean of the block's keys
  bound,    // the largest Σ_c max(q_c·low_c, q_c·high_c), which no score of the block exceeds
  exact,    // the largest score itself: what no summary beats
};
inline constexpr const char* kBlockRuleNames[] = {"nearest", "mean", "bound", "exact"};

struct Reading;

// a head of an attention, for the queries of a block
struct AskedHead {
  int layer, head, query_block;
  const Reading& reading;              // of this attention, with the pools of its keys
  const std::vector<Reading>& before;  // of those before it
};

struct Look {
  Layout layout = {};
  std::function<bool(const AskedHead&)> is_full = {};  // left out: all are
  BlockRule rule = BlockRule::bound;
  int extra = 0;  // blocks that each streaming query may read beyond sink and window
};

// what the heads of one attention read
struct Reading {
  int heads = 0, length = 0, blocks = 0, channels = 0;  // channels: of the keys of all heads
  std::vector<float> mass;                              // attention weight by block of keys  [head][query][block]
  std::vector<std::uint8_t> read;                       // 1: the block was read              [head][query][block]
  std::vector<double> first, last,
      most;  // running pools of keys before rotation, after each block  [block][head][size]

  std::size_t at(int head, int query, int block) const {
    return (static_cast<std::size_t>(head) * static_cast<std::size_t>(length) + static_cast<std::size_t>(query)) *
               static_cast<std::size_t>(blocks) +
           static_cast<std::size_t>(block);
  }
};

struct Seen {
  std::vector<double> y;          // [step][output]
  std::vector<Reading> readings;  // of each attention
  std::int64_t blocks_read = 0;   // over all heads and queries
};

class GlassModel {
 public:
  static Result<GlassModel> load(const std::string& path);
  // encoder, attention and plain MLP blocks with RMS norms, linear head; other configurations are refused
  static Result<GlassModel> create(const ModelConfig& config, std::vector<Tensor> tensors);

  const ModelConfig& config() const { return config_; }
  int attentions() const { return attentions_; }
  int heads() const;  // of one attention

  // x: [steps][inputs]; decisions that depend on what was read are made layer by layer, block by block
  Seen look(const std::vector<float>& x, const Look& look) const;

 private:
  const std::vector<float>& tensor(const std::string& name) const;

  ModelConfig config_;
  std::vector<Tensor> tensors_;
  int attentions_ = 0;
};

// the largest output of a step
int answer_at(const Seen& seen, int outputs, int step);

}  // namespace elastane::recall
