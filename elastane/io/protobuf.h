// The wire format of Protocol Buffers, which ONNX files are made of: fields with a number, one after the other.
//
//   ProtobufWriter node;  node.text(4, "Tanh");  ProtobufWriter graph;  graph.message(1, node);
//   for (const ProtobufField& field : parse_protobuf(graph.bytes(), "a.onnx").value()) …
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "elastane/core/base/result.h"

namespace elastane {

class ProtobufWriter {
 public:
  void number(int field, std::int64_t value);  // also of enumerations
  void real(int field, float value);
  void text(int field, std::string_view value);
  void data(int field, std::span<const std::byte> value);
  void message(int field, const ProtobufWriter& value) { data(field, value.bytes_); }
  const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  void varint(std::uint64_t value);

  std::vector<std::byte> bytes_;
};

struct ProtobufField {
  int field = 0;
  bool is_number = false;            // or real; otherwise bytes
  std::uint64_t value = 0;           // of numbers and, as its bits, of reals
  std::span<const std::byte> bytes;  // of texts, messages and packed lists: a view into the file

  std::int64_t whole() const { return static_cast<std::int64_t>(value); }
  float real() const;
  std::string text() const { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }
};

// the fields of one message, in their order; an error if they are cut short or of a type that is not known
Result<std::vector<ProtobufField>> parse_protobuf(std::span<const std::byte> bytes, const std::string& source);

// whole numbers one after the other, as packed lists have them
Result<std::vector<std::int64_t>> parse_packed(std::span<const std::byte> bytes, const std::string& source);

}  // namespace elastane
