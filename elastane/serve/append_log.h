// A file of records that only grows. What was synced survives a kill and a loss of power; a record that was being written
// is cut off when the file is opened again.
//
//   file     magic "ELASTLOG", then records
//   record   length (4), CRC-32 of the payload (4), payload
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "elastane/core/base/result.h"
#include "elastane/io/descriptor.h"

namespace elastane::serve {

inline constexpr std::size_t kLargestRecord = 64 << 20;  // bytes

class AppendLog {
 public:
  // Opens or creates the file, and takes its lock. `most_bytes`: appending beyond fails.
  static Result<AppendLog> open(const std::string& path, std::uint64_t most_bytes = UINT64_MAX);

  // Adds a record, which is not empty, to those that wait for `write`; returns its position.
  std::uint64_t append(std::span<const std::byte> payload);
  // Writes the records that wait. On failure the file ends where it ended before, and they are dropped.
  Status write();
  Status sync() const;  // flushes what was written to the disk
  std::uint64_t size() const { return size_; }
  bool has_room(std::uint64_t bytes) const { return size_ + waiting_.size() + bytes <= most_bytes_; }
  std::uint64_t cut_bytes() const { return cut_; }  // removed when the file was opened: a record that was not whole

  // Calls `each` with every record from `position` on (0: from the first) up to `end`, at most `size()`; stops at its first
  // error. May run beside a thread that appends.
  using Each = std::function<Status(std::uint64_t position, std::span<const std::byte> payload)>;
  Status read(std::uint64_t position, std::uint64_t end, const Each& each) const;
  Result<std::vector<std::byte>> read_one(std::uint64_t position) const;

 private:
  AppendLog(std::string path, Descriptor file, std::uint64_t size, std::uint64_t most_bytes);
  Status cut_torn_tail();

  std::string path_;
  Descriptor file_;
  std::uint64_t size_, most_bytes_, cut_ = 0;
  std::vector<std::byte> waiting_;
};

}  // namespace elastane::serve
