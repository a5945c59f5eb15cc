// One step of a frozen network as an ONNX graph, for programs that run ONNX.
//
// Inputs are `input` (streams, inputs) and one tensor per state, which is zero before the first step; outputs are `output`
// (streams, outputs) and for each state NAME the tensor NAME.next, to be given as NAME to the next step. The graph
// computes what the model does with every channel present and an elapsed time of 1.
#pragma once

#include <span>
#include <string>

#include "elastane/core/network/model_config.h"
#include "elastane/io/onnx.h"

namespace elastane {

// Refuses blocks that have no graph: attention, recursion, delta and custom ones. `tensors` are those of the configuration.
Result<OnnxGraph> export_onnx(const ModelConfig& config, std::span<const Tensor> tensors, const std::string& source);

}  // namespace elastane
