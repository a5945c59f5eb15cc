// lab/recall/streams_by_key.cpp: interleaved devices and regimes that return.
#include "lab/recall/streams_by_key.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace elastane::recall {
namespace {

template <class Result>
const Result& named(const std::vector<Result>& all, const std::string& name) {
  return *std::ranges::find_if(all, [&](const Result& r) { return r.model == name; });
}

TEST(StreamsByKey, HashedKeysComeNearTheExactTable) {
  const std::vector<DeviceResult> all = follow_devices({.devices = 100, .rows = 8000}, 3);
  EXPECT_NEAR(named(all, "none").error, 1, 0.4);
  EXPECT_LT(named(all, "exact table").error, 0.02);
  EXPECT_LT(named(all, "hashed, 4 of 4096").error, 0.03);
  EXPECT_LE(named(all, "hashed, 4 of 4096").touched, 16);
  // a dense memory of d keys leaves at least 1 − d/N
  EXPECT_GT(named(all, "delta, 64 dense").error, 0.2);
}

TEST(StreamsByKey, AContextBringsARegimeBack) {
  const std::vector<RegimeResult> all = return_to_regimes({.regimes = 4, .visits = 40}, 5);
  double best = 1e9;
  for (const RegimeResult& r : all)
    best = r.model.starts_with("least squares, forgetting") ? std::min(best, r.first) : best;
  EXPECT_GT(best, 20 * named(all, "least squares by context").first);
  EXPECT_LT(named(all, "least squares by context, on surprise").write_share, 0.9);
}

}  // namespace
}  // namespace elastane::recall
