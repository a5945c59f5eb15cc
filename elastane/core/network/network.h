// A model as the hot path sees it: views of weights in one block, and where each part of a stream's state lies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

#include "elastane/core/backbone/attention.h"
#include "elastane/core/backbone/custom_block.h"
#include "elastane/core/backbone/delta.h"
#include "elastane/core/backbone/gru.h"
#include "elastane/core/backbone/lstm.h"
#include "elastane/core/backbone/mamba.h"
#include "elastane/core/backbone/mlp.h"
#include "elastane/core/backbone/normaliser.h"
#include "elastane/core/backbone/recursion.h"
#include "elastane/core/backbone/s4d.h"
#include "elastane/core/backbone/selective.h"
#include "elastane/core/base/buffer.h"
#include "elastane/core/decoder/head.h"
#include "elastane/core/network/model_config.h"

namespace elastane {

using Block = std::variant<S4d, Mamba, Gru, Lstm, Attention, Mlp, Selective, Recursion, Delta, Custom>;

struct NormWeights {
  Norm kind;
  const float *weight, *bias;
};

// h ← h + mix(post(block(norm(h))))
struct Layer {
  NormWeights norm;
  Block block;
  Activation post;
  Mix mix;
  PackedMatrix mix_weight;
  const float* mix_bias;
  bool residual;
};

// the slow state of one block: where it lies among the slow floats, and its log in a step's log
struct SlowPart {
  SlowShape shape;
  int begin = 0, log = 0;
};

// A stream's state is one block of bytes, trivially copyable. Byte offsets of its parts:
//   position, time     steps taken and their summed dt          written by begin
//   statistics         ChannelStatistics of every input         written by normalise
//   last               last value of every input                written by normalise
//   encoded            h before the first block                 written by encode
//   dense              what blocks rewrite in every step        written by advance
//   ring               windows, of which a step writes one slot written by advance
//   slow               large, of which a step changes some rows written by advance
struct StateLayout {
  std::size_t statistics = 64, last = 64, encoded = 64, dense = 64, ring = 64, slow = 64, size = 64;
  std::vector<RingPart> rings = {};  // every window, in the order of the blocks
  std::vector<SlowPart> slow_parts = {};
  int slot_floats = 0;  // what one step overwrites in all rings
  int log_floats = 0;   // what undoing one step in all slow states may take
};

struct StateHeader {
  std::uint64_t position = 0;
  double time = 0;
};

struct Network {
  ModelConfig config;
  const Kernels* k;

  // in the order of a step
  PackedMatrix encoder;
  const float* encoder_bias;
  std::vector<Layer> layers;
  NormWeights norm;
  Head head;
  const double* metric_diagonal;  // of the learned metric, softplus done [latents], or null
  const double* metric_factor;    // Lᵀ [rank][latents, padded to kDoubleLane]

  StateLayout layout;
  Buffer initial;       // a state at reset, up to its windows, which are zero
  Buffer initial_slow;  // its slow part
  Buffer weights;       // what all views above point into

  std::uint64_t fingerprint;
  std::int64_t parameters;
  int latents;              // recurrent state values
  std::int64_t macs;        // multiply-adds of one row, at most
  std::int64_t dense_macs;  // of them, outside the blocks: encoder, mixes and head
  int readout_floats;       // widest read-out before mixing, padded
};

// Calls f with the block that the layer holds. Unlike std::visit it cannot throw, and a kind that f does not know does
// not compile.
template <class F, std::size_t... kIndex>
void visit_block(const Block& block, F& f, std::index_sequence<kIndex...>) {
  ((block.index() == kIndex ? f(*std::get_if<kIndex>(&block)) : void()), ...);
}
template <class F>
void visit_block(const Block& block, F&& f) {
  visit_block(block, f, std::make_index_sequence<std::variant_size_v<Block>>());
}

}  // namespace elastane
