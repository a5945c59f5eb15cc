// safetensors files: named arrays behind a JSON header, as Hugging Face specifies them.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "elastane/core/math/binder.h"

namespace elastane {

// one array of a file; `data` points into the file's bytes and need not be aligned
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

// parts of a file; views into `bytes`. `source` is named in messages.
Result<Safetensors> parse_safetensors(std::span<const std::byte> bytes, const std::string& source);

// float values of a stored array; F64, F32, F16 and BF16 are converted, others refused
Result<Tensor> to_tensor(const StoredTensor& stored, const std::string& source);

// the bytes of a file; tensors named in `halved` are stored as BF16, the others as F32; names and metadata must be
// UTF-8
Result<std::vector<std::byte>> format_safetensors(const std::map<std::string, std::string>& metadata,
                                                  std::span<const Tensor> tensors,
                                                  const std::set<std::string>& halved = {});

// the same of arrays as they are, of any dtype
Result<std::vector<std::byte>> format_safetensors(const std::map<std::string, std::string>& metadata,
                                                  std::span<const StoredTensor> tensors);

}  // namespace elastane
