#include "elastane/train/head_modes.h"

namespace elastane::train {

using at::Tensor;

Tensor StreamingMask::hides(const Tensor& queries, const Tensor& entries) const {
  const Tensor query = at::div(queries, block, "floor").unsqueeze(1),
               entry = at::div(entries, block, "floor").unsqueeze(0);
  return (entries >= sink).unsqueeze(0) & (entry <= query - local / block);
}

GivenModes::GivenModes(const StreamingMask& mask, const Tensor& heads, int layers) : HeadModes(mask) {
  for (const Tensor& part : heads.to(at::kFloat).chunk(layers, 1)) share_.push_back(part.unsqueeze(1));
}

namespace {

// means of blocks (batch, blocks, channels), each counting half as much as the one after it
Tensor recent(const Tensor& means) {
  std::vector<Tensor> all = {means.select(1, 0)};
  for (std::int64_t b = 1; b < means.size(1); ++b) all.push_back(0.5 * (all.back() + means.select(1, b)));
  return at::stack(all, 1);
}

}  // namespace

Tensor pooled_keys(const Tensor& keys, std::int64_t block, Pooling pooling) {
  const std::int64_t blocks = keys.size(1) / block;
  TORCH_CHECK(blocks >= 1, "[router] expected keys of a whole block of ", block, " steps, found ", keys.size(1));
  const Tensor by_block = keys.flatten(2).narrow(1, 0, blocks * block).unflatten(1, {blocks, block});
  const Tensor means = by_block.mean(2);
  switch (pooling) {
    case Pooling::mean: {
      const Tensor count = at::arange(1, blocks + 1, keys.options()).view({1, blocks, 1});
      return means.cumsum(1) / count;
    }
    case Pooling::maximum: return std::get<0>(by_block.amax(2).cummax(1));
    case Pooling::edges: return at::cat({means.narrow(1, 0, 1).expand_as(means), recent(means)}, -1);
    case Pooling::edges_maximum:
      return at::cat({means.narrow(1, 0, 1).expand_as(means), recent(means), std::get<0>(by_block.amax(2).cummax(1))},
                     -1);
  }
  return {};
}

}  // namespace elastane::train
