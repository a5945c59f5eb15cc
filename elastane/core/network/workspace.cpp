#include "elastane/core/network/workspace.h"

#include <algorithm>

namespace elastane {

namespace {

// of the layer, mix or head that needs most
std::size_t widest_scratch(const Network& network, int rows) {
  std::size_t floats = scratch_floats(network.head, rows);
  for (const Layer& layer : network.layers) {
    visit_block(layer.block, [&](const auto& block) { floats = std::max(floats, scratch_floats(block, rows)); });
    floats = std::max(floats, static_cast<std::size_t>(rows) * layer.mix_weight.rows);
  }
  return floats;
}

}  // namespace

void WorkspaceArrays::lay_out(Cutter& cutter) {
  const ModelConfig& config = network_->config;
  const auto rows = static_cast<std::size_t>(capacity_);
  row = cutter.array<Row>(rows);
  slow_log = cutter.float_rows(capacity_, network_->layout.log_floats);
  blocks = cutter.array<BlockReport>(network_->layers.size());
  input = cutter.float_rows(capacity_, config.inputs * (config.mask_input ? 2 : 1));
  restored = cutter.array<LevelScale>(rows * config.normaliser.restore.size());
  hidden = cutter.float_rows(capacity_, config.width);
  normed = cutter.float_rows(capacity_, config.width);
  readout = cutter.float_rows(capacity_, network_->readout_floats);
  scratch = cutter.array<float>(widest_scratch(*network_, capacity_));
  output = cutter.float_rows(capacity_, config.outputs);
}

}  // namespace elastane
