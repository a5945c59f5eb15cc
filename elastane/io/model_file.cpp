#include "elastane/io/model_file.h"

#include "elastane/io/config_json.h"
#include "elastane/io/file.h"
#include "elastane/io/safetensors.h"

namespace elastane {
namespace {
constexpr const char* kConfigKey = "elastane";
}  // namespace

Result<ModelFile> parse_model(std::span<const std::byte> bytes, const std::string& source) {
  auto file = parse_safetensors(bytes, source);
  if (!file) return Error{file.error()};
  const auto text = file->metadata.find(kConfigKey);
  if (text == file->metadata.end()) {
    return Error{"[model] " + source +
                 ": expected a configuration under the metadata key \"elastane\", found none; "
                 "docs/model_format.md says what it holds"};
  }
  auto config = config_from_json(text->second);
  if (!config) return Error{config.error() + " (in " + source + ")"};
  ModelFile model{.config = *std::move(config), .tensors = {}, .metadata = std::move(file->metadata)};
  for (const StoredTensor& stored : file->tensors) {
    auto tensor = to_tensor(stored, source);
    if (!tensor) return Error{tensor.error()};
    model.tensors.push_back(*std::move(tensor));
  }
  return model;
}

Result<ModelFile> read_model(const std::string& path) {
  const auto file = FileContent::open(path);
  if (!file) return Error{file.error()};
  return parse_model(file->bytes(), path);
}

Result<Model> Model::load(const std::string& path, const ModelOptions& options) {
  const auto file = read_model(path);
  if (!file) return Error{file.error()};
  return Model::create(file->config, file->tensors, options, path);
}

Status save_model(const std::string& path, const ModelConfig& config, std::span<const Tensor> tensors,
                  std::map<std::string, std::string> metadata) {
  if (Status valid = validate(config); !valid) return valid;
  const auto specs = tensor_specs(config);
  if (Status fits = check_tensors(specs, tensors, "the tensors to save"); !fits) return fits;
  std::set<std::string> halved;
  for (const TensorSpec& spec : specs) {
    if (spec.matrix && config.weights == Precision::bfloat16) halved.insert(spec.name);
  }
  metadata[kConfigKey] = config_to_json(config);
  const auto bytes = format_safetensors(metadata, tensors, halved);
  if (!bytes) return Error{bytes.error()};
  return write_file(path, *bytes);
}

Status save_snapshot(const Stream& stream, const std::string& path) {
  std::vector<std::byte> bytes(stream.snapshot_bytes());
  if (Status taken = stream.snapshot(bytes); !taken) return taken;
  return write_file(path, bytes);
}

Status load_snapshot(const std::string& path, Stream& stream) {
  const auto file = FileContent::open(path);
  if (!file) return Error{file.error()};
  if (Status restored = stream.restore(file->bytes()); !restored) {
    return Error{restored.error() + " (in " + path + ")"};
  }
  return {};
}

}  // namespace elastane
