// Arrays of numbers in a safetensors file, stored exactly and read back by name, each with a shape that is checked.
#pragma once

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "elastane/io/json_fields.h"
#include "elastane/io/safetensors.h"

namespace elastane {

template <class T>
constexpr const char* dtype_of() {
  if constexpr (std::is_same_v<T, double>) return "F64";
  if constexpr (std::is_same_v<T, float>) return "F32";
  return "I32";
}

// a view of `values`; without a shape it is a plain list
template <class T>
StoredTensor stored(const char* name, const std::vector<T>& values, Shape shape = {}) {
  if (shape.empty()) shape = {static_cast<std::int64_t>(values.size())};
  return {name, dtype_of<T>(), std::move(shape), std::as_bytes(std::span(values))};
}

// throws Misfit
inline void expect_shape(const std::string& where, const char* name, const Shape& expected, const Shape& found) {
  if (expected == found) return;
  throw Misfit(where + name + ": expected " + to_string(expected) + ", found " + to_string(found) + "; train it again");
}

// the result of `read(file, source)` on a safetensors file, or the message of the Misfit that it threw
template <class Read>
auto parse_stored(std::span<const std::byte> bytes, const std::string& source, Read read)
    -> Result<decltype(read(std::declval<const Safetensors&>(), source))> {
  const auto file = parse_safetensors(bytes, source);
  if (!file) return Error{file.error()};
  try {
    return read(*file, source);
  } catch (const Misfit& misfit) {
    return Error{misfit.what()};
  }
}

// Reads the arrays of a file one by one. Throws Misfit for an array that is missing, of another type, or never read.
class ArrayReader {
 public:
  // `where` starts every message: "[forecast] name.safetensors: "
  ArrayReader(const Safetensors& file, std::string where) : file_(file), where_(std::move(where)) {}

  const std::string& where() const { return where_; }

  // the shape it was stored with
  template <class T>
  Shape take(const char* name, std::vector<T>& to) {
    for (const StoredTensor& t : file_.tensors) {
      if (t.name != name) continue;
      if (t.dtype != dtype_of<T>()) {
        throw Misfit(where_ + name + ": expected " + dtype_of<T>() + ", found " + t.dtype);
      }
      to.resize(t.data.size() / sizeof(T));
      if (!to.empty()) std::memcpy(to.data(), t.data.data(), to.size() * sizeof(T));
      taken_ += 1;
      return t.shape;
    }
    throw Misfit(where_ + "expected a tensor " + name + ", found none");
  }

  void done() const {
    if (taken_ != file_.tensors.size()) {
      throw Misfit(where_ + "expected " + std::to_string(taken_) + " tensors, found " +
                   std::to_string(file_.tensors.size()));
    }
  }

 private:
  const Safetensors& file_;
  std::string where_;
  std::size_t taken_ = 0;
};

}  // namespace elastane
