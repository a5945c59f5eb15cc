// lab/language/text.cpp: the text is there, its parts are different documents, and every symbol is in the alphabet.
#include "lab/language/text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace elastane::language {
namespace {

TEST(Text, HasThreePartsInTheAlphabet) {
  const Text text = read_text().value();
  EXPECT_GT(text.learn.size(), 100'000U);
  EXPECT_GT(text.held_out.size(), 10'000U);
  EXPECT_GT(text.test.size(), 10'000U);
  for (const auto* part : {&text.learn, &text.held_out, &text.test}) {
    EXPECT_TRUE(std::ranges::all_of(*part, [](std::uint8_t s) { return s < kSymbols; }));
  }
}

TEST(Text, IsTheSameEveryTime) {
  const Text a = read_text().value(), b = read_text().value();
  EXPECT_EQ(a.learn, b.learn);
  EXPECT_EQ(a.test, b.test);
}

TEST(Text, NamesTheFileAndThePackageThatAreMissing) {
  const auto found = read_text("/nowhere");
  ASSERT_FALSE(found);
  EXPECT_NE(found.error().find("/nowhere/GPL-1"), std::string::npos);
  EXPECT_NE(found.error().find("base-files"), std::string::npos);
}

}  // namespace
}  // namespace elastane::language
