// Two fingerprints of bytes: CRC-32 detects damaged snapshots, hash64 distinguishes models.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace elastane {

// CRC-32 as in IEEE 802.3 (reflected polynomial 0xEDB88320), the checksum of zip and PNG.
inline std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t seed = 0) {
  static constexpr auto table = [] {
    std::array<std::uint32_t, 256> t{};
    for (std::uint32_t i = 0; i < 256; ++i) {
      std::uint32_t c = i;
      for (int k = 0; k < 8; ++k) c = (c >> 1) ^ ((c & 1U) != 0 ? 0xEDB88320U : 0U);
      t[i] = c;
    }
    return t;
  }();
  std::uint32_t crc = ~seed;
  for (const std::byte b : bytes) crc = (crc >> 8) ^ table[(crc ^ static_cast<std::uint32_t>(b)) & 0xFFU];
  return ~crc;
}

// Mixes eight bytes at a time (the finaliser of splitmix64); not cryptographic.
inline std::uint64_t hash64(std::span<const std::byte> bytes, std::uint64_t seed = 0) {
  const auto mix = [](std::uint64_t v) {
    v = (v ^ (v >> 30)) * 0xBF58476D1CE4E5B9ULL;
    v = (v ^ (v >> 27)) * 0x94D049BB133111EBULL;
    return v ^ (v >> 31);
  };
  std::uint64_t hash = mix(mix(seed + 0x9E3779B97F4A7C15ULL) + bytes.size());
  for (std::size_t i = 0; i < bytes.size(); i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + i, bytes.size() - i < 8 ? bytes.size() - i : 8);
    hash = mix(hash ^ word) + 0x9E3779B97F4A7C15ULL;
  }
  return hash;
}

}  // namespace elastane
