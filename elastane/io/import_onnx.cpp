#include "elastane/io/import_onnx.h"

#include <algorithm>
#include <map>
#include <set>

namespace elastane {
namespace {

// what is wrong, thrown within this file only
struct GraphFault {
  std::string what;
};

struct Producer {
  const OnnxNode* node;
  std::size_t output;
};

const std::set<std::string_view> kReshaping = {"Transpose", "Squeeze", "Unsqueeze", "Reshape", "Flatten",
                                               "Identity",  "Cast",    "Dropout",   "Expand"};

// y = Wx + b with W (outputs, inputs); b may be empty
struct LinearMap {
  Tensor weight, bias;
};

std::string shown(const OnnxNode& node) { return node.op + (node.outputs.empty() ? "" : " (" + node.outputs[0] + ")"); }

// what the graph does, from its first output back to its input
class GraphWalk {
 public:
  explicit GraphWalk(const OnnxGraph& graph) {
    for (const OnnxTensor& constant : graph.constants) constants_[constant.name] = &constant;
    for (const OnnxNode& node : graph.nodes) {
      const OnnxAttribute* value = node.op == "Constant" ? node.find("value") : nullptr;
      if (value != nullptr && !node.outputs.empty()) constants_[node.outputs[0]] = &value->tensor;
      for (std::size_t i = 0; i < node.outputs.size(); ++i) producers_[node.outputs[i]] = {&node, i};
    }
    for (const OnnxValue& input : graph.inputs) inputs_.insert(input.name);
    if (graph.outputs.empty()) throw GraphFault{"expected a graph with an output, found none"};
    walk(graph.outputs[0].name, graph.nodes.size());
  }

  std::vector<Tensor> tensors() &&;

 private:
  const OnnxTensor* constant(const OnnxNode& node, std::size_t input) const;
  void walk(std::string value, std::size_t most);
  std::string before_linear(const OnnxNode& node);
  std::string before_add(const OnnxNode& node);
  void take_layer(const OnnxNode& node, std::size_t output);
  void require_plain(const OnnxNode& node) const;
  void require_zero(const OnnxNode& user, const std::string& start, int depth) const;
  Tensor gates(const OnnxNode& node, std::size_t input, const std::vector<std::size_t>& order, std::size_t sides) const;

