// A model's tensors as leaves of a graph, under the names that its file has.
#pragma once

#include <ATen/ATen.h>

#include <span>
#include <string>
#include <vector>

#include "elastane/core/network/model_config.h"

namespace elastane::train {

struct NamedTensor {
  std::string name;
  at::Tensor value;
};

class Weights {
 public:
  // every tensor that the configuration asks for, checked like those of a file; `source` is named in messages
  static Result<Weights> create(const ModelConfig& config, std::span<const elastane::Tensor> tensors,
                                at::ScalarType type = at::kFloat, std::string_view source = "the given tensors");

  // in the order of the file
  const std::vector<NamedTensor>& all() const { return all_; }
  std::vector<at::Tensor> values() const;
  std::int64_t count() const;  // numbers in them

  const at::Tensor& operator[](std::string_view name) const;
  bool contains(std::string_view name) const;

  // what a file would hold; and the other way round, for the same model
  std::vector<elastane::Tensor> tensors() const;
  void assign(std::span<const elastane::Tensor> tensors) const;

 private:
  std::vector<NamedTensor> all_;
};

// the weights whose names begin alike
class Scope {
 public:
  Scope(const Weights& weights, std::string prefix) : weights_(&weights), prefix_(std::move(prefix)) {}
  const at::Tensor& operator[](std::string_view name) const { return (*weights_)[prefix_ + std::string(name)]; }
  bool contains(std::string_view name) const { return weights_->contains(prefix_ + std::string(name)); }
  Scope below(std::string_view name) const { return {*weights_, prefix_ + std::string(name) + "."}; }

 private:
  const Weights* weights_;
  std::string prefix_;
};

// values as a file holds them
elastane::Tensor to_file(const std::string& name, const at::Tensor& value);
at::Tensor from_file(const elastane::Tensor& tensor, at::ScalarType type);

}  // namespace elastane::train
