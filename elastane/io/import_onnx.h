// GRU and LSTM layers of an ONNX graph, turned into tensors with PyTorch's names.
#pragma once

#include <string>
#include <vector>

#include "elastane/core/base/tensor.h"
#include "elastane/io/onnx.h"

namespace elastane {

// encoder.weight, rnn.weight_ih_l0, …, fc.weight: a linear map may stand before the layers and one behind them. Between
// the graph's first output and its input there may be nothing else that changes values; operators that only reshape are
// passed over.
Result<std::vector<Tensor>> tensors_of_onnx(const OnnxGraph& graph, const std::string& source);

}  // namespace elastane
