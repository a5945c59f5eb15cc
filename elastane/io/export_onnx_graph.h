// Builds a graph of ONNX operators for `streams` rows: every call adds a node and returns the name of its result.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "elastane/core/network/model_config.h"
#include "elastane/io/onnx.h"

namespace elastane {

OnnxAttribute whole_attribute(const char* name, std::int64_t value);

class GraphBuilder {
 public:
  explicit GraphBuilder(std::span<const Tensor> tensors);

  std::string op(const char* type, std::vector<std::string> inputs, std::vector<OnnxAttribute> attributes = {});
  // the same for operators with several results
  std::vector<std::string> several(int results, const char* type, std::vector<std::string> inputs,
                                   std::vector<OnnxAttribute> attributes);
  std::string add(const std::string& a, const std::string& b) { return op("Add", {a, b}); }
  std::string subtract(const std::string& a, const std::string& b) { return op("Sub", {a, b}); }
  std::string multiply(const std::string& a, const std::string& b) { return op("Mul", {a, b}); }
  std::string sum_last(const std::string& a);  // over the last axis
  std::string unsqueeze(const std::string& a, std::int64_t axis);
  std::string squeeze(const std::string& a, std::int64_t axis);
  std::vector<std::string> split(const std::string& a, const std::vector<std::int64_t>& sizes);  // of the last axis
  std::string gather(const std::string& a, const std::vector<int>& columns);  // of the last axis; below 0: the first
  std::string without_first(const std::string& a);                            // of the last axis of three
  std::string activate(Activation activation, const std::string& a);
  std::string norm(Norm norm, const std::string& a,
                   const std::string& prefix);  // with the weights prefix + norm.weight
  std::string linear(const std::string& a, const std::string& weight,
                     const std::string& bias = "");  // names of tensors

  const Tensor& tensor(const std::string& name) const { return *tensors_.at(name); }
  std::string constant(const std::string& name, Shape shape, std::vector<float> values);
  std::string constant(double value);
  std::string weight(const std::string& name);  // a tensor of the model as it is

  void input(const std::string& name, int size) { graph_.inputs.push_back({name, {-1, size}}); }
  void output(const std::string& name, int size, const std::string& value);
  // a state of these sizes per stream, and what it becomes
  std::string state(const std::string& name, Shape sizes);
  void next(const std::string& state, const std::string& value);

  OnnxGraph finish() && { return std::move(graph_); }

 private:
  std::string whole(std::vector<std::int64_t> values);

  OnnxGraph graph_;
  std::map<std::string, const Tensor*> tensors_;
  std::map<std::string, Shape> states_;
  int count_ = 0;
};

// o of a block that reads u; `prefix` is blocks.3. Nothing for kinds that have no graph
std::string export_block(const BlockConfig& block, int width, const std::string& prefix, const std::string& u,
                         GraphBuilder& graph);

}  // namespace elastane
