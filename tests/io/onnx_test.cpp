// Tests of elastane/io/onnx.cpp: graphs as files and back.
#include "elastane/io/onnx.h"

#include <gtest/gtest.h>

#include "elastane/io/protobuf.h"

namespace elastane {
namespace {

OnnxGraph small_graph() {
  OnnxGraph graph;
  graph.name = "step", graph.doc = "what it is";
  OnnxAttribute whole, real, list;
  whole.name = "axis", whole.whole = -1;
  real.name = "epsilon", real.kind = OnnxAttribute::Kind::real, real.real = 0.25F;
  list.name = "axes", list.kind = OnnxAttribute::Kind::wholes, list.wholes = {1, -2};
  graph.nodes = {{.op = "Add", .inputs = {"x", "", "w"}, .outputs = {"y"}, .attributes = {whole, real, list}}};
  graph.constants = {{.name = "w", .shape = {2, 1}, .values = {1.5F, -2}, .integers = {}},
                     {.name = "n", .shape = {1}, .values = {}, .integers = {-1}}};
  graph.inputs = {{"x", {-1, 2}}};
  graph.outputs = {{"y", {-1, 2}}};
  return graph;
}

// a model around one constant
std::vector<std::byte> model_around(const ProtobufWriter& tensor) {
  ProtobufWriter graph, model;
  graph.message(5, tensor);
  model.message(7, graph);
  return model.bytes();
}

TEST(Onnx, AGraphIsReadBackAsItWasWritten) {
  const OnnxGraph graph = parse_onnx(format_onnx(small_graph()), "a.onnx").value();
  EXPECT_EQ(graph.name, "step");
  EXPECT_EQ(graph.doc, "what it is");
  ASSERT_EQ(graph.nodes.size(), 1U);
  const OnnxNode& node = graph.nodes[0];
  EXPECT_EQ(node.op, "Add");
  EXPECT_EQ(node.inputs, (std::vector<std::string>{"x", "", "w"}));
  EXPECT_EQ(node.whole("axis", 0), -1);
  EXPECT_EQ(node.whole("nothing", 5), 5);
  EXPECT_EQ(node.find("epsilon")->real, 0.25F);
  EXPECT_EQ(node.find("axes")->wholes, (std::vector<std::int64_t>{1, -2}));
  EXPECT_EQ(graph.constants[0].shape, (Shape{2, 1}));
  EXPECT_EQ(graph.constants[0].values, (std::vector<float>{1.5F, -2}));
  EXPECT_EQ(graph.constants[1].integers, (std::vector<std::int64_t>{-1}));
  EXPECT_EQ(graph.inputs[0].name, "x");
  EXPECT_EQ(graph.outputs[0].name, "y");
}

TEST(Onnx, ConstantsMayBeListsAndOtherTypes) {
  const float values[] = {3, 4};
  ProtobufWriter listed;
  listed.number(1, 2), listed.number(2, 1), listed.data(4, std::as_bytes(std::span(values)));
  EXPECT_EQ(parse_onnx(model_around(listed), "a").value().constants[0].values, (std::vector<float>{3, 4}));
  const double wide[] = {0.5};
  ProtobufWriter doubles;
  doubles.number(2, 11), doubles.data(9, std::as_bytes(std::span(wide)));
  EXPECT_EQ(parse_onnx(model_around(doubles), "a").value().constants[0].values, (std::vector<float>{0.5F}));
}

TEST(Onnx, WhatIsNotAGraphIsRefused) {
  EXPECT_NE(parse_onnx({}, "a.onnx").error().find("a.onnx: expected a model with a graph"), std::string::npos);
  std::vector<std::byte> bytes = format_onnx(small_graph());
  for (std::size_t length = 0; length < bytes.size() - 8; ++length) {
    EXPECT_FALSE(parse_onnx(std::span(bytes).first(length), "a")) << length;
  }
  ProtobufWriter few, huge, outside;
  few.number(1, 3), few.number(2, 1), few.data(9, std::vector<std::byte>(8));
  EXPECT_NE(parse_onnx(model_around(few), "a").error().find("expected 3 values, found 2"), std::string::npos);
  huge.number(1, 1LL << 60), huge.number(1, 1LL << 60), huge.number(2, 1);
  EXPECT_NE(parse_onnx(model_around(huge), "a").error().find("fewer values"), std::string::npos);
  outside.number(2, 1), outside.text(8, "w"), outside.number(14, 1);
  EXPECT_NE(parse_onnx(model_around(outside), "a").error().find("save the model in one file"), std::string::npos);
}

}  // namespace
}  // namespace elastane
