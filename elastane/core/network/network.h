// A model as the hot path sees it: views of weights in one block, and where each part of a stream's state lies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

#include "elastane/core/base/buffer.h"
#include "elastane/core/network/model_config.h"

namespace elastane {

using Block = std::variant<S4d, Mamba, Gru, Lstm, Attention, Mlp, Selective>;

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

// A stream's state is one block of bytes, trivially copyable. Byte offsets of its parts:
//   position, time     steps taken and their summed dt          written by commit
//   statistics         ChannelStatistics of every input         written by normalise
//   last               last value of every input                written by normalise
//   encoded            h before the first block                 written by encode
//   dense              what blocks rewrite in every step        written by advance
//   ring               windows, of which a step writes one slot written by advance
struct StateLayout {
  std::size_t statistics = 64, last = 64, encoded = 64, dense = 64, ring = 64, size = 64;
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
  Buffer initial;  // a state at reset, up to its windows, which are zero
  Buffer weights;  // what all views above point into

  std::uint64_t fingerprint;
  std::int64_t parameters;
  int latents;           // recurrent state values
  std::int64_t macs;     // multiply-adds of one step
  int ring_slot_floats;  // what one step overwrites in all rings
  int readout_floats;    // widest read-out before mixing, padded
};

// calls f with the block that the layer holds; unlike std::visit it cannot throw
template <class F>
void visit_block(const Block& block, F&& f) {
  switch (block.index()) {
    case 0: f(*std::get_if<0>(&block)); break;
    case 1: f(*std::get_if<1>(&block)); break;
    case 2: f(*std::get_if<2>(&block)); break;
    case 3: f(*std::get_if<3>(&block)); break;
    case 4: f(*std::get_if<4>(&block)); break;
    case 5: f(*std::get_if<5>(&block)); break;
    case 6: f(*std::get_if<6>(&block)); break;
    default: break;
  }
}

}  // namespace elastane
