#include "elastane/serve/nats/manifest.h"

#include <cstring>

#include "elastane/core/base/checksum.h"
#include "elastane/io/byte_fields.h"

namespace elastane::serve {

template <class E, class Each>
requires std::is_same_v<std::remove_const_t<E>, Manifest::Entry>
void fields(E& e, Each& each) {
  each(e.id);
  each(e.number);
  each(e.slot);
  each(e.pieces);
}

template <class M, class Each>
requires std::is_same_v<std::remove_const_t<M>, Manifest>
void fields(M& m, Each& each) {
  each(m.rows_floor);
  each(m.forecasts_floor);
  each(m.rows_last);
  each(m.forecasts_last);
  each(m.rows_deleted);
  each(m.forecasts_deleted);
  each(m.entries);
}

std::vector<std::byte> to_bytes(const Manifest& manifest) {
  std::vector<std::byte> bytes;
  ByteWriter writer(bytes);
  fields(manifest, writer);
  writer(std::uint64_t{crc32(bytes)});
  return bytes;
}

Result<Manifest> parse_manifest(std::span<const std::byte> bytes) {
  constexpr std::size_t kChecksum = sizeof(std::uint64_t);
  std::uint64_t checksum = 0;
  if (bytes.size() >= kChecksum) std::memcpy(&checksum, bytes.data() + bytes.size() - kChecksum, kChecksum);
  if (bytes.size() < kChecksum || checksum != crc32(bytes.first(bytes.size() - kChecksum))) {
    return Error{"[manifest] the checksum does not match"};
  }
  Manifest manifest;
  ByteReader reader(bytes.first(bytes.size() - kChecksum));
  fields(manifest, reader);
  if (!reader.is_whole()) return Error{"[manifest] expected a manifest, found other bytes"};
  return manifest;
}

}  // namespace elastane::serve