  std::map<std::string, const OnnxTensor*> constants_;
  std::map<std::string, Producer> producers_;
  std::set<std::string> inputs_;
  std::vector<std::vector<Tensor>> layers_;  // last first
  LinearMap encoder_, head_;
  Tensor pending_;  // the bias of an Add whose product comes next
};

const OnnxTensor* GraphWalk::constant(const OnnxNode& node, std::size_t input) const {
  if (input >= node.inputs.size()) return nullptr;
  const auto found = constants_.find(node.inputs[input]);
  return found == constants_.end() || found->second->values.empty() ? nullptr : found->second;
}

void GraphWalk::walk(std::string value, std::size_t most) {
  for (std::size_t i = 0; i <= most && !(inputs_.contains(value) && !constants_.contains(value)); ++i) {
    const auto found = producers_.find(value);
    if (found == producers_.end() || i == most) throw GraphFault{value + ": expected a value that comes from an input"};
    const OnnxNode& node = *found->second.node;
    if (!pending_.values.empty() && node.op != "MatMul") {
      throw GraphFault{shown(node) + ": expected a product with a matrix before a sum with a constant"};
    }
    const bool is_reshape = kReshaping.contains(node.op) && !node.inputs.empty();
    if (node.op == "GRU" || node.op == "LSTM") {
      take_layer(node, found->second.output);
      value = node.inputs[0];
    } else if (node.op == "Gemm" || node.op == "MatMul") {
      value = before_linear(node);
    } else if (node.op == "Add") {
      value = before_add(node);
    } else if (node.op == "Gather" && node.inputs.size() == 2 && node.whole("axis", 0) < 2) {
      // the last step of a sequence, which is each step of a stream
      const auto index = constants_.find(node.inputs[1]);
      if (index == constants_.end() || index->second->integers != std::vector<std::int64_t>{-1}) {
        throw GraphFault{shown(node) + ": expected the last step of a sequence, found another choice"};
      }
      value = node.inputs[0];
    } else if (is_reshape) {
      value = node.inputs[0];
    } else {
      throw GraphFault{shown(node) + ": expected GRU, LSTM, one linear map on either side and reshaping, found " +
                       node.op};
    }
  }
}

// a Gemm, or a MatMul whose bias was seen behind it
std::string GraphWalk::before_linear(const OnnxNode& node) {
  const OnnxTensor* matrix = constant(node, 1);
  if (matrix == nullptr || matrix->shape.size() != 2) throw GraphFault{shown(node) + ": expected a constant matrix"};
  const OnnxAttribute *alpha = node.find("alpha"), *beta = node.find("beta");
  if (node.whole("transA", 0) != 0 || (alpha != nullptr && alpha->real != 1) || (beta != nullptr && beta->real != 1)) {
    throw GraphFault{shown(node) + ": expected Wx + b, found other factors"};
  }
  const bool is_transposed = node.op == "Gemm" && node.whole("transB", 0) != 0;
  const auto rows = matrix->shape[is_transposed ? 0 : 1], columns = matrix->shape[is_transposed ? 1 : 0];
  LinearMap map{.weight = {.name = "", .shape = {rows, columns}, .values = matrix->values},
                .bias = std::move(pending_)};
  pending_ = {};
  for (std::int64_t r = 0; r < rows && !is_transposed; ++r) {
    for (std::int64_t c = 0; c < columns; ++c) {
      map.weight.values[static_cast<std::size_t>(r * columns + c)] =
          matrix->values[static_cast<std::size_t>(c * rows + r)];
    }
  }
  if (node.op == "Gemm" && node.inputs.size() > 2 && !node.inputs[2].empty()) {
    const OnnxTensor* bias = constant(node, 2);
    if (bias == nullptr) throw GraphFault{shown(node) + ": expected a constant bias"};
    map.bias = {.name = "", .shape = {static_cast<std::int64_t>(bias->values.size())}, .values = bias->values};
  }
  if (!map.bias.values.empty() && static_cast<std::int64_t>(map.bias.values.size()) != rows) {
    throw GraphFault{shown(node) + ": expected a bias of " + std::to_string(rows) + " values"};
  }
  LinearMap& place = layers_.empty() ? head_ : encoder_;
  if (!place.weight.values.empty()) throw GraphFault{shown(node) + ": expected one linear map on this side, found two"};
  place = std::move(map);
  return node.inputs[0];
}

std::string GraphWalk::before_add(const OnnxNode& node) {
  for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
    const OnnxTensor* bias = constant(node, side);
    if (bias == nullptr || node.inputs.size() != 2) continue;
    pending_ = {.name = "", .shape = {static_cast<std::int64_t>(bias->values.size())}, .values = bias->values};
    return node.inputs[1 - side];
  }
  throw GraphFault{shown(node) + ": expected the sum with a constant bias, found a sum of two values"};
}

// variants that ONNX has and our blocks do not
void GraphWalk::require_plain(const OnnxNode& node) const {
  const OnnxAttribute* direction = node.find("direction");
  if (direction != nullptr && direction->text != "forward") {
    throw GraphFault{shown(node) + ": expected layers that run forward, found " + direction->text +
                     ", which needs the future"};
  }
  if (node.op == "GRU" && node.whole("linear_before_reset", 0) == 0) {
    throw GraphFault{shown(node) +
                     ": expected linear_before_reset = 1, as PyTorch has it, found 0, which is another cell"};
  }
  const OnnxAttribute* activations = node.find("activations");
  const std::vector<std::string> usual = node.op == "GRU" ? std::vector<std::string>{"Sigmoid", "Tanh"}
                                                          : std::vector<std::string>{"Sigmoid", "Tanh", "Tanh"};
  if (activations != nullptr && activations->texts != usual) {
    throw GraphFault{shown(node) + ": expected sigmoid and tanh, found other activations"};
  }
  if (node.find("clip") != nullptr || node.whole("input_forget", 0) != 0) {
    throw GraphFault{shown(node) + ": expected no clip and no input_forget, which are not known"};
  }
  if (node.inputs.size() < 3) throw GraphFault{shown(node) + ": expected weights W and R"};
  if (node.inputs.size() > 7 && !node.inputs[7].empty()) {
    throw GraphFault{shown(node) + ": expected an LSTM without peepholes, which are not known"};
  }
  for (std::size_t i = 5; i < std::min<std::size_t>(node.inputs.size(), 7); ++i) require_zero(node, node.inputs[i], 16);
}

// a stream starts from zero
void GraphWalk::require_zero(const OnnxNode& user, const std::string& start, int depth) const {
  if (start.empty()) return;
  const auto is_zero = [](float x) { return x == 0; };
  const auto constant = constants_.find(start);
  if (constant != constants_.end()) {
    if (std::all_of(constant->second->values.begin(), constant->second->values.end(), is_zero)) return;
    throw GraphFault{shown(user) + ": expected a start from zero, found other values in " + start};
  }
  if (inputs_.contains(start)) return;
  const auto found = producers_.find(start);
  if (found == producers_.end() || depth == 0)
    throw GraphFault{shown(user) + ": expected a start from zero, found " + start};
  const OnnxNode& node = *found->second.node;
  if (node.op == "ConstantOfShape") {
    const OnnxAttribute* value = node.find("value");
    if (value == nullptr || std::all_of(value->tensor.values.begin(), value->tensor.values.end(), is_zero)) return;
  } else if (node.op == "Slice" || kReshaping.contains(node.op)) {
    return require_zero(user, node.inputs.empty() ? "" : node.inputs[0], depth - 1);
  }
  throw GraphFault{shown(user) + ": expected a start from zero, found " + shown(node)};
}

// one direction of gates in PyTorch's order: its gate g is gate order[g] of ONNX
Tensor GraphWalk::gates(const OnnxNode& node, std::size_t input, const std::vector<std::size_t>& order,
                        std::size_t sides) const {
  const OnnxTensor* t = constant(node, input);
  if (t == nullptr || t->shape.size() != sides || t->shape[0] != 1 ||
      t->shape[1] % static_cast<std::int64_t>(order.size()) != 0) {
    throw GraphFault{shown(node) + ": expected constant weights of one direction, found others at input " +
                     std::to_string(input)};
  }
  const std::size_t each = t->values.size() / order.size();
  Tensor out{.name = "", .shape = {t->shape.begin() + 1, t->shape.end()}, .values = {}};
  for (const std::size_t gate : order) {
    const auto from = t->values.begin() + static_cast<std::ptrdiff_t>(gate * each);
    out.values.insert(out.values.end(), from, from + static_cast<std::ptrdiff_t>(each));
  }
  return out;
}

void GraphWalk::take_layer(const OnnxNode& node, std::size_t output) {
  if (!encoder_.weight.values.empty())
    throw GraphFault{shown(node) + ": expected no linear map between layers, found one"};
  if (output > 1) throw GraphFault{shown(node) + ": expected its output h, found its cell c as the output"};
  require_plain(node);
  // ONNX: z, r, h and i, o, f, c; PyTorch: r, z, n and i, f, g, o
  const bool is_gru = node.op == "GRU";
  const std::vector<std::size_t> order =
      is_gru ? std::vector<std::size_t>{1, 0, 2} : std::vector<std::size_t>{0, 2, 3, 1};
  std::vector<Tensor> layer = {gates(node, 1, order, 3), gates(node, 2, order, 3)};
  layer[0].name = "weight_ih", layer[1].name = "weight_hh";
  if (node.inputs.size() > 3 && !node.inputs[3].empty()) {
    // biases of the input, then those of the state
    std::vector<std::size_t> both = order;
    for (const std::size_t gate : order) both.push_back(gate + order.size());
    const Tensor biases = gates(node, 3, both, 2);
    const auto half = static_cast<std::ptrdiff_t>(biases.values.size() / 2);
    const Shape shape = {biases.shape[0] / 2};
    layer.push_back(
        {.name = "bias_ih", .shape = shape, .values = {biases.values.begin(), biases.values.begin() + half}});
    layer.push_back({.name = "bias_hh", .shape = shape, .values = {biases.values.begin() + half, biases.values.end()}});
  }
  layers_.push_back(std::move(layer));
}

std::vector<Tensor> GraphWalk::tensors() && {
  if (layers_.empty()) throw GraphFault{"expected GRU or LSTM nodes, found none"};
  std::vector<Tensor> out;
  const auto put = [&](const std::string& name, Tensor tensor) {
    if (tensor.values.empty()) return;
    tensor.name = name;
    out.push_back(std::move(tensor));
  };
  put("encoder.weight", std::move(encoder_.weight));
  put("encoder.bias", std::move(encoder_.bias));
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    for (Tensor& tensor : layers_[layers_.size() - 1 - i]) {
      const std::string name = "rnn." + tensor.name + "_l" + std::to_string(i);
      put(name, std::move(tensor));
    }
  }
  put("fc.weight", std::move(head_.weight));
  put("fc.bias", std::move(head_.bias));
  return out;
}

}  // namespace

Result<std::vector<Tensor>> tensors_of_onnx(const OnnxGraph& graph, const std::string& source) {
  try {
    return GraphWalk(graph).tensors();
  } catch (const GraphFault& fault) {
    return Error{"[import] " + source + ": " + fault.what};
  }
}

}  // namespace elastane
