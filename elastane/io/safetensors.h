// Reads and writes safetensors files: named arrays after a JSON header, as Hugging Face specifies them.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "elastane/core/base/tensor.h"

namespace elastane {

// one array of a file; `data` points into the bytes of the file and need not be aligned
struct StoredTensor {
  std::string name;
  std::string dtype;  // F64, F32, F16, BF16, I64, …, as the header says
  Shape shape;
  std::span<const std::byte> data;
};

struct Safetensors {
  std::map<std::string, std::string> metadata;
  std::vector<StoredTensor> tensors;  // in the order of their bytes
};

// The content of a file, as views into `bytes`. Messages name `source`.
Result<Safetensors> parse_safetensors(std::span<const std::byte> bytes, const std::string& source);

// converts an array of F64, F32, F16 or BF16 to float values; refuses others
Result<Tensor> to_tensor(const StoredTensor& stored, const std::string& source);

// The bytes of a file. Tensors named in `halved` are stored as BF16, the others as F32. Names and metadata must be UTF-8.
Result<std::vector<std::byte>> format_safetensors(const std::map<std::string, std::string>& metadata,
                                                  std::span<const Tensor> tensors,
                                                  const std::set<std::string>& halved = {});

// the same for arrays of any dtype
Result<std::vector<std::byte>> format_safetensors(const std::map<std::string, std::string>& metadata,
                                                  std::span<const StoredTensor> tensors);

}  // namespace elastane
