#include "elastane/io/protobuf.h"

#include <bit>
#include <cstring>
#include <optional>

namespace elastane {
namespace {

// how a field's value is stored
enum WireType : std::uint8_t { kVarint = 0, kEightBytes = 1, kLength = 2, kFourBytes = 5 };

// takes bytes from the front; nothing where there are too few
struct WireCursor {
  std::span<const std::byte> rest;

  std::optional<std::span<const std::byte>> take(std::uint64_t count) {
    if (count > rest.size()) return {};
    const auto taken = rest.first(static_cast<std::size_t>(count));
    rest = rest.subspan(static_cast<std::size_t>(count));
    return taken;
  }
  // seven bits per byte, lowest first
  std::optional<std::uint64_t> varint() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const auto byte = take(1);
      if (!byte) return {};
      const auto bits = std::to_integer<std::uint64_t>((*byte)[0]);
      value |= (bits & 127U) << shift;
      if (bits < 128) return value;
    }
    return {};
  }
  std::optional<std::uint64_t> fixed(std::size_t count) {
    const auto taken = take(count);
    if (!taken) return {};
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < count; ++i) value |= std::to_integer<std::uint64_t>((*taken)[i]) << (8 * i);
    return value;
  }
};

std::optional<ProtobufField> next_field(WireCursor& cursor) {
  const auto key = cursor.varint();
  if (!key || *key >> 3 == 0 || *key >> 3 > 0x1FFFFFFF) return {};
  ProtobufField field{.field = static_cast<int>(*key >> 3), .is_number = false, .value = 0, .bytes = {}};
  std::optional<std::uint64_t> value;
  switch (*key & 7U) {
    case kVarint: value = cursor.varint(); break;
    case kEightBytes: value = cursor.fixed(8); break;
    case kFourBytes: value = cursor.fixed(4); break;
    case kLength: {
      const auto length = cursor.varint();
      const auto bytes = length ? cursor.take(*length) : std::nullopt;
      if (!bytes) return {};
      field.bytes = *bytes;
      return field;
    }
    default: return {};
  }
  if (!value) return {};
  field.is_number = true;
  field.value = *value;
  return field;
}

}  // namespace

void ProtobufWriter::varint(std::uint64_t value) {
  for (; value > 127; value >>= 7) bytes_.push_back(static_cast<std::byte>((value & 127U) | 128U));
  bytes_.push_back(static_cast<std::byte>(value));
}

void ProtobufWriter::number(int field, std::int64_t value) {
  varint((static_cast<std::uint64_t>(field) << 3) | kVarint);
  varint(static_cast<std::uint64_t>(value));
}

void ProtobufWriter::real(int field, float value) {
  varint((static_cast<std::uint64_t>(field) << 3) | kFourBytes);
  const auto bits = std::bit_cast<std::uint32_t>(value);
  for (int i = 0; i < 4; ++i) bytes_.push_back(static_cast<std::byte>((bits >> (8 * i)) & 255U));
}

void ProtobufWriter::text(int field, std::string_view value) { data(field, std::as_bytes(std::span(value))); }

void ProtobufWriter::data(int field, std::span<const std::byte> value) {
  varint((static_cast<std::uint64_t>(field) << 3) | kLength);
  varint(value.size());
  bytes_.insert(bytes_.end(), value.begin(), value.end());
}

float ProtobufField::real() const { return std::bit_cast<float>(static_cast<std::uint32_t>(value)); }

Result<std::vector<ProtobufField>> parse_protobuf(std::span<const std::byte> bytes, const std::string& source) {
  std::vector<ProtobufField> fields;
  WireCursor cursor{bytes};
  while (!cursor.rest.empty()) {
    const std::size_t at = bytes.size() - cursor.rest.size();
    const auto field = next_field(cursor);
    if (!field)
      return Error{"[onnx] " + source + ": expected a field at byte " + std::to_string(at) +
                   " of a message; the file is cut short, or not Protocol Buffers"};
    fields.push_back(*field);
  }
  return fields;
}

Result<std::vector<std::int64_t>> parse_packed(std::span<const std::byte> bytes, const std::string& source) {
  std::vector<std::int64_t> numbers;
  WireCursor cursor{bytes};
  while (!cursor.rest.empty()) {
    const auto value = cursor.varint();
    if (!value) return Error{"[onnx] " + source + ": expected whole numbers in a packed list"};
    numbers.push_back(static_cast<std::int64_t>(*value));
  }
  return numbers;
}

}  // namespace elastane
