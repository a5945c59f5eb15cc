// Imports weights of other programs as a model: Mamba, GRU and LSTM, with the names that PyTorch uses.
//
//   const auto import = elastane::import_model(bytes, "gru.safetensors").value();
//   if (import.unplaced.empty()) elastane::save_model("model.safetensors", import.config, import.tensors).value();
//
// The model computes what the original does; docs/howto/import.md lists the names that are known and where they go.
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
  int inputs = 0;  // where no tensor says how many: the first inputs of the blocks; 0: all of them
  int outputs = 0;
  Precision weights = Precision::float32;
};

struct Placed {
  std::string to, from;  // names in the model and in the file; `from` is empty for a tensor that was added
  Shape shape;
  std::string how;  // how it was changed: "transposed", "zeros", …; ""
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
  std::vector<Unplaced> unplaced;  // tensors that the model would lack
};

// From the bytes of a safetensors file; messages name `source`. A required tensor that is missing or has another shape is
// an error; the message lists all of them.
Result<Import> import_model(std::span<const std::byte> bytes, const std::string& source,
                            const ImportOptions& options = {});

}  // namespace elastane
