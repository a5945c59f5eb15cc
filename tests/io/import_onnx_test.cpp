// Tests of elastane/io/import_onnx.cpp: layers of ONNX graphs. tests/parity/imports_test.cpp imports graphs of PyTorch.
#include "elastane/io/import_onnx.h"

#include <gtest/gtest.h>

#include "elastane/io/export_onnx.h"
#include "elastane/io/file.h"
#include "tests/io/imported_weights.h"

namespace elastane {
namespace {

Import recurrent_import(int gates, int layers) {
  Weights w;
  for (int i = 0; i < layers; ++i) {
    const std::string end = "_l" + std::to_string(i);
    w.add("rnn.weight_ih" + end, {gates * 4, i == 0 ? 3 : 4}), w.add("rnn.weight_hh" + end, {gates * 4, 4});
    w.add("rnn.bias_ih" + end, {gates * 4}), w.add("rnn.bias_hh" + end, {gates * 4});
  }
  w.add("encoder.weight", {3, 2}), w.add("encoder.bias", {3});
  w.add("fc.weight", {2, 4}), w.add("fc.bias", {2});
  return imported(w);
}

OnnxGraph graph_of(const Import& import) { return export_onnx(import.config, import.tensors, "m").value(); }

OnnxNode& node_of(OnnxGraph& graph, const std::string& op) {
  return *std::find_if(graph.nodes.begin(), graph.nodes.end(), [&](const OnnxNode& n) { return n.op == op; });
}

std::string graph_refusal(const OnnxGraph& graph) {
  const auto tensors = tensors_of_onnx(graph, "m.onnx");
  return tensors ? "" : tensors.error();
}

TEST(ImportOnnx, AnExportedModelComesBackBitForBit) {
  for (const int gates : {3, 4}) {
    for (const int layers : {1, 2}) {
      const Import first = recurrent_import(gates, layers);
      const Folder folder;
      write_file(folder / "m.onnx", format_onnx(graph_of(first))).value();
      const auto second = import_file(folder / "m.onnx");
      ASSERT_TRUE(second) << second.error();
      EXPECT_EQ(second->config, first.config);
      ASSERT_EQ(second->tensors.size(), first.tensors.size());
      for (const Tensor& t : first.tensors) {
        const auto same = std::find_if(second->tensors.begin(), second->tensors.end(),
                                       [&](const Tensor& other) { return other.name == t.name; });
        ASSERT_NE(same, second->tensors.end()) << t.name;
        EXPECT_EQ(same->values, t.values) << t.name;
      }
    }
  }
}

TEST(ImportOnnx, CellsThatOurBlocksDoNotHaveAreRefused) {
  const OnnxGraph gru = graph_of(recurrent_import(3, 1)), lstm = graph_of(recurrent_import(4, 1));
  OnnxGraph graph = gru;
  node_of(graph, "GRU").attributes.pop_back();
  EXPECT_TRUE(contains(graph_refusal(graph), "expected linear_before_reset = 1")) << graph_refusal(graph);
  graph = lstm;
  OnnxAttribute direction;
  direction.name = "direction", direction.kind = OnnxAttribute::Kind::text, direction.text = "bidirectional";
  node_of(graph, "LSTM").attributes.push_back(direction);
  EXPECT_TRUE(contains(graph_refusal(graph), "which needs the future"));
  graph = lstm;
  node_of(graph, "LSTM").inputs.push_back("peepholes");
  EXPECT_TRUE(contains(graph_refusal(graph), "peepholes"));
  graph = gru;
  node_of(graph, "GRU").inputs[5] = "encoder.bias";
  EXPECT_TRUE(contains(graph_refusal(graph), "expected a start from zero"));
  graph = gru;
  node_of(graph, "GRU").inputs[1] = "input";
  EXPECT_TRUE(contains(graph_refusal(graph), "expected constant weights"));
}

TEST(ImportOnnx, OperatorsThatChangeValuesAreRefused) {
  const OnnxGraph gru = graph_of(recurrent_import(3, 1));
  OnnxGraph graph = gru;
  node_of(graph, "Squeeze").op = "Tanh";
  EXPECT_TRUE(contains(graph_refusal(graph), "found Tanh")) << graph_refusal(graph);
  graph = gru;
  node_of(graph, "Squeeze").op = "Add";
  EXPECT_TRUE(contains(graph_refusal(graph), "expected the sum with a constant")) << graph_refusal(graph);
  graph = gru;
  graph.outputs[0].name = "nothing";
  EXPECT_TRUE(contains(graph_refusal(graph), "comes from an input"));
  graph.outputs.clear();
  EXPECT_TRUE(contains(graph_refusal(graph), "with an output"));
  graph = gru;
  graph.outputs[0].name = graph.inputs[0].name;
  EXPECT_TRUE(contains(graph_refusal(graph), "expected GRU or LSTM nodes"));
  // a circle ends
  graph = gru;
  node_of(graph, "Unsqueeze").inputs[0] = node_of(graph, "Unsqueeze").outputs[0];
  EXPECT_FALSE(graph_refusal(graph).empty());
}

}  // namespace
}  // namespace elastane
