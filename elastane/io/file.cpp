#include "elastane/io/file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "elastane/io/descriptor.h"

namespace elastane {
namespace {

Error failed(const std::string& path, const std::string& what) {
  return Error{"[file] " + path + ": " + what + ": " + std::strerror(errno)};
}

}  // namespace

Result<MappedFile> MappedFile::open(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return failed(path, "cannot open");
  struct stat info {};
  if (::fstat(file.get(), &info) != 0) return failed(path, "cannot read its size");
  if (!S_ISREG(info.st_mode)) return Error{"[file] " + path + ": expected a file, found something else"};
  const auto size = static_cast<std::size_t>(info.st_size);
  if (size == 0) return MappedFile(nullptr, 0);
  void* data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (data == MAP_FAILED) return failed(path, "cannot map");
  return MappedFile(static_cast<const std::byte*>(data), size);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(const_cast<std::byte*>(data_), size_);
}

Status write_file(const std::string& path, std::span<const std::byte> bytes) {
  // renaming would replace a device or a pipe by a file
  struct stat info {};
  if (::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode)) {
    return Error{"[file] " + path + ": expected a file or nothing there, found something else"};
  }
  static std::atomic<unsigned> count = 0;  // two threads must not write the same temporary file
  const std::string partial = path + ".partial-" + std::to_string(::getpid()) + "-" + std::to_string(count++);
  Descriptor file(::open(partial.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (file.get() < 0) return failed(partial, "cannot create");
  const bool written = file.write_all(bytes) && ::fsync(file.get()) == 0 && file.close();
  if (!written || std::rename(partial.c_str(), path.c_str()) != 0) {
    const Error error = failed(path, "cannot write");
    ::unlink(partial.c_str());
    return error;
  }
  return {};
}

}  // namespace elastane
