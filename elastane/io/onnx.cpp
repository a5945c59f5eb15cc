// Field numbers are those of onnx.proto, format version 8.
#include "elastane/io/onnx.h"

#include <algorithm>
#include <cstring>

#include "elastane/io/protobuf.h"
#include "elastane/io/safetensors.h"

namespace elastane {
namespace {

using Kind = OnnxAttribute::Kind;
constexpr std::int64_t kFloat = 1, kInt32 = 6, kInt64 = 7, kHalf = 10, kDouble = 11, kBrainHalf = 16;
constexpr std::int64_t kFormat = 8;  // ir_version
constexpr std::int64_t kMostValues = 1 << 28;

// --- write

template <class T>
std::span<const std::byte> raw(const std::vector<T>& values) {
  return std::as_bytes(std::span(values));
}

ProtobufWriter message_of(const OnnxTensor& tensor) {
  ProtobufWriter out;
  for (const std::int64_t side : tensor.shape) out.number(1, side);
  out.number(2, tensor.integers.empty() ? kFloat : kInt64);
  out.text(8, tensor.name);
  out.data(9, tensor.integers.empty() ? raw(tensor.values) : raw(tensor.integers));
  return out;
}

ProtobufWriter message_of(const OnnxAttribute& attribute) {
  ProtobufWriter out;
  out.text(1, attribute.name);
  if (attribute.kind == Kind::real) out.real(2, attribute.real), out.number(20, 1);
  if (attribute.kind == Kind::whole) out.number(3, attribute.whole), out.number(20, 2);
  if (attribute.kind == Kind::wholes) {
    for (const std::int64_t value : attribute.wholes) out.number(8, value);
    out.number(20, 7);
  }
  return out;
}

ProtobufWriter message_of(const OnnxNode& node) {
  ProtobufWriter out;
  for (const std::string& name : node.inputs) out.text(1, name);
  for (const std::string& name : node.outputs) out.text(2, name);
  out.text(4, node.op);
  for (const OnnxAttribute& attribute : node.attributes) out.message(5, message_of(attribute));
  return out;
}

ProtobufWriter message_of(const OnnxValue& value) {
  ProtobufWriter shape, tensor, type, out;
  for (const std::int64_t size : value.shape) {
    ProtobufWriter side;
    if (size < 0) side.text(2, "streams");
    if (size >= 0) side.number(1, size);
    shape.message(1, side);
  }
  tensor.number(1, kFloat);
  tensor.message(2, shape);
  type.message(1, tensor);
  out.text(1, value.name);
  out.message(2, type);
  return out;
}

// --- read

struct Malformed {
  std::string what;
};

std::vector<ProtobufField> fields_of(std::span<const std::byte> bytes, const std::string& source) {
  auto fields = parse_protobuf(bytes, source);
  if (!fields) throw Malformed{fields.error()};
  return std::move(*fields);
}

// a number alone, or a packed list of them
void append(const ProtobufField& field, const std::string& source, std::vector<std::int64_t>& out) {
  if (field.is_number) return out.push_back(field.whole());
  const auto numbers = parse_packed(field.bytes, source);
  if (!numbers) throw Malformed{numbers.error()};
  out.insert(out.end(), numbers->begin(), numbers->end());
}

template <class T>
std::vector<T> copied(std::span<const std::byte> bytes) {
  std::vector<T> out(bytes.size() / sizeof(T));
  if (!out.empty()) std::memcpy(out.data(), bytes.data(), out.size() * sizeof(T));
  return out;
}

// the values of a tensor by its type, from its bytes or from lists
void read_values(std::int64_t type, std::span<const std::byte> bytes, const std::string& source, OnnxTensor& tensor) {
  const char* dtype = type == kFloat       ? "F32"
                      : type == kDouble    ? "F64"
                      : type == kHalf      ? "F16"
                      : type == kBrainHalf ? "BF16"
                                           : nullptr;
  if (type == kInt64) {
    tensor.integers = copied<std::int64_t>(bytes);
  } else if (type == kInt32) {
    const auto narrow = copied<std::int32_t>(bytes);
    tensor.integers.assign(narrow.begin(), narrow.end());
  } else if (dtype != nullptr) {
    const std::size_t each = type == kFloat ? 4 : type == kDouble ? 8 : 2;
    if (bytes.size() % each != 0) return;
    const StoredTensor stored{
        .name = tensor.name, .dtype = dtype, .shape = {static_cast<std::int64_t>(bytes.size() / each)}, .data = bytes};
    auto read = to_tensor(stored, source);
    if (!read) throw Malformed{read.error()};
    tensor.values = std::move(read->values);
  }
}

OnnxTensor read_tensor(std::span<const std::byte> bytes, const std::string& source) {
  OnnxTensor tensor;
  std::int64_t type = 0;
  std::span<const std::byte> data;
  for (const ProtobufField& field : fields_of(bytes, source)) {
    if (field.field == 1) append(field, source, tensor.shape);
    if (field.field == 2) type = field.whole();
    if (field.field == 7) append(field, source, tensor.integers);
    if (field.field == 8) tensor.name = field.text();
    if (field.field == 4 || field.field == 9 || field.field == 10) data = field.bytes;
    if (field.field == 14 && field.whole() != 0) {
      throw Malformed{"[onnx] " + source + ": " + tensor.name +
                      ": expected constants in the file, found a reference to another; " +
                      "save the model in one file"};
    }
  }
  if (tensor.integers.empty()) read_values(type, data, source, tensor);
  std::int64_t count = 1;
  for (const std::int64_t side : tensor.shape) {
    if (side < 0 || side > kMostValues || (side > 0 && count > kMostValues / side)) {
      throw Malformed{"[onnx] " + source + ": " + tensor.name + ": expected fewer values"};
    }
    count *= side;
  }
  const bool is_read = type == kFloat || type == kDouble || type == kHalf || type == kBrainHalf;
  if (is_read && static_cast<std::int64_t>(tensor.values.size()) != count) {
    throw Malformed{"[onnx] " + source + ": " + tensor.name + ": expected " + std::to_string(count) +
                    " values, found " + std::to_string(tensor.values.size())};
  }
  return tensor;
}

OnnxAttribute read_attribute(std::span<const std::byte> bytes, const std::string& source) {
  OnnxAttribute attribute;
  attribute.kind = Kind::other;
  for (const ProtobufField& field : fields_of(bytes, source)) {
    if (field.field == 1) attribute.name = field.text();
    if (field.field == 2) attribute.kind = Kind::real, attribute.real = field.real();
    if (field.field == 3) attribute.kind = Kind::whole, attribute.whole = field.whole();
    if (field.field == 4) attribute.kind = Kind::text, attribute.text = field.text();
    if (field.field == 5) attribute.kind = Kind::tensor, attribute.tensor = read_tensor(field.bytes, source);
    if (field.field == 8) attribute.kind = Kind::wholes, append(field, source, attribute.wholes);
    if (field.field == 9) attribute.kind = Kind::texts, attribute.texts.push_back(field.text());
  }
  return attribute;
}

OnnxNode read_node(std::span<const std::byte> bytes, const std::string& source) {
  OnnxNode node;
  for (const ProtobufField& field : fields_of(bytes, source)) {
    if (field.field == 1) node.inputs.push_back(field.text());
    if (field.field == 2) node.outputs.push_back(field.text());
    if (field.field == 4) node.op = field.text();
    if (field.field == 5) node.attributes.push_back(read_attribute(field.bytes, source));
  }
  return node;
}

OnnxValue read_value(std::span<const std::byte> bytes, const std::string& source) {
  OnnxValue value;
  for (const ProtobufField& field : fields_of(bytes, source)) {
    if (field.field == 1) value.name = field.text();
  }
  return value;
}

OnnxGraph read_graph(std::span<const std::byte> bytes, const std::string& source) {
  OnnxGraph graph;
  for (const ProtobufField& field : fields_of(bytes, source)) {
    if (field.field == 1) graph.nodes.push_back(read_node(field.bytes, source));
    if (field.field == 2) graph.name = field.text();
    if (field.field == 5) graph.constants.push_back(read_tensor(field.bytes, source));
    if (field.field == 10) graph.doc = field.text();
    if (field.field == 11) graph.inputs.push_back(read_value(field.bytes, source));
    if (field.field == 12) graph.outputs.push_back(read_value(field.bytes, source));
  }
  return graph;
}

}  // namespace

const OnnxAttribute* OnnxNode::find(std::string_view name) const {
  const auto found =
      std::find_if(attributes.begin(), attributes.end(), [&](const OnnxAttribute& a) { return a.name == name; });
  return found == attributes.end() ? nullptr : &*found;
}

std::int64_t OnnxNode::whole(std::string_view name, std::int64_t otherwise) const {
  const OnnxAttribute* found = find(name);
  return found != nullptr && found->kind == Kind::whole ? found->whole : otherwise;
}

std::vector<std::byte> format_onnx(const OnnxGraph& graph) {
  ProtobufWriter body, operators, out;
  for (const OnnxNode& node : graph.nodes) body.message(1, message_of(node));
  body.text(2, graph.name);
  for (const OnnxTensor& constant : graph.constants) body.message(5, message_of(constant));
  body.text(10, graph.doc);
  for (const OnnxValue& value : graph.inputs) body.message(11, message_of(value));
  for (const OnnxValue& value : graph.outputs) body.message(12, message_of(value));
  operators.text(1, "");
  operators.number(2, kOnnxOperators);
  out.number(1, kFormat);
  out.text(2, "elastane");
  out.message(7, body);
  out.message(8, operators);
  return out.bytes();
}

Result<OnnxGraph> parse_onnx(std::span<const std::byte> bytes, const std::string& source) {
  try {
    for (const ProtobufField& field : fields_of(bytes, source)) {
      if (field.field == 7) return read_graph(field.bytes, source);
    }
  } catch (const Malformed& malformed) {
    return Error{malformed.what};
  }
  return Error{"[onnx] " + source + ": expected a model with a graph, found none"};
}

}  // namespace elastane
