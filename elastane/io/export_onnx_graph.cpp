#include "elastane/io/export_onnx_graph.h"

#include <algorithm>
#include <cstdio>

#include "elastane/core/math/kernels.h"

namespace elastane {
namespace {

OnnxAttribute real_attribute(const char* name, double value) {
  OnnxAttribute attribute;
  attribute.name = name;
  attribute.kind = OnnxAttribute::Kind::real;
  attribute.real = static_cast<float>(value);
  return attribute;
}

}  // namespace

OnnxAttribute whole_attribute(const char* name, std::int64_t value) {
  OnnxAttribute attribute;
  attribute.name = name;
  attribute.whole = value;
  return attribute;
}

GraphBuilder::GraphBuilder(std::span<const Tensor> tensors) {
  for (const Tensor& tensor : tensors) tensors_[tensor.name] = &tensor;
}

std::string GraphBuilder::op(const char* type, std::vector<std::string> inputs, std::vector<OnnxAttribute> attributes) {
  const std::string name = std::string(type) + "_" + std::to_string(count_++);
  graph_.nodes.push_back(
      {.op = type, .inputs = std::move(inputs), .outputs = {name}, .attributes = std::move(attributes)});
  return name;
}

std::vector<std::string> GraphBuilder::several(int results, const char* type, std::vector<std::string> inputs,
                                               std::vector<OnnxAttribute> attributes) {
  const std::string first = op(type, std::move(inputs), std::move(attributes));
  std::vector<std::string> names;
  for (int i = 0; i < results; ++i) names.push_back(first + "." + std::to_string(i));
  graph_.nodes.back().outputs = names;
  return names;
}

std::string GraphBuilder::sum_last(const std::string& a) {
  return op("ReduceSum", {a, whole({-1})}, {whole_attribute("keepdims", 0)});
}

std::string GraphBuilder::unsqueeze(const std::string& a, std::int64_t axis) {
  return op("Unsqueeze", {a, whole({axis})});
}
std::string GraphBuilder::squeeze(const std::string& a, std::int64_t axis) { return op("Squeeze", {a, whole({axis})}); }

std::vector<std::string> GraphBuilder::split(const std::string& a, const std::vector<std::int64_t>& sizes) {
  return several(static_cast<int>(sizes.size()), "Split", {a, whole(sizes)}, {whole_attribute("axis", -1)});
}

std::string GraphBuilder::gather(const std::string& a, const std::vector<int>& columns) {
  std::vector<std::int64_t> taken;
  for (const int column : columns) taken.push_back(std::max(column, 0));
  return op("Gather", {a, whole(taken)}, {whole_attribute("axis", -1)});
}

std::string GraphBuilder::without_first(const std::string& a) {
  return op("Slice", {a, whole({1}), whole({1 << 30}), whole({2})});
}

std::string GraphBuilder::activate(Activation activation, const std::string& a) {
  if (activation == Activation::tanh) return op("Tanh", {a});
  if (activation == Activation::silu) return multiply(a, op("Sigmoid", {a}));
  if (activation == Activation::none) return a;
  const std::string half = multiply(a, constant(0.5));  // gelu: ½a(1 + erf(a/√2))
  const std::string erf = op("Erf", {multiply(a, constant(0.70710678118654752))});
  return multiply(half, add(erf, constant(1)));
}

std::string GraphBuilder::norm(Norm norm, const std::string& a, const std::string& prefix) {
  if (norm == Norm::none) return a;
  const std::string w = weight(prefix + "norm.weight");
  if (norm == Norm::layer) {
    return op("LayerNormalization", {a, w, weight(prefix + "norm.bias")},
              {real_attribute("epsilon", double{kNormEpsilon})});
  }
  OnnxAttribute last;
  last.name = "axes";
  last.kind = OnnxAttribute::Kind::wholes;
  last.wholes = {-1};
  const std::string mean = op("ReduceMean", {multiply(a, a)}, {last});
  return multiply(op("Div", {a, op("Sqrt", {add(mean, constant(double{kNormEpsilon}))})}), w);  // w ⊙ a/√(mean(a²) + ε)
}

std::string GraphBuilder::linear(const std::string& a, const std::string& matrix, const std::string& bias) {
  std::vector<std::string> inputs = {a, weight(matrix)};
  if (!bias.empty()) inputs.push_back(weight(bias));
  return op("Gemm", inputs, {whole_attribute("transB", 1)});
}

std::string GraphBuilder::constant(const std::string& name, Shape shape, std::vector<float> values) {
  const auto is_it = [&](const OnnxTensor& c) { return c.name == name; };
  if (std::none_of(graph_.constants.begin(), graph_.constants.end(), is_it)) {
    graph_.constants.push_back({.name = name, .shape = std::move(shape), .values = std::move(values), .integers = {}});
  }
  return name;
}

std::string GraphBuilder::constant(double value) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.9g", value);
  return constant(std::string("number_") + digits, {}, {static_cast<float>(value)});
}

std::string GraphBuilder::whole(std::vector<std::int64_t> values) {
  std::string name = "whole";
  for (const std::int64_t value : values) name += "_" + std::to_string(value);
  const auto is_it = [&](const OnnxTensor& c) { return c.name == name; };
  if (std::none_of(graph_.constants.begin(), graph_.constants.end(), is_it)) {
    const auto count = static_cast<std::int64_t>(values.size());
    graph_.constants.push_back({.name = name, .shape = {count}, .values = {}, .integers = std::move(values)});
  }
  return name;
}

std::string GraphBuilder::weight(const std::string& name) {
  const Tensor& t = tensor(name);
  return constant(name, t.shape, t.values);
}

void GraphBuilder::output(const std::string& name, int size, const std::string& value) {
  op("Identity", {value});
  graph_.nodes.back().outputs = {name};
  graph_.outputs.insert(graph_.outputs.begin(), {name, {-1, size}});
}

std::string GraphBuilder::state(const std::string& name, Shape sizes) {
  sizes.insert(sizes.begin(), -1);
  graph_.inputs.push_back({name, sizes});
  states_[name] = std::move(sizes);
  return name;
}

void GraphBuilder::next(const std::string& state, const std::string& value) {
  op("Identity", {value});
  graph_.nodes.back().outputs = {state + ".next"};
  graph_.outputs.push_back({state + ".next", states_.at(state)});
}

}  // namespace elastane
