// Models of networks and snapshots of streams as files.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "elastane/core/network/model.h"
#include "elastane/core/stream/stream.h"

namespace elastane {

// the content of a model file; Model::load makes a Model at once
struct ModelFile {
  ModelConfig config;
  std::vector<Tensor> tensors;
  std::map<std::string, std::string> metadata;  // all keys, including that of the configuration
};

Result<ModelFile> parse_model(std::span<const std::byte> bytes, const std::string& source);
Result<ModelFile> read_model(const std::string& path);

// The configuration is stored in the metadata; matrices of a bfloat16 model are stored as BF16.
Status save_model(const std::string& path, const ModelConfig& config, std::span<const Tensor> tensors,
                  std::map<std::string, std::string> metadata = {});

Status save_snapshot(const Stream& stream, const std::string& path);
Status load_snapshot(const std::string& path, Stream& stream);

}  // namespace elastane
