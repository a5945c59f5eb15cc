// Models and snapshots as files.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "elastane/core/network/model.h"
#include "elastane/core/stream/stream.h"

namespace elastane {

// what a model file holds, before it becomes a Model (see Model::load for the short way)
struct ModelFile {
  ModelConfig config;
  std::vector<Tensor> tensors;
  std::map<std::string, std::string> metadata;  // all keys, the configuration's own among them
};

Result<ModelFile> parse_model(std::span<const std::byte> bytes, const std::string& source);
Result<ModelFile> read_model(const std::string& path);

// the configuration goes into the metadata; matrices of a bfloat16 model are stored as BF16
Status save_model(const std::string& path, const ModelConfig& config, std::span<const Tensor> tensors,
                  std::map<std::string, std::string> metadata = {});

Status save_snapshot(const Stream& stream, const std::string& path);
Status load_snapshot(const std::string& path, Stream& stream);

}  // namespace elastane
