#include "elastane/core/stream/snapshot.h"

#include <cstring>
#include <string>

#include "elastane/core/base/checksum.h"
#include "elastane/core/network/state.h"

namespace elastane {
namespace {
constexpr std::size_t kHeader = sizeof(SnapshotHeader), kChecksum = sizeof(std::uint32_t);
}  // namespace

std::size_t snapshot_bytes(std::size_t state_bytes, std::size_t output_bytes) {
  return kHeader + state_bytes + output_bytes + kChecksum;
}

void write_snapshot(std::uint64_t fingerprint, std::span<const std::byte> state, std::span<const float> output,
                    std::span<std::byte> to) {
  SnapshotHeader header;
  header.fingerprint = fingerprint;
  std::memcpy(&header.position, state.data(), sizeof(header.position));  // the state begins with it
  header.state_bytes = state.size();
  header.output_bytes = output.size_bytes();
  std::byte* at = to.data();
  const auto put = [&](const void* from, std::size_t bytes) {
    std::memcpy(at, from, bytes);
    at += bytes;
  };
  put(&header, kHeader);
  put(state.data(), state.size());
  put(output.data(), output.size_bytes());
  const std::uint32_t crc = crc32({to.data(), at});
  put(&crc, kChecksum);
}

Result<SnapshotView> read_snapshot(std::span<const std::byte> bytes) {
  SnapshotView view;
  if (bytes.size() < kHeader + kChecksum) {
    return Error{"[snapshot] expected at least " + std::to_string(kHeader + kChecksum) + " bytes, found " +
                 std::to_string(bytes.size()) + "; the file is cut short, or is not a snapshot"};
  }
  std::memcpy(&view.header, bytes.data(), kHeader);
  if (view.header.magic != SnapshotHeader().magic) {
    return Error{"[snapshot] does not begin with ELASTSNP; this is not a snapshot"};
  }
  if (view.header.version != kSnapshotVersion || view.header.header_bytes != kHeader) {
    return Error{"[snapshot] expected version " + std::to_string(kSnapshotVersion) + ", found " +
                 std::to_string(view.header.version) + "; take a new one with this version"};
  }
  const std::size_t room = bytes.size() - kHeader - kChecksum;
  if (view.header.state_bytes > room || view.header.output_bytes != room - view.header.state_bytes) {
    return Error{"[snapshot] expected " + std::to_string(view.header.state_bytes) + " + " +
                 std::to_string(view.header.output_bytes) + " bytes of content, found " + std::to_string(room) +
                 "; the file is cut short"};
  }
  std::uint32_t stored = 0;
  std::memcpy(&stored, bytes.data() + bytes.size() - kChecksum, kChecksum);
  if (stored != crc32(bytes.first(bytes.size() - kChecksum))) {
    return Error{"[snapshot] the checksum does not match; the file is damaged"};
  }
  view.state = bytes.subspan(kHeader, view.header.state_bytes);
  view.output = bytes.subspan(kHeader + view.header.state_bytes, view.header.output_bytes);
  return view;
}

Result<SnapshotView> read_snapshot(std::span<const std::byte> bytes, const Network& network) {
  return read_snapshot(bytes, network, network.fingerprint, network.layout.size);
}

Result<SnapshotView> read_snapshot(std::span<const std::byte> bytes, const Network& network, std::uint64_t fingerprint,
                                   std::size_t state_bytes, std::size_t twin) {
  auto view = read_snapshot(bytes);
  if (!view) return view;
  if (view->header.fingerprint != fingerprint) {
    return Error{
        "[snapshot] was taken with another model (its weights or configuration differ) or with other options of the "
        "corrector; load that model, and create the stream with those options"};
  }
  const std::size_t output_bytes = sizeof(float) * static_cast<std::size_t>(network.config.outputs);
  if (view->state.size() != state_bytes || view->output.size() != output_bytes) {
    return Error{"[snapshot] expected a state of " + std::to_string(state_bytes) + " bytes, found " +
                 std::to_string(view->state.size())};
  }
  const bool sound = is_sound(network, view->state.first(twin > 0 ? twin : state_bytes)) &&
                     (twin == 0 || is_sound(network, view->state.subspan(twin, network.layout.size)));
  if (!sound) return Error{"[snapshot] holds a value that is not finite; it is damaged"};
  return view;
}

}  // namespace elastane
