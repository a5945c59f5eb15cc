// Fuzzes elastane/io/model_file.cpp, config_json.cpp, import.cpp, onnx.cpp and core/model.cpp: no bytes may crash what loads
// or imports a model, and what does must step with a finite state. An input that begins with a brace is also taken as a
// configuration, which then gets fresh weights.
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "elastane/core/network/network.h"
#include "elastane/io/config_json.h"
#include "elastane/io/import.h"
#include "elastane/io/import_onnx.h"
#include "elastane/io/model_file.h"
#include "elastane/io/safetensors.h"

namespace elastane {
namespace {

// weights come out of the file, but a window can ask for up to a gigabyte of state by a number alone
bool is_small(const ModelConfig& config) {
  double state = 0;
  for (const BlockConfig& block : config.blocks) {
    if (const auto* a = std::get_if<AttentionConfig>(&block.kind)) state += 1.0 * config.width * a->window;
  }
  return state < 1e5;
}

void check_finite(const Stream& stream) {
  const StateLayout& layout = stream.model().network().layout;
  for (std::size_t at = layout.statistics; at < layout.last; at += sizeof(double)) {
    double value = 0;
    std::memcpy(&value, stream.state().data() + at, sizeof(value));
    if (!std::isfinite(value)) std::abort();
  }
  for (std::size_t at = layout.last; at < layout.size; at += sizeof(float)) {
    float value = 0;
    std::memcpy(&value, stream.state().data() + at, sizeof(value));
    if (!std::isfinite(value)) std::abort();
  }
}

void step(const Model& model) {
  Stream stream(model, {.history = 2});
  std::vector<float> x(static_cast<std::size_t>(model.inputs()));
  for (int t = 0; t < 3; ++t) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(t) - static_cast<float>(i % 5);
    x[0] = t == 1 ? std::nanf("") : 1e17F;
    stream.advance(x, t == 2 ? 0.5F : 1.0F);
    check_finite(stream);
  }
  stream.rewind(2).value();
  stream.advance_chunk(x);
  check_finite(stream);
}

void load(std::span<const std::byte> bytes) {
  const auto file = parse_model(bytes, "fuzz");
  if (!file || !is_small(file->config)) return;
  const auto model = Model::create(file->config, file->tensors, {}, "fuzz");
  if (model) step(*model);
}

// what is imported is a model
void import(std::span<const std::byte> bytes) {
  const auto import = import_model(bytes, "fuzz");
  if (!import) return import.error().empty() ? std::abort() : void();
  step(Model::create(import->config, import->tensors, {}, "fuzz").value());
}

// layers of an ONNX graph as weights
void import_graph(std::span<const std::byte> bytes) {
  const auto graph = parse_onnx(bytes, "fuzz");
  if (!graph) return graph.error().empty() ? std::abort() : void();
  const auto tensors = tensors_of_onnx(*graph, "fuzz");
  if (!tensors) return tensors.error().empty() ? std::abort() : void();
  if (const auto weights = format_safetensors({}, *tensors)) import(*weights);
}

void configure(std::string_view text) {
  const auto config = config_from_json(text);
  if (!config || !is_small(*config)) return;
  if (config_from_json(config_to_json(*config)).value() != *config) std::abort();
  double weights = 0;
  for (const TensorSpec& spec : tensor_specs(*config)) weights += static_cast<double>(element_count(spec.shape));
  if (weights > 1e5) return;
  step(Model::create(*config, random_tensors(*config, 1)).value());
}

}  // namespace
}  // namespace elastane

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  elastane::load(std::as_bytes(std::span(data, size)));
  elastane::import(std::as_bytes(std::span(data, size)));
  elastane::import_graph(std::as_bytes(std::span(data, size)));
  if (size > 0 && data[0] == '{') elastane::configure({reinterpret_cast<const char*>(data), size});
  return 0;
}
