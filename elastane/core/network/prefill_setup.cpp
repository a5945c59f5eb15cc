#include <algorithm>

#include "elastane/core/network/prefill.h"

namespace elastane {

PrefillArrays::PrefillArrays(const Network& network, int rows, int workers)
    : network_(&network), rows_(std::max(rows, 0)), workers_(std::max(workers, 1)) {
  for (const Layer& layer : network.layers) {
    const auto* block = std::get_if<Attention>(&layer.block);
    if (block == nullptr || rows_ == 0) continue;
    const int groups = block->shape.block / kStride;
    work_floats = std::max(work_floats, padded(attend_rows_floats(block->shape)));
    score_floats = std::max(score_floats, groups * padded(block->shape.panels() * groups));
    panels = std::max(panels, block->shape.panels());
    items = std::max(items, block->shape.heads * (rows_ / block->shape.block + 2));
  }
}

void PrefillArrays::lay_out(Cutter& cutter) {
  const ModelConfig& config = network_->config;
  const auto count = static_cast<std::size_t>(rows_), each = static_cast<std::size_t>(workers_);
  row = cutter.array<Row>(count);
  restored = cutter.array<LevelScale>(count * config.normaliser.restore.size());
  hidden = cutter.float_rows(rows_, config.width);
  query = cutter.float_rows(rows_, config.width);
  attended = cutter.float_rows(rows_, config.width);
  done = cutter.array<Done>(static_cast<std::size_t>(items));
  work = cutter.array<float>(each * static_cast<std::size_t>(work_floats));
  scores = cutter.array<float>(each * static_cast<std::size_t>(score_floats));
  list = cutter.array<KeyBlock>(each * static_cast<std::size_t>(panels));
  candidates = cutter.array<float>(2 * each * static_cast<std::size_t>(panels));
}

}  // namespace elastane
