#include "elastane/train/weights.h"

#include <algorithm>
#include <stdexcept>

namespace elastane::train {

elastane::Tensor to_file(const std::string& name, const at::Tensor& value) {
  const at::Tensor plain = value.detach().to(at::kFloat).contiguous();
  const float* data = plain.data_ptr<float>();
  return {name, plain.sizes().vec(), {data, data + plain.numel()}};
}

at::Tensor from_file(const elastane::Tensor& tensor, at::ScalarType type) {
  const at::Tensor view = at::from_blob(const_cast<float*>(tensor.values.data()), tensor.shape, at::kFloat);
  return view.to(type, /*non_blocking=*/false, /*copy=*/true);
}

Result<Weights> Weights::create(const ModelConfig& config, std::span<const elastane::Tensor> tensors,
                                at::ScalarType type, std::string_view source) {
  if (const Status status = validate(config); !status) return Error{status.error()};
  const std::vector<TensorSpec> specs = tensor_specs(config);
  if (const Status status = check_tensors(specs, tensors, source); !status) return Error{status.error()};
  Weights weights;
  for (const TensorSpec& spec : specs) {
    const auto found = std::ranges::find(tensors, spec.name, &elastane::Tensor::name);
    weights.all_.push_back({spec.name, from_file(*found, type).requires_grad_()});
  }
  return weights;
}

std::vector<at::Tensor> Weights::values() const {
  std::vector<at::Tensor> values;
  for (const NamedTensor& weight : all_) values.push_back(weight.value);
  return values;
}

std::int64_t Weights::count() const {
  std::int64_t count = 0;
  for (const NamedTensor& weight : all_) count += weight.value.numel();
  return count;
}

const at::Tensor& Weights::operator[](std::string_view name) const {
  const auto found = std::ranges::find(all_, name, &NamedTensor::name);
  if (found == all_.end()) throw std::logic_error("[train] this model has no tensor " + std::string(name));
  return found->value;
}

bool Weights::contains(std::string_view name) const {
  return std::ranges::find(all_, name, &NamedTensor::name) != all_.end();
}

std::vector<elastane::Tensor> Weights::tensors() const {
  std::vector<elastane::Tensor> tensors;
  for (const NamedTensor& weight : all_) tensors.push_back(to_file(weight.name, weight.value));
  return tensors;
}

void Weights::assign(std::span<const elastane::Tensor> tensors) const {
  const at::NoGradGuard no_grad;
  for (const NamedTensor& weight : all_) {
    const auto found = std::ranges::find(tensors, weight.name, &elastane::Tensor::name);
    if (found == tensors.end() || found->shape != weight.value.sizes().vec()) {
      throw std::runtime_error("[train] expected tensor " + weight.name + " of this model's shape");
    }
    weight.value.copy_(from_file(*found, weight.value.scalar_type()));
  }
}

}  // namespace elastane::train
