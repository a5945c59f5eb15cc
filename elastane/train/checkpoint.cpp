#include "elastane/train/checkpoint.h"

#include <algorithm>
#include <cstring>

#include "elastane/io/file.h"
#include "elastane/io/safetensors.h"

namespace elastane::train {
namespace {

struct Type {
  at::ScalarType type;
  const char* name;
};
constexpr Type kTypes[] = {{at::kFloat, "F32"}, {at::kDouble, "F64"}, {at::kLong, "I64"}};

}  // namespace

const at::Tensor* Checkpoint::find(std::string_view name) const {
  const auto found = std::ranges::find(tensors, name, &NamedTensor::name);
  return found == tensors.end() ? nullptr : &found->value;
}

Status save_checkpoint(const std::string& path, const Checkpoint& checkpoint) {
  std::vector<at::Tensor> kept;
  std::vector<StoredTensor> stored;
  for (const auto& [name, value] : checkpoint.tensors) {
    const at::Tensor& plain = kept.emplace_back(value.detach().contiguous());
    const auto type = std::ranges::find(kTypes, plain.scalar_type(), &Type::type);
    if (type == std::end(kTypes)) return Error{"[checkpoint] " + name + ": expected float, double or int64"};
    stored.push_back({name,
                      type->name,
                      plain.sizes().vec(),
                      {static_cast<const std::byte*>(plain.data_ptr()), static_cast<std::size_t>(plain.nbytes())}});
  }
  const auto bytes = format_safetensors(checkpoint.metadata, stored);
  if (!bytes) return Error{bytes.error()};
  return write_file(path, *bytes);
}

Result<Checkpoint> load_checkpoint(const std::string& path) {
  const auto file = FileContent::open(path);
  if (!file) return Error{file.error()};
  const auto parsed = parse_safetensors(file->bytes(), path);
  if (!parsed) return Error{parsed.error()};
  Checkpoint checkpoint{.metadata = parsed->metadata, .tensors = {}};
  for (const StoredTensor& stored : parsed->tensors) {
    const auto type = std::ranges::find(kTypes, stored.dtype, [](const Type& t) { return std::string(t.name); });
    if (type == std::end(kTypes)) {
      return Error{"[checkpoint] " + path + ": " + stored.name + ": expected F32, F64 or I64, found " + stored.dtype};
    }
    const at::Tensor value = at::empty(stored.shape, type->type);
    if (value.nbytes() > 0) std::memcpy(value.data_ptr(), stored.data.data(), value.nbytes());
    checkpoint.tensors.push_back({stored.name, value});
  }
  return checkpoint;
}

}  // namespace elastane::train
