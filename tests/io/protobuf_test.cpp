// Tests of elastane/io/protobuf.cpp: Protocol Buffers' wire format, both ways.
#include "elastane/io/protobuf.h"

#include <gtest/gtest.h>

#include <limits>

namespace elastane {
namespace {

std::vector<std::byte> bytes_of(std::initializer_list<int> values) {
  std::vector<std::byte> out;
  for (const int value : values) out.push_back(static_cast<std::byte>(value));
  return out;
}

TEST(Protobuf, WritesTheBytesOfTheSpecification) {
  ProtobufWriter writer;
  writer.number(1, 150);  // the example of the format's documentation
  writer.text(2, "testing");
  EXPECT_EQ(writer.bytes(), bytes_of({0x08, 0x96, 0x01, 0x12, 0x07, 't', 'e', 's', 't', 'i', 'n', 'g'}));
}

TEST(Protobuf, EveryFieldIsReadBack) {
  ProtobufWriter inner, writer;
  inner.number(3, std::numeric_limits<std::int64_t>::min());
  writer.number(1, -1);
  writer.real(2, -0.5F);
  writer.text(300, "");
  writer.message(4, inner);
  const auto fields = parse_protobuf(writer.bytes(), "a").value();
  ASSERT_EQ(fields.size(), 4U);
  EXPECT_TRUE(fields[0].is_number);
  EXPECT_EQ(fields[0].whole(), -1);
  EXPECT_EQ(fields[1].real(), -0.5F);
  EXPECT_EQ(fields[2].field, 300);
  EXPECT_FALSE(fields[2].is_number);
  EXPECT_EQ(parse_protobuf(fields[3].bytes, "a").value()[0].whole(), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(parse_packed(bytes_of({3, 0x8E, 2}), "a").value(), (std::vector<std::int64_t>{3, 270}));
}

TEST(Protobuf, BytesThatAreCutShortAreRefused) {
  ProtobufWriter writer;
  writer.number(1, 1 << 20);
  writer.real(2, 1);
  writer.text(3, "four");
  const std::vector<std::byte>& whole = writer.bytes();
  for (std::size_t length = 1; length < whole.size(); ++length) {
    const bool is_boundary = length == 4 || length == 9;
    EXPECT_EQ(bool(parse_protobuf(std::span(whole).first(length), "a")), is_boundary) << length;
  }
  // a group, field 0, a number of more than 64 bits, a length beyond the end
  EXPECT_FALSE(parse_protobuf(bytes_of({0x0B}), "a"));
  EXPECT_FALSE(parse_protobuf(bytes_of({0x00, 1}), "a"));
  EXPECT_FALSE(parse_protobuf(bytes_of({8, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1}), "a"));
  EXPECT_NE(parse_protobuf(bytes_of({0x0A, 100, 1}), "a.onnx").error().find("a.onnx: expected a field at byte 0"),
            std::string::npos);
  EXPECT_FALSE(parse_packed(bytes_of({128}), "a"));
}

}  // namespace
}  // namespace elastane
