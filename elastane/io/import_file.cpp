// Imports by path: one file, several shards with an index, ONNX, or JSON.
#include <algorithm>
#include <filesystem>
#include <map>

#include "elastane/io/file.h"
#include "elastane/io/import.h"
#include "elastane/io/import_audio.h"
#include "elastane/io/import_onnx.h"
#include "elastane/io/json.h"
#include "elastane/io/safetensors.h"

namespace elastane {
namespace {

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// the tensors of all shards in one file; an index names the shard of every tensor
Result<std::vector<std::byte>> join_shards(const std::string& path, std::string_view text) {
  const auto refuse = [&](const std::string& why) { return Error{"[import] " + path + ": " + why}; };
  const auto json = parse_json(text);
  if (!json) return refuse(json.error());
  if (!json->is_object() || !json->contains("weight_map") || !json->at("weight_map").is_object()) {
    return refuse("expected an index with a weight_map, found none");
  }
  std::map<std::string, FileContent> shards;
  std::vector<StoredTensor> tensors;
  for (const auto& [name, shard] : json->at("weight_map").items()) {
    if (!shard.is_string()) return refuse(name + ": expected the name of a file");
    const auto file = shard.get<std::string>();
    if (file.find('/') != file.npos) return refuse(name + ": expected a file beside the index, found " + file);
    if (shards.contains(file)) continue;
    const std::string beside = std::filesystem::path(path).parent_path() / file;
    ELASTANE_TRY_ASSIGN(FileContent content, FileContent::open(beside));
    const FileContent& kept = shards.emplace(file, std::move(content)).first->second;
    ELASTANE_TRY_ASSIGN(const Safetensors part, parse_safetensors(kept.bytes(), beside));
    tensors.insert(tensors.end(), part.tensors.begin(), part.tensors.end());
  }
  for (const auto& [name, shard] : json->at("weight_map").items()) {
    const auto is_it = [&, &wanted = name](const StoredTensor& t) { return t.name == wanted; };
    if (std::none_of(tensors.begin(), tensors.end(), is_it)) return refuse(name + ": is in no shard");
  }
  return format_safetensors({}, tensors);
}

}  // namespace

Result<Import> import_file(const std::string& path, const ImportOptions& options) {
  ELASTANE_TRY_ASSIGN(const FileContent file, FileContent::open(path));
  if (path.ends_with(".index.json")) {
    ELASTANE_TRY_ASSIGN(const std::vector<std::byte> joined, join_shards(path, text_of(file.bytes())));
    return import_model(joined, path, options);
  }
  if (path.ends_with(".onnx")) {
    ELASTANE_TRY_ASSIGN(const OnnxGraph graph, parse_onnx(file.bytes(), path));
    ELASTANE_TRY_ASSIGN(const std::vector<Tensor> tensors, tensors_of_onnx(graph, path));
    ELASTANE_TRY_ASSIGN(const std::vector<std::byte> bytes, format_safetensors({}, tensors));
    return import_model(bytes, path, options);
  }
  if (!path.ends_with(".json")) return import_model(file.bytes(), path, options);
  ELASTANE_TRY_ASSIGN(const AudioModel audio, parse_audio_model(text_of(file.bytes()), path));
  ELASTANE_TRY_ASSIGN(const std::vector<std::byte> bytes, format_safetensors({}, audio.tensors));
  ImportOptions own = options;
  own.skip = own.skip || audio.skip;
  return import_model(bytes, path, own);
}

}  // namespace elastane
