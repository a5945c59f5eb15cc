#include "elastane/io/safetensors.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "elastane/core/math/packed_matrix.h"
#include "elastane/io/json.h"

namespace elastane {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kLengthBytes = 8;
constexpr double kMostItems = 1ULL << 48;
constexpr std::uint64_t kMostHeader = 8'000'000;  // some 50,000 tensors; a document takes 20 times its text

const std::map<std::string, std::size_t, std::less<>> kItemBytes = {
    {"F64", 8}, {"I64", 8}, {"U64", 8}, {"F32", 4}, {"I32", 4},  {"U32", 4},     {"F16", 2},    {"BF16", 2},
    {"I16", 2}, {"U16", 2}, {"I8", 1},  {"U8", 1},  {"BOOL", 1}, {"F8_E4M3", 1}, {"F8_E5M2", 1}};

Error malformed(const std::string& source, const std::string& what) {
  return Error{"[safetensors] " + source + ": " + what};
}

bool is_size(const Json& value) { return value.is_number_unsigned() && value.get<std::uint64_t>() < (1ULL << 48); }

Result<StoredTensor> parse_entry(const std::string& name, const Json& entry, std::span<const std::byte> data,
                                 const std::string& source) {
  const auto bad = [&](const std::string& what) { return malformed(source, "tensor " + name + ": " + what); };
  if (!entry.is_object() || !entry.contains("dtype") || !entry.contains("shape") || !entry.contains("data_offsets")) {
    return bad("expected dtype, shape and data_offsets");
  }
  const Json &dtype = entry["dtype"], &shape = entry["shape"], &offsets = entry["data_offsets"];
  StoredTensor tensor{
      .name = name, .dtype = dtype.is_string() ? dtype.get<std::string>() : "", .shape = {}, .data = {}};
  const auto item = kItemBytes.find(tensor.dtype);
  if (item == kItemBytes.end())
    return bad("unknown dtype " +
               (dtype.is_string() ? "\"" + tensor.dtype.substr(0, 20) + "\"" : "that is not a text"));
  if (!shape.is_array() || !std::all_of(shape.begin(), shape.end(), is_size))
    return bad("shape is not a list of sizes");
  double count = 1, sides = 1;
  for (const Json& n : shape) {
    tensor.shape.push_back(n.get<std::int64_t>());
    count *= n.get<double>();
    sides *= std::max(n.get<double>(), 1.0);
  }
  if (!offsets.is_array() || offsets.size() != 2 || !is_size(offsets[0]) || !is_size(offsets[1])) {
    return bad("data_offsets is not a pair of positions");
  }
  const auto begin = offsets[0].get<std::uint64_t>(), end = offsets[1].get<std::uint64_t>();
  if (begin > end || end > data.size()) {
    return bad("expected its bytes below " + std::to_string(data.size()) + ", found " + offsets.dump() +
               "; the file is cut short or damaged");
  }
  if (static_cast<double>(end - begin) != count * static_cast<double>(item->second)) {
    return bad("expected " + to_string(tensor.shape) + " of " + tensor.dtype + ", found " +
               std::to_string(end - begin) + " bytes");
  }
  if (sides > kMostItems) return bad("shape " + shape.dump() + " is larger than any file");
  tensor.data = data.subspan(begin, end - begin);
  return tensor;
}

template <class T>
T read_at(const StoredTensor& stored, std::size_t i) {
  T value;
  std::memcpy(&value, stored.data.data() + i * sizeof(T), sizeof(T));
  return value;
}

float from_half(std::uint16_t h) {
  const std::uint32_t sign = static_cast<std::uint32_t>(h & 0x8000U) << 16, exponent = (h >> 10) & 31U,
                      fraction = h & 1023U;
  if (exponent == 0)
    return std::bit_cast<float>(sign) + (sign != 0 ? -1.0F : 1.0F) * static_cast<float>(fraction) * 0x1p-24F;
  const std::uint32_t wide = exponent == 31 ? 255 : exponent + 112;
  return std::bit_cast<float>(sign | wide << 23 | fraction << 13);
}

}  // namespace

