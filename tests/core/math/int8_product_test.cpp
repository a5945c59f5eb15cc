// Tests of elastane/core/math/int8_product.h: the machine's own instructions against plain loops.
#include "elastane/core/math/int8_product.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <vector>

#include "elastane/core/base/buffer.h"
#include "elastane/core/base/random.h"

namespace elastane {
namespace {

Int8Inputs inputs_of(const std::array<int, 4>& q) {
  Int8Inputs out{};
  for (unsigned i = 0; i < 4; ++i) {
    const auto bits = static_cast<std::uint32_t>(q[i]);
    out.low |= (bits & 127U) << (8 * i);
    out.high |= (bits >> 7 & 255U) << (8 * i);
    (i % 2 == 0 ? out.even : out.odd) |= (bits & 0xFFFFU) << (8 * (i & 2U));
  }
  return out;
}

TEST(Int8Product, OfThisMachineIsExactAlsoAtTheLimits) {
  const Int8Product product = find_machine_int8_product();
  if (product == nullptr) GTEST_SKIP() << "this machine has no such instructions";
  Random random(3);
  for (const int width : {16, 32, 48, 64}) {
    for (const int groups : {1, 2, 7, kInt8Columns / 4}) {
      for (const bool limits : {false, true}) {
        for (const int count : {1, kInt8Rows}) {
          const auto draw = [&](int most) {
            const int any = static_cast<int>(random.uniform(-most, most + 1));
            return limits ? (any < 0 ? -most : most) : any;
          };
          Buffer codes(static_cast<std::size_t>(width) * groups * 4);
          for (std::size_t i = 0; i < codes.size(); ++i) codes.data()[i] = static_cast<std::byte>(128 + draw(127));
          std::vector<std::array<int, 4>> q(static_cast<std::size_t>(groups * count));
          std::vector<Int8Inputs> inputs;
          for (auto& four : q) {
            for (int& value : four) value = draw(kMostInput);
            inputs.push_back(inputs_of(four));
          }
          Int8Panel panel{codes.data(), width, groups, count, {}, {}};
          for (int r = 0; r < count; ++r) {
            panel.inputs[r] = inputs.data() + r * groups;
            for (int g = 0; g < groups; ++g) {
              for (const int value : q[static_cast<std::size_t>(r * groups + g)]) panel.input_sums[r] += value;
            }
          }
          std::vector<std::int32_t> sums(static_cast<std::size_t>(count * width));
          product(panel, sums.data());
          for (int r = 0; r < count; ++r) {
            for (int row = 0; row < width; ++row) {
              std::int64_t expected = 0;
              for (int g = 0; g < groups; ++g) {
                for (int c = 0; c < 4; ++c) {
                  const int code = static_cast<int>(codes.data()[(g * width + row) * 4 + c]) - 128;
                  expected +=
                      std::int64_t{code} * q[static_cast<std::size_t>(r * groups + g)][static_cast<std::size_t>(c)];
                }
              }
              ASSERT_EQ(sums[static_cast<std::size_t>(r * width + row)], expected) << width << " × " << groups;
            }
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace elastane
