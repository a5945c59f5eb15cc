// Weights of other programs as a model of ours: Mamba, GRU and LSTM, with the names that PyTorch gives them.
//
//   const auto import = elastane::import_model(bytes, "gru.safetensors").value();
//   if (import.unplaced.empty()) elastane::save_model("model.safetensors", import.config, import.tensors).value();
//
// The model computes what the original did; docs/howto/import.md says which names are known and where they go.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "elastane/core/network/model_config.h"

namespace elastane {

enum class ImportKind : std::uint8_t { automatic, mamba, gru, lstm };

struct ImportOptions {
  ImportKind kind = ImportKind::automatic;
  int inputs = 0;  // where no tensor says how many: the first of the blocks' inputs; 0 for all of them
  int outputs = 0;
  Precision weights = Precision::float32;
};

struct Placed {
  std::string to, from;  // names there and here; `from` is empty for what was made up
  Shape shape;
  std::string how;  // what was done to it: "transposed", "zeros", …; or nothing
};

struct Unplaced {
  std::string name;
  Shape shape;
  std::string why;
};

struct Import {
  ModelConfig config;
  std::vector<Tensor> tensors;
  std::vector<Placed> placed;
  std::vector<Unplaced> unplaced;  // what the model would be without
};

// From the bytes of a safetensors file; `source` is named in messages. A tensor that is needed and missing, or of
// another shape, is an error, and all of these are listed.
Result<Import> import_model(std::span<const std::byte> bytes, const std::string& source,
                            const ImportOptions& options = {});

}  // namespace elastane
