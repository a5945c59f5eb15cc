// Audio models as JSON, turned into tensors with PyTorch's names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "elastane/core/base/tensor.h"

namespace elastane {

struct AudioModel {
  std::vector<Tensor> tensors;  // rec.weight_ih_l0, …, lin.weight, lin.bias
  bool skip = false;            // the input is added to the output
};

// Either RTNeural's form (`layers` of type gru, lstm and dense, in Keras's order) or a `state_dict` beside `model_data`.
Result<AudioModel> parse_audio_model(std::string_view text, const std::string& source);

}  // namespace elastane
