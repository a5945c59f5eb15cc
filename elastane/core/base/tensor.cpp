#include "elastane/core/base/tensor.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>

namespace elastane {

std::string to_string(const Shape& shape) {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) text += (i == 0 ? "" : " x ") + std::to_string(shape[i]);
  return text + ")";
}

std::int64_t element_count(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

Status check_tensors(std::span<const TensorSpec> expected, std::span<const Tensor> found, std::string_view source) {
  std::map<std::string_view, const Tensor*> by_name;
  std::string problems;
  const std::string where = "[weights] ";
  for (const Tensor& tensor : found) {
    if (!by_name.emplace(tensor.name, &tensor).second) {
      problems += where + tensor.name + ": appears twice in " + std::string(source) + "\n";
    }
  }
  for (const TensorSpec& spec : expected) {
    const auto at = by_name.find(spec.name);
    if (at == by_name.end()) {
      problems +=
          where + spec.name + ": expected " + to_string(spec.shape) + ", missing in " + std::string(source) + "\n";
      continue;
    }
    const Tensor& tensor = *at->second;
    if (tensor.shape != spec.shape) {
      problems += where + spec.name + ": expected " + to_string(spec.shape) + ", found " + to_string(tensor.shape) +
                  " in " + std::string(source) + "; change the configuration or retrain\n";
    } else if (tensor.values.size() != static_cast<std::size_t>(element_count(spec.shape))) {
      problems += where + spec.name + ": expected " + std::to_string(element_count(spec.shape)) + " values, found " +
                  std::to_string(tensor.values.size()) + " in " + std::string(source) + "\n";
    } else if (std::any_of(tensor.values.begin(), tensor.values.end(), [](float v) { return !std::isfinite(v); })) {
      problems += where + spec.name + ": has a value that is not finite in " + std::string(source) + "\n";
    }
    by_name.erase(at);
  }
  for (const auto& [name, tensor] : by_name) {
    problems += where + std::string(name) + ": unexpected " + to_string(tensor->shape) + " in " + std::string(source) +
                "; the configuration has no such part\n";
  }
  if (problems.empty()) return {};
  problems.pop_back();  // the last line break
  return Error{problems};
}

}  // namespace elastane
