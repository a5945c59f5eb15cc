// elastane/train/one_line.h: errors of LibTorch and of others, each in one line.
#include "elastane/train/one_line.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace elastane::train {
namespace {

TEST(OneLine, KeepsTheFirstLine) { EXPECT_EQ(one_line(std::runtime_error("[a] first\nsecond")), "[a] first"); }

TEST(OneLine, LeavesOutTheStackOfLibTorch) {
  try {
    at::matmul(at::zeros({2, 3}), at::zeros({2, 3}));
    FAIL() << "expected an error";
  } catch (const std::exception& error) {
    const std::string text = one_line(error);
    EXPECT_EQ(text.find('\n'), std::string::npos);
    EXPECT_FALSE(text.empty());
  }
}

TEST(OneLine, SaysWhatToDoAboutMemory) {
  const std::string text = one_line(std::runtime_error("DefaultCPUAllocator: can't allocate memory\nstack"));
  EXPECT_NE(text.find("make --batch, --length or the model smaller"), std::string::npos);
}

}  // namespace
}  // namespace elastane::train
