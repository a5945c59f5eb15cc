// elastane/serve/nats/manifest.cpp
#include "elastane/serve/nats/manifest.h"

#include <gtest/gtest.h>

namespace elastane::serve {
namespace {

TEST(Manifest, ComesBackAndEveryDamageIsNoticed) {
  Manifest manifest{.rows_floor = 7, .forecasts_last = 9, .rows_deleted = 1};
  manifest.entries.push_back({.id = "a", .number = 3, .slot = 1, .pieces = 2});
  const auto bytes = to_bytes(manifest);
  const auto back = parse_manifest(bytes).value();
  EXPECT_EQ(back.entries.at(0).id, "a");
  EXPECT_EQ(to_bytes(back), bytes);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    auto damaged = bytes;
    damaged[i] ^= std::byte{4};
    EXPECT_FALSE(parse_manifest(damaged)) << i;
    EXPECT_FALSE(parse_manifest(std::span(bytes).first(i)));
  }
}

}  // namespace
}  // namespace elastane::serve
