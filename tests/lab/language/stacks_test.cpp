// lab/language/stacks.cpp: stacks that are equal in what they are said to be equal in.
#include "lab/language/stacks.h"

#include <gtest/gtest.h>

namespace elastane::language {
namespace {

constexpr int kPiece = 256;

TEST(Stacks, HaveEqualParametersOrEqualCompute) {
  const ModelConfig full = text_config("attention", kEqualParameters, kPiece).value();
  for (const std::string& stack : text_stacks()) {
    const ModelConfig same = text_config(stack, kEqualParameters, kPiece).value();
    EXPECT_NEAR(static_cast<double>(parameters_of(same)), static_cast<double>(parameters_of(full)),
                0.02 * static_cast<double>(parameters_of(full)))
        << stack;
    const ModelConfig cost = text_config(stack, kEqualCompute, kPiece).value();
    EXPECT_NEAR(macs_per_byte(cost, kPiece), macs_per_byte(full, kPiece), 0.02 * macs_per_byte(full, kPiece)) << stack;
  }
}

TEST(Stacks, AttentionPaysForThePieceAndAWindowDoesNot) {
  const auto macs = [](const std::string& stack, int piece) {
    return macs_per_byte(text_config(stack, kEqualParameters, piece).value(), piece);
  };
  EXPECT_GT(macs("attention", 512), 1.2 * macs("attention", 128));
  EXPECT_LT(macs("window", 512), 1.1 * macs("window", 128));
}

TEST(Stacks, RefusesWhatItDoesNotKnow) {
  EXPECT_FALSE(text_config("nothing", kEqualCompute, kPiece));
  EXPECT_FALSE(text_config("ssm", "nothing", kPiece));
}

}  // namespace
}  // namespace elastane::language
