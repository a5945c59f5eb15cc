#include "elastane/io/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <string>

namespace elastane {
namespace {

constexpr int kGzipOnly = 15 + 16;  // the largest window, with the header of gzip

}  // namespace

struct GzipReader::Stream {
  z_stream z = {};
  bool is_open = false, has_ended = true;

  ~Stream() {
    if (is_open) ::inflateEnd(&z);
  }
};

GzipReader::GzipReader() : stream_(std::make_unique<Stream>()) {
  stream_->is_open = ::inflateInit2(&stream_->z, kGzipOnly) == Z_OK;
}
GzipReader::~GzipReader() = default;
GzipReader::GzipReader(GzipReader&&) noexcept = default;
GzipReader& GzipReader::operator=(GzipReader&&) noexcept = default;

bool GzipReader::is_complete() const { return stream_->has_ended; }

Status GzipReader::unpack(std::span<const std::byte> bytes, std::string& to) {
  if (!stream_->is_open) return Error{"cannot unpack: no memory"};
  z_stream& z = stream_->z;
  z.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(bytes.data()));
  z.avail_in = static_cast<uInt>(bytes.size());
  std::array<char, 1 << 16> piece{};
  while (z.avail_in > 0 || z.avail_out == 0) {
    // a file may hold several members, one after the other
    if (stream_->has_ended && z.avail_in > 0) ::inflateReset(&z);
    stream_->has_ended = false;
    z.next_out = reinterpret_cast<Bytef*>(piece.data());
    z.avail_out = piece.size();
    const int code = ::inflate(&z, Z_NO_FLUSH);
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR) {
      return Error{"expected gzip, found damaged bytes; pack it again"};
    }
    to.append(piece.data(), piece.size() - z.avail_out);
    stream_->has_ended = code == Z_STREAM_END;
    if (code == Z_BUF_ERROR || (stream_->has_ended && z.avail_in == 0)) break;
  }
  return {};
}

bool is_gzip(std::span<const std::byte> bytes) {
  return bytes.size() >= 2 && bytes[0] == std::byte{0x1F} && bytes[1] == std::byte{0x8B};
}

Result<std::string> unpack_gzip(std::span<const std::byte> bytes, const std::string& source) {
  constexpr std::size_t kMost = std::size_t{1} << 30;  // bytes handed over at once
  GzipReader reader;
  std::string text;
  while (!bytes.empty()) {
    const auto part = bytes.first(std::min(bytes.size(), kMost));
    if (const Status read = reader.unpack(part, text); !read) return Error{"[table] " + source + ": " + read.error()};
    bytes = bytes.subspan(part.size());
  }
  if (!reader.is_complete()) return Error{"[table] " + source + ": expected the end of gzip, found the file cut short"};
  return text;
}

}  // namespace elastane
