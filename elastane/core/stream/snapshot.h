// The bytes of a snapshot, little-endian:
//
//   header (64)   magic "ELASTSNP", version, header size, fingerprint, position, sizes of the two parts
//   state         the stream's state
//   output        the last output
//   checksum (4)  CRC-32 of all that comes before
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "elastane/core/base/result.h"
#include "elastane/core/network/network.h"

namespace elastane {

inline constexpr std::uint32_t kSnapshotVersion = 2;  // 2: windows lie in panels

struct SnapshotHeader {
  std::array<char, 8> magic = {'E', 'L', 'A', 'S', 'T', 'S', 'N', 'P'};
  std::uint32_t version = kSnapshotVersion;
  std::uint32_t header_bytes = 64;
  std::uint64_t fingerprint = 0;  // of the model
  std::uint64_t position = 0;     // steps taken
  std::uint64_t state_bytes = 0;
  std::uint64_t output_bytes = 0;
  std::array<std::uint64_t, 2> reserved = {};
};
static_assert(sizeof(SnapshotHeader) == 64);

std::size_t snapshot_bytes(std::size_t state_bytes, std::size_t output_bytes);

// `to` must have snapshot_bytes(state, output)
void write_snapshot(std::uint64_t fingerprint, std::span<const std::byte> state, std::span<const float> output,
                    std::span<std::byte> to);

struct SnapshotView {
  SnapshotHeader header;
  std::span<const std::byte> state;
  std::span<const std::byte> output;
};
// parts of an undamaged snapshot, or what is wrong with it
Result<SnapshotView> read_snapshot(std::span<const std::byte> bytes);
// The same, and it must be a sound state of this model; or of a stream that keeps doubles behind the network's state,
// with its own fingerprint, and perhaps a second state of the network from `twin` on.
Result<SnapshotView> read_snapshot(std::span<const std::byte> bytes, const Network& network);
Result<SnapshotView> read_snapshot(std::span<const std::byte> bytes, const Network& network, std::uint64_t fingerprint,
                                   std::size_t state_bytes, std::size_t twin = 0);

}  // namespace elastane
