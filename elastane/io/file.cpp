#include "elastane/io/file.h"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "elastane/io/descriptor.h"

namespace elastane {
namespace {

constexpr std::size_t kPiece = 1 << 20;

Error failed(const std::string& path, const std::string& what) {
  return Error{"[file] " + path + ": " + what + ": " + std::strerror(errno)};
}

// reads until the end, however long the file is by now
Result<std::vector<std::byte>> read_to_end(const Descriptor& file, const std::string& path, std::size_t expected) {
  std::vector<std::byte> bytes(expected + 1);
  std::size_t size = 0;
  while (true) {
    if (size == bytes.size()) bytes.resize(2 * size + kPiece);
    const ssize_t count = ::read(file.get(), bytes.data() + size, bytes.size() - size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return failed(path, "cannot read");
    if (count == 0) break;
    size += static_cast<std::size_t>(count);
  }
  bytes.resize(size);
  return bytes;
}

// where the bytes go: the file that a link names, with the mode it has
struct Place {
  std::string path;
  mode_t mode = 0644;
};

Result<Place> place_of(const std::string& path) {
  Place place{path};
  struct stat info {};
  if (::lstat(path.c_str(), &info) == 0 && S_ISLNK(info.st_mode)) {
    char target[PATH_MAX];
    // a link to nothing is replaced: its target may not be ours to create
    if (::realpath(path.c_str(), target) != nullptr) {
      place.path = target;
    } else if (errno == ELOOP) {
      return failed(path, "cannot follow the link");
    }
  }
  // renaming would replace a device or a pipe by a file
  if (::stat(place.path.c_str(), &info) == 0) {
    if (!S_ISREG(info.st_mode)) {
      return Error{"[file] " + path + ": expected a file or nothing there, found something else"};
    }
    place.mode = info.st_mode & 07777;
  }
  return place;
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

// under a name that cannot have been prepared, and only if nothing is there
Descriptor create_partial(const Place& place, std::string& partial) {
  for (int attempt = 0; attempt < 16; ++attempt) {
    std::uint64_t random = 0;
    if (::getrandom(&random, sizeof random, 0) != sizeof random) break;
    partial = place.path + ".partial-" + std::to_string(random);
    Descriptor file(::open(partial.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, place.mode & 0777));
    if (file.is_open() || errno != EEXIST) return file;
  }
  return Descriptor();
}

// so that the new name survives a loss of power; a folder that cannot be flushed is not an error of the file
void flush_folder(const std::string& path) {
  const Descriptor folder(::open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.is_open()) ::fsync(folder.get());
}

}  // namespace

Result<FileContent> FileContent::open(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.is_open()) return failed(path, "cannot open");
  struct stat info {};
  if (::fstat(file.get(), &info) != 0) return failed(path, "cannot read its size");
  if (!S_ISREG(info.st_mode)) return Error{"[file] " + path + ": expected a file, found something else"};
  auto bytes = read_to_end(file, path, static_cast<std::size_t>(info.st_size));
  if (!bytes) return Error{bytes.error()};
  return FileContent(*std::move(bytes));
}

Result<FileContent> FileContent::read_all(const std::string& path) {
  const bool is_input = path == "-";
  const Descriptor file(is_input ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
                                 : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  const std::string name = is_input ? "stdin" : path;
  if (!file.is_open()) return failed(name, "cannot open");
  auto bytes = read_to_end(file, name, kPiece);
  if (!bytes) return Error{bytes.error()};
  return FileContent(*std::move(bytes));
}

Status write_file(const std::string& path, std::span<const std::byte> bytes) {
  const auto place = place_of(path);
  if (!place) return Error{place.error()};
  std::string partial;
  Descriptor file = create_partial(*place, partial);
  if (!file.is_open()) return failed(partial.empty() ? path : partial, "cannot create");
  const bool written =
      ::fchmod(file.get(), place->mode) == 0 && file.write_all(bytes) && ::fsync(file.get()) == 0 && file.close();
  if (!written || std::rename(partial.c_str(), place->path.c_str()) != 0) {
    const Error error = failed(path, "cannot write");
    ::unlink(partial.c_str());
    return error;
  }
  flush_folder(place->path);
  return {};
}

Status check_writable(const std::string& path) {
  const auto place = place_of(path);
  if (!place) return Error{place.error()};
  const std::string folder = folder_of(place->path);
  if (::access(folder.c_str(), W_OK | X_OK) != 0) {
    return Error{"[file] " + path + ": expected a folder that can be written to, found " + folder + ": " +
                 std::strerror(errno)};
  }
  return {};
}

}  // namespace elastane
