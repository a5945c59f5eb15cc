// A test of the kernels of every instruction set, one after the other.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "elastane/core/math/kernels.h"

namespace elastane {

class EveryIsa : public testing::TestWithParam<Isa> {
 protected:
  void SetUp() override {
    const auto found = kernels(GetParam());
    if (!found) GTEST_SKIP() << found.error();
    k = *found;
  }

  const Kernels* k = nullptr;
};

inline const auto kEveryIsa = testing::ValuesIn(kEachIsa);

inline std::string isa_name(const testing::TestParamInfo<Isa>& test) { return std::string(name(test.param)); }

}  // namespace elastane
