#include "elastane/core/decoder/head_description.h"

namespace elastane {

HeadRegisters describe(const Head& head, Register h, int outputs, ProgramBuilder& ops) {
  for (std::size_t k = 0; k + 1 < head.layers.size(); ++k) {
    const HeadLayer& layer = head.layers[k];
    const int n = head.layers[k + 1].weight.cols;
    h = ops.activate(head.activation, ops.linear(layer.weight, layer.bias, h, n));
  }
  const HeadLayer& last = head.layers.back();
  return {.features = h, .output = ops.linear(last.weight, last.bias, h, outputs)};
}

}  // namespace elastane
