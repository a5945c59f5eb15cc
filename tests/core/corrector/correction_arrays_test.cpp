// Tests of elastane/core/corrector/correction_arrays.h.
#include "elastane/core/corrector/correction_arrays.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace elastane {
namespace {

TEST(CorrectionArrays, DoNotOverlapAndFillTheirBlock) {
  const Arena<CorrectionArrays> a(9, 3, 4);
  std::vector<std::pair<const double*, int>> arrays;
  for (const double* latent : {a.z, a.start, a.base, a.g, a.v, a.trial, a.bend, a.pulled})
    arrays.push_back({latent, 16});
  for (const double* output : {a.y, a.s, a.a, a.w, a.jet, a.lag, a.moved}) arrays.push_back({output, 8});
  for (const DoubleRows& rows : {a.ahead, a.tilt, a.tried}) {
    EXPECT_EQ(rows.count, 3) << "H − 1 steps ahead";
    arrays.push_back({rows.data, 3 * rows.stride});
  }
  std::ranges::sort(arrays);
  const auto* end = reinterpret_cast<const double*>(a.block());
  for (const auto& [array, doubles] : arrays) {
    EXPECT_EQ(array, end);
    end = array + doubles;
  }
  EXPECT_EQ(reinterpret_cast<const std::byte*>(end), a.block() + a.bytes());
}

}  // namespace
}  // namespace elastane
