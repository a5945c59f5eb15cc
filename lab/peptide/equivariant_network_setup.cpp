#include <algorithm>
#include <cmath>

#include "elastane/io/file.h"
#include "elastane/io/safetensors.h"
#include "lab/peptide/equivariant_network.h"

namespace elastane::peptide {
namespace {

std::string layer_name(int layer, const char* part) { return "layers." + std::to_string(layer) + "." + part; }

// names and shapes of a layer's weights, for files and for training
struct Part {
  const char* name;
  Shape shape;
};
std::vector<Part> layer_parts() {
  return {{"query", {kScalars, kScalars}}, {"key", {kScalars, kScalars}},
          {"value", {kScalars, kScalars}}, {"out", {kScalars, kScalars}},
          {"edge", {kHeads, kEdge}},       {"push", {kVectors, kScalars}},
          {"mix", {kVectors, kVectors}},   {"up", {kHidden, kScalars + 3 * kVectors}},
          {"up_bias", {kHidden}},          {"down", {kScalars, kHidden}}};
}

}  // namespace

std::vector<TensorSpec> equivariant_specs() {
  std::vector<TensorSpec> specs;
  const auto add = [&](const std::string& name, const Shape& shape) {
    const double reach = shape.size() > 1 ? std::sqrt(3.0 / static_cast<double>(shape[1])) : 0.0;
    specs.push_back({name, shape, [reach](Random& random, std::size_t) {
                       return static_cast<float>(reach * random.uniform(-0.7, 0.7));
                     }});
  };
  add("embed", {kScalars, kNodeScalars});
  add("embed_bias", {kScalars});
  add("lift", {kVectors, kNodeVectors});
  for (int layer = 0; layer < kLayers; ++layer) {
    for (const Part& part : layer_parts()) add(layer_name(layer, part.name), part.shape);
  }
  add("head", {kHidden, kScalars});
  add("head_bias", {kHidden});
  add("last", {2, kHidden});
  add("last_bias", {2});
  return specs;
}

Result<EquivariantNetwork> EquivariantNetwork::create(std::span<const Tensor> tensors, const std::string& source) {
  EquivariantNetwork net;
  std::string error;
  const auto take = [&](const std::string& name, std::vector<float>& into) {
    const auto specs = equivariant_specs();
    const auto wanted = std::ranges::find(specs, name, &TensorSpec::name);
    const auto found = std::ranges::find(tensors, name, &Tensor::name);
    if (found == tensors.end() || found->shape != wanted->shape) {
      if (error.empty()) {
        error = "[weights] " + name + ": expected the shape that elastane train peptide writes, found " +
                (found == tensors.end() ? "no such tensor" : "another shape") + " in " + source + "; train it again";
      }
      return;
    }
    into = found->values;
  };
  take("embed", net.embed_), take("embed_bias", net.embed_bias_), take("lift", net.lift_);
  for (int l = 0; l < kLayers; ++l) {
    Layer& layer = net.layers_[static_cast<std::size_t>(l)];
    const std::array<std::vector<float>*, 10> into = {&layer.query,   &layer.key,  &layer.value, &layer.out,
                                                      &layer.edge,    &layer.push, &layer.mix,   &layer.up,
                                                      &layer.up_bias, &layer.down};
    const auto parts = layer_parts();
    for (std::size_t p = 0; p < parts.size(); ++p) take(layer_name(l, parts[p].name), *into[p]);
  }
  take("head", net.head_), take("head_bias", net.head_bias_), take("last", net.last_),
      take("last_bias", net.last_bias_);
  if (!error.empty()) return Error{error};
  return net;
}

Result<std::vector<Tensor>> EquivariantNetwork::read(const std::string& path) {
  auto file = FileContent::open(path);
  if (!file) return Error{file.error()};
  auto parsed = parse_safetensors(file->bytes(), path);
  if (!parsed) return Error{parsed.error()};
  std::vector<Tensor> tensors;
  for (const StoredTensor& stored : parsed->tensors) {
    auto tensor = to_tensor(stored, path);
    if (!tensor) return Error{tensor.error()};
    tensors.push_back(*std::move(tensor));
  }
  return tensors;
}

Result<EquivariantNetwork> EquivariantNetwork::load(const std::string& path) {
  const auto tensors = read(path);
  if (!tensors) return Error{tensors.error()};
  return create(*tensors, path);
}

}  // namespace elastane::peptide
