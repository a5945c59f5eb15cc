// A test of the kernels of every instruction set, one after the other.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

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

// those that this build holds
inline std::vector<Isa> compiled_isas() {
  std::vector<Isa> all;
  for (const CompiledKernels& compiled : compiled_kernels()) all.push_back(compiled.table().isa);
  return all;
}
inline const auto kEveryIsa = testing::ValuesIn(compiled_isas());

inline std::string isa_name(const testing::TestParamInfo<Isa>& test) { return std::string(name(test.param)); }

}  // namespace elastane
