#include "elastane/io/placer.h"

#include <algorithm>

namespace elastane {
namespace {

constexpr std::int64_t kLargestSide = 1 << 18;  // four gates of the largest hidden layer

constexpr int kWidest = 1 << 14;  // as validate has it

}  // namespace

Tensor transposed(const Tensor& matrix) {
  const std::int64_t rows = matrix.shape[0], columns = matrix.shape[1];
  Tensor out = zeros({columns, rows});
  for (std::int64_t r = 0; r < rows; ++r) {
    for (std::int64_t c = 0; c < columns; ++c) {
      out.values[static_cast<std::size_t>(c * rows + r)] = matrix.values[static_cast<std::size_t>(r * columns + c)];
    }
  }
  return out;
}

Tensor widened(const Tensor& tensor, int rows, int columns) {
  Tensor out = zeros(tensor.shape.size() == 1 ? Shape{rows} : Shape{rows, columns});
  const std::size_t from = tensor.shape.size() == 1 ? 1 : static_cast<std::size_t>(tensor.shape[1]);
  for (std::size_t i = 0; i < tensor.values.size(); ++i) {
    out.values[i / from * static_cast<std::size_t>(columns) + i % from] = tensor.values[i];
  }
  return out;
}

Tensor identity(int rows, int columns) {
  Tensor out = zeros({rows, columns});
  for (int i = 0; i < std::min(rows, columns); ++i) out.values[static_cast<std::size_t>(i) * (columns + 1)] = 1;
  return out;
}

Tensor zeros(Shape shape) {
  const auto count = static_cast<std::size_t>(element_count(shape));
  return {.name = "", .shape = std::move(shape), .values = std::vector<float>(count)};
}

Placer::Placer(const Safetensors& file, std::string source) : source_(std::move(source)) {
  for (const StoredTensor& tensor : file.tensors) stored_[tensor.name] = tensor;
}

const StoredTensor* Placer::find(const std::string& name) const {
  const auto at = stored_.find(name);
  return at == stored_.end() ? nullptr : &at->second;
}

std::vector<std::string> Placer::ending_in(std::string_view part) const {
  std::vector<std::string> names;
  for (const auto& [name, tensor] : stored_) {
    if (name == part || name.ends_with("." + std::string(part))) names.push_back(name);
  }
  return names;
}

bool Placer::is_width(const std::string& name, int width) {
  if (width <= kWidest) return true;
  fault(name, "expected a width of at most " + std::to_string(kWidest) + ", found " + std::to_string(width));
  return false;
}

int Placer::side(const std::string& name, std::size_t i, std::size_t sides) {
  const StoredTensor* tensor = find(name);
  if (tensor == nullptr) {
    fault(name, "expected it, found none");
  } else if (tensor->shape.size() != sides) {
    fault(name, "expected " + std::to_string(sides) + " dimensions, found " + to_string(tensor->shape));
  } else if (tensor->shape[i] < 1 || tensor->shape[i] > kLargestSide) {
    fault(name, "expected sizes from 1 to " + std::to_string(kLargestSide) + ", found " + to_string(tensor->shape));
  } else {
    return static_cast<int>(tensor->shape[i]);
  }
  return 0;
}

void Placer::place(const std::string& from, const std::string& to, const Shape& shape, const std::string& how,
                   const Reshape& reshape) {
  const StoredTensor* stored = find(from);
  if (stored == nullptr) return fault(from, "expected " + to_string(shape) + ", found none");
  used_.insert(from);
  if (stored->shape != shape) {
    return fault(from, "expected " + to_string(shape) + ", found " + to_string(stored->shape));
  }
  auto tensor = to_tensor(*stored, source_);
  if (!tensor) return fault(from, "expected F32, BF16, F16 or F64, found " + stored->dtype);
  put(to, from, reshape ? reshape(*tensor) : *std::move(tensor), how);
}

void Placer::place_or_zeros(const std::string& from, const std::string& to, const Shape& shape, const std::string& how,
                            const Reshape& reshape) {
  if (has(from)) return place(from, to, shape, how, reshape);
  make(to, reshape ? reshape(zeros(shape)) : zeros(shape), "zeros");
}

void Placer::leave_out_unless_zero(const std::string& name, const std::string& why) {
  const StoredTensor* stored = find(name);
  if (stored == nullptr) return;
  const auto tensor = to_tensor(*stored, source_);
  const bool is_zero =
      tensor && std::all_of(tensor->values.begin(), tensor->values.end(), [](float value) { return value == 0; });
  if (is_zero) used_.insert(name);
  leave_out(name, why);
}

void Placer::make(const std::string& to, Tensor tensor, const std::string& how) { put(to, "", std::move(tensor), how); }

void Placer::put(const std::string& to, const std::string& from, Tensor tensor, const std::string& how) {
  import_.placed.push_back({.to = to, .from = from, .shape = tensor.shape, .how = how});
  tensor.name = to;
  import_.tensors.push_back(std::move(tensor));
}

void Placer::fault(const std::string& name, const std::string& what) {
  faults_ += "[import] " + source_ + ": " + name + ": " + what + "\n";
}

Result<Import> Placer::finish(ModelConfig config) {
  if (!faults_.empty()) {
    faults_.pop_back();  // the last line break
    return Error{faults_};
  }
  if (const Status valid = validate(config); !valid) return Error{valid.error() + " (from " + source_ + ")"};
  if (const Status fits = check_tensors(tensor_specs(config), import_.tensors, source_); !fits) {
    return Error{fits.error()};
  }
  for (const auto& [name, tensor] : stored_) {
    if (used_.contains(name)) continue;
    const auto why = reasons_.find(name);
    import_.unplaced.push_back(
        {.name = name,
         .shape = tensor.shape,
         .why = why != reasons_.end() ? why->second : "no part of a model has this name (docs/howto/import.md)"});
  }
  import_.config = std::move(config);
  return std::move(import_);
}

}  // namespace elastane
