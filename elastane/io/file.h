// Files as bytes: read as a whole, written completely or not at all.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "elastane/core/base/result.h"

namespace elastane {

// The bytes of a file, read into memory. A map would save the copy, but a file that is cut while it is mapped ends the
// program with SIGBUS.
class FileContent {
 public:
  // refuses what is not a regular file, without waiting for the writer of a pipe
  static Result<FileContent> open(const std::string& path);
  // "-" or anything that can be read to its end: standard input, a pipe, a file
  static Result<FileContent> read_all(const std::string& path);

  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  explicit FileContent(std::vector<std::byte> bytes) : bytes_(std::move(bytes)) {}

  std::vector<std::byte> bytes_;
};

// Writes a file next to `path`, flushes it to the disk and renames it, so that readers see the old file or the new one,
// also after a loss of power. The file keeps its mode; a link keeps being a link, and what it names is written.
Status write_file(const std::string& path, std::span<const std::byte> bytes);

// Fails if `write_file` could not write there: asked before long work whose result will be written.
Status check_writable(const std::string& path);

}  // namespace elastane
