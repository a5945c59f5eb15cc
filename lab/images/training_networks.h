// Classifiers of images as training sees them: every depth is in the graph.
#pragma once

#include <ATen/ATen.h>

#include <memory>
#include <optional>
#include <vector>

#include "elastane/io/model_file.h"
#include "elastane/train/weights.h"
#include "lab/images/methods.h"

namespace elastane::images {

class DeepNetwork {
 public:
  virtual ~DeepNetwork() = default;
  // h_1 … h_depth, each (batch, width); x (batch, features)
  virtual std::vector<at::Tensor> states(const at::Tensor& x, int depth) const = 0;
  virtual at::Tensor logits(const at::Tensor& h) const = 0;
  virtual std::vector<train::NamedTensor> leaves() const = 0;
  virtual bool can_be_deeper() const { return true; }
  virtual void constrain() const {}                             // after every step of the optimiser
  virtual std::optional<double> lambda() const { return {}; }   // of forms that learn it
  virtual std::optional<ModelFile> file() const { return {}; }  // of those that the engine runs
};

std::unique_ptr<DeepNetwork> make_network(const Method& method, int features, int width, std::uint64_t seed);

}  // namespace elastane::images