Result<Safetensors> parse_safetensors(std::span<const std::byte> bytes, const std::string& source) {
  std::uint64_t length = 0;
  if (bytes.size() < kLengthBytes) return malformed(source, "has no room for a header; the file is cut short");
  std::memcpy(&length, bytes.data(), kLengthBytes);
  if (length > kMostHeader) {
    return malformed(source, "expected a header of at most " + std::to_string(kMostHeader) + " bytes, found " +
                                 std::to_string(length) + "; this is not a safetensors file, or it is damaged");
  }
  if (length > bytes.size() - kLengthBytes) {
    return malformed(source, "expected a header of " + std::to_string(length) + " bytes, found " +
                                 std::to_string(bytes.size() - kLengthBytes) +
                                 "; the file is cut short or is not a safetensors file");
  }
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()) + kLengthBytes, length);
  if (!text.starts_with('{'))
    return malformed(source, "the header does not begin with {; this is not a safetensors file");
  const auto header = parse_json(text);
  if (!header) return malformed(source, "the header " + header.error());

  Safetensors file;
  const auto data = bytes.subspan(kLengthBytes + length);
  for (const auto& [name, entry] : header->items()) {
    if (name == "__metadata__") {
      if (!entry.is_object()) return malformed(source, "__metadata__ is not an object");
      for (const auto& [key, value] : entry.items()) {
        if (!value.is_string()) return malformed(source, "metadata " + key + " is not a string");
        file.metadata[key] = value.get<std::string>();
      }
      continue;
    }
    auto tensor = parse_entry(name, entry, data, source);
    if (!tensor) return Error{tensor.error()};
    file.tensors.push_back(*std::move(tensor));
  }

  // the arrays must cover the data: no overlap, no hole, nothing after them
  std::sort(file.tensors.begin(), file.tensors.end(), [](const StoredTensor& a, const StoredTensor& b) {
    return std::pair(a.data.data(), a.data.size()) < std::pair(b.data.data(), b.data.size());
  });
  const std::byte* at = data.data();
  for (const StoredTensor& tensor : file.tensors) {
    if (tensor.data.data() != at)
      return malformed(source, "tensor " + tensor.name + " overlaps another or leaves a hole");
    at += tensor.data.size();
  }
  if (at != data.data() + data.size()) return malformed(source, "has bytes that belong to no tensor");
  return file;
}

Result<Tensor> to_tensor(const StoredTensor& stored, const std::string& source) {
  Tensor tensor{.name = stored.name, .shape = stored.shape, .values = {}};
  tensor.values.resize(static_cast<std::size_t>(element_count(stored.shape)));
  const auto convert = [&](auto value) {
    for (std::size_t i = 0; i < tensor.values.size(); ++i) tensor.values[i] = static_cast<float>(value(i));
  };
  if (stored.dtype == "F32") {
    convert([&](std::size_t i) { return read_at<float>(stored, i); });
  } else if (stored.dtype == "F64") {
    convert([&](std::size_t i) { return read_at<double>(stored, i); });
  } else if (stored.dtype == "BF16") {
    convert([&](std::size_t i) { return from_bfloat16(read_at<std::uint16_t>(stored, i)); });
  } else if (stored.dtype == "F16") {
    convert([&](std::size_t i) { return from_half(read_at<std::uint16_t>(stored, i)); });
  } else {
    return malformed(source, "tensor " + stored.name + ": expected F32, BF16, F16 or F64, found " + stored.dtype);
  }
  return tensor;
}

Result<std::vector<std::byte>> format_safetensors(const std::map<std::string, std::string>& metadata,
                                                  std::span<const StoredTensor> tensors) {
  Json header = Json::object();
  if (!metadata.empty()) header["__metadata__"] = metadata;
  std::size_t size = 0;
  for (const StoredTensor& tensor : tensors) {
    const std::size_t end = size + tensor.data.size();
    header[tensor.name] = {{"dtype", tensor.dtype}, {"shape", tensor.shape}, {"data_offsets", {size, end}}};
    size = end;
  }
  std::string text;
  try {
    text = header.dump();
  } catch (const Json::type_error& error) {
    return Error{std::string("[safetensors] a name or metadata is not UTF-8 text: ") + error.what()};
  }
  text.resize((text.size() + 7) / 8 * 8, ' ');  // so that the data start on an 8-byte boundary

  std::vector<std::byte> bytes(kLengthBytes + text.size());
  const std::uint64_t length = text.size();
  std::memcpy(bytes.data(), &length, kLengthBytes);
  std::memcpy(bytes.data() + kLengthBytes, text.data(), text.size());
  bytes.reserve(bytes.size() + size);
  for (const StoredTensor& tensor : tensors) bytes.insert(bytes.end(), tensor.data.begin(), tensor.data.end());
  return bytes;
}

Result<std::vector<std::byte>> format_safetensors(const std::map<std::string, std::string>& metadata,
                                                  std::span<const Tensor> tensors,
                                                  const std::set<std::string>& halved) {
  std::vector<std::vector<std::uint16_t>> halves;
  std::vector<StoredTensor> stored;
  halves.reserve(tensors.size());  // so that the views below stay valid
  for (const Tensor& tensor : tensors) {
    if (halved.contains(tensor.name)) {
      std::vector<std::uint16_t>& half = halves.emplace_back();
      for (const float value : tensor.values) half.push_back(to_bfloat16(value));
      stored.push_back({tensor.name, "BF16", tensor.shape, std::as_bytes(std::span(half))});
    } else {
      stored.push_back({tensor.name, "F32", tensor.shape, std::as_bytes(std::span(tensor.values))});
    }
  }
  return format_safetensors(metadata, stored);
}

}  // namespace elastane
