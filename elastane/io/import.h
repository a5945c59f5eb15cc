// Imports weights of other programs as a model: Mamba, S4D, Transformers like Llama, gated delta networks, GRU and LSTM,
// with the names that PyTorch uses, GRU and LSTM layers of ONNX graphs, and audio models as JSON.
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

enum class ImportKind : std::uint8_t { automatic, mamba, gru, lstm, s4d, transformer, delta };

struct ImportOptions {
  ImportKind kind = ImportKind::automatic;
  int inputs = 0;  // where no tensor says how many: the first inputs of the blocks; 0: all of them
  int outputs = 0;
  // of a transformer, whose tensors do not say it
  int heads = 0;      // of a delta network: of keys, if they are fewer than those of values
  int window = 1024;  // steps that attention sees; the original sees all
  double rotary_base = 10000;
  bool skip = false;  // of one recurrent layer with one output: the first input is added to it
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

// From a file: .safetensors, an index of several (.safetensors.index.json, the shards beside it), .onnx, or an audio model
// as JSON, of RTNeural or with a state_dict of `rec` and `lin`.
Result<Import> import_file(const std::string& path, const ImportOptions& options = {});

}  // namespace elastane
