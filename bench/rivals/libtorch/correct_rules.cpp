#include "bench/rivals/libtorch/correct_rules.h"

namespace elastane::libtorch {

Status check_correctable(const ModelFile& file, const std::string& source) {
  ModelConfig expected{.inputs = bench::kDriftInputs, .outputs = bench::kDriftOutputs, .width = file.config.width};
  expected.blocks = {{.kind = SelectiveConfig{.hidden = expected.width}, .norm = Norm::none, .residual = false}};
  expected.norm = Norm::none;
  expected.head = {.hidden = {2 * expected.width}, .activation = Activation::tanh};
  if (file.config != expected) {
    return Error{"[torch] expected the model of bench correct, found another in " + source};
  }
  return check_tensors(tensor_specs(file.config), file.tensors, source);
}

}  // namespace elastane::libtorch
