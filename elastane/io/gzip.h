// Unpacks gzip: files and streams that begin with its two magic bytes.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "elastane/core/base/result.h"

namespace elastane {

bool is_gzip(std::span<const std::byte> bytes);  // by its first bytes

// bytes in pieces as they arrive
class GzipReader {
 public:
  GzipReader();
  ~GzipReader();
  GzipReader(GzipReader&&) noexcept;
  GzipReader& operator=(GzipReader&&) noexcept;

  // appends what these bytes hold; fails if they are damaged
  Status unpack(std::span<const std::byte> bytes, std::string& to);
  bool is_complete() const;  // the last member has ended

 private:
  struct Stream;
  std::unique_ptr<Stream> stream_;
};

// all of it; messages name `source`
Result<std::string> unpack_gzip(std::span<const std::byte> bytes, const std::string& source);

}  // namespace elastane
