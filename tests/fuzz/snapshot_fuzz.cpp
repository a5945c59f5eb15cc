// Fuzzes elastane/core/stream/snapshot.cpp: no bytes may crash a restore or change a stream that refuses them, and whatever
// state a snapshot with a right checksum holds, the stream continues.
#include <cstdlib>

#include "elastane/core/base/checksum.h"
#include "tests/fuzz/fixed_stream.h"

namespace elastane {
namespace {

// restores; what is refused must leave everything as it was
bool restored(std::span<const std::byte> bytes, Stream& stream) {
  const std::vector<std::byte> before = snapshot_of(stream);
  const int rewindable = stream.rewindable();
  const Status status = stream.restore(bytes);
  if (status) return true;
  if (status.error().empty() || snapshot_of(stream) != before || stream.rewindable() != rewindable) std::abort();
  return false;
}

void fix_checksum(std::vector<std::byte>& bytes) {
  if (bytes.size() < sizeof(std::uint32_t)) return;
  const std::uint32_t crc = crc32(std::span(bytes).first(bytes.size() - sizeof(crc)));
  std::memcpy(bytes.data() + bytes.size() - sizeof(crc), &crc, sizeof(crc));
}

}  // namespace
}  // namespace elastane

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace elastane;
  static const Stream start = fixed_stream(3);
  Stream stream = start;
  std::vector<std::byte> bytes(size);
  if (size > 0) std::memcpy(bytes.data(), data, size);
  restored(bytes, stream);
  fix_checksum(bytes);
  if (!restored(bytes, stream)) return 0;
  if (snapshot_of(stream).size() != bytes.size()) std::abort();
  for (int t = 0; t < 3; ++t) stream.advance(Input{stream.model().inputs()}(t), 0.5F + static_cast<float>(t));
  stream.rewind(2).value();
  stream.reset();
  return 0;
}
