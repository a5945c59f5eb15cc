// A training run as one file: everything that the next step depends on, exactly.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "elastane/train/weights.h"

namespace elastane::train {

struct Checkpoint {
  std::map<std::string, std::string> metadata;
  std::vector<NamedTensor> tensors;

  const at::Tensor* find(std::string_view name) const;
};

// a safetensors file, written whole or not at all; float, double and int64 tensors keep every bit
Status save_checkpoint(const std::string& path, const Checkpoint& checkpoint);
Result<Checkpoint> load_checkpoint(const std::string& path);

}  // namespace elastane::train
