// Graphs of ONNX, as far as recurrent networks need them: nodes, constants, inputs and outputs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "elastane/core/base/tensor.h"

namespace elastane {

// a constant: numbers or whole numbers, the other list is empty
struct OnnxTensor {
  std::string name;
  Shape shape;
  std::vector<float> values;
  std::vector<std::int64_t> integers;
};

struct OnnxAttribute {
  enum class Kind : std::uint8_t { real, whole, text, wholes, texts, tensor, other };
  std::string name;
  Kind kind = Kind::whole;
  float real = 0;
  std::int64_t whole = 0;
  std::string text;
  std::vector<std::int64_t> wholes;
  std::vector<std::string> texts;
  OnnxTensor tensor;
};

struct OnnxNode {
  std::string op;
  std::vector<std::string> inputs, outputs;  // an empty name: left out
  std::vector<OnnxAttribute> attributes;

  const OnnxAttribute* find(std::string_view name) const;
  std::int64_t whole(std::string_view name, std::int64_t otherwise) const;
};

// an input or output of floats; a size of −1 is that of the batch
struct OnnxValue {
  std::string name;
  Shape shape;
};

struct OnnxGraph {
  std::string name, doc;
  std::vector<OnnxNode> nodes;  // each after those that it reads
  std::vector<OnnxTensor> constants;
  std::vector<OnnxValue> inputs, outputs;
};

inline constexpr std::int64_t kOnnxOperators = 17;  // the version of the operators that we write

std::vector<std::byte> format_onnx(const OnnxGraph& graph);

// Messages name `source`. Shapes of inputs and outputs are not read; constants outside of the file are refused.
Result<OnnxGraph> parse_onnx(std::span<const std::byte> bytes, const std::string& source);

}  // namespace elastane
