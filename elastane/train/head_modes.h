// Which heads of attention look at the whole past in training: both branches in one graph.
//
//   o = r·o_full + (1 − r)·o_stream         r per KV head, for a whole sequence or for each block of queries
//
// A streaming head's query in block b sees the sink and the key blocks b − local/block + 1 … b. Attention hands its keys, before
// rotation, to HeadModes and gets r back, layer by layer, so that a router may decide on what earlier layers did.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <vector>

namespace elastane::train {

// what a streaming head sees, in steps; sink and local are multiples of the block
struct StreamingMask {
  int block = 16, sink = 16, local = 32;

  // (queries, entries), bool: not seen by a streaming head; both are positions
  at::Tensor hides(const at::Tensor& queries, const at::Tensor& entries) const;
};

class HeadModes {
 public:
  explicit HeadModes(const StreamingMask& mask) : mask_(mask) {}
  virtual ~HeadModes() = default;

  // r, (batch or 1, blocks or 1, KV heads), between 0 and 1, for keys (batch, length, KV heads, size); `layer` counts the
  // attention blocks of a model
  virtual at::Tensor full_share(int layer, const at::Tensor& keys) = 0;

  const StreamingMask& mask() const { return mask_; }

 private:
  StreamingMask mask_;
};

// modes that are known beforehand: r of every layer
class GivenModes : public HeadModes {
 public:
  GivenModes(const StreamingMask& mask, std::vector<at::Tensor> share) : HeadModes(mask), share_(std::move(share)) {}
  // heads (batch or 1, layers · KV heads), bool: true is full
  GivenModes(const StreamingMask& mask, const at::Tensor& heads, int layers);

  at::Tensor full_share(int layer, const at::Tensor&) override { return share_[static_cast<std::size_t>(layer)]; }

 private:
  std::vector<at::Tensor> share_;
};

// How the keys of a layer are summed up for its router. All are running: what is known after a block is what a stream
// knows then.
enum class Pooling : std::uint8_t {
  edges_maximum,  // mean of the first block, of the last ones with halving weights, maximum of all
  edges,          // mean of the first block, of the last ones with halving weights
  mean,           // mean of all
  maximum,        // maximum of all
};
inline constexpr const char* kPoolingNames[] = {"edges_maximum", "edges", "mean", "maximum"};

// keys (batch, length, KV heads, size) after each whole block: (batch, blocks, pools · KV heads · size)
at::Tensor pooled_keys(const at::Tensor& keys, std::int64_t block, Pooling pooling);

}  // namespace elastane::train
