// Files as bytes: mapped for reading, written completely or not at all.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "elastane/core/base/result.h"

namespace elastane {

// the bytes of a file, memory-mapped and read-only
class MappedFile {
 public:
  static Result<MappedFile> open(const std::string& path);

  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();

  std::span<const std::byte> bytes() const { return {data_, size_}; }

 private:
  MappedFile(const std::byte* data, std::size_t size) : data_(data), size_(size) {}

  const std::byte* data_;
  std::size_t size_;
};

// Writes a file next to `path`, flushes it to the disk and renames it, so that readers see the old file or the new one.
Status write_file(const std::string& path, std::span<const std::byte> bytes);

}  // namespace elastane
