// elastane/serve/stream_id.cpp
#include "elastane/serve/stream_id.h"

#include <gtest/gtest.h>

namespace elastane::serve {
namespace {

TEST(StreamId, TheHashIsFnv1a) {
  EXPECT_EQ(fnv1a(""), 2166136261U);
  EXPECT_EQ(fnv1a("a"), 0xE40C292CU);
  EXPECT_EQ(fnv1a("foobar"), 0xBF9CF968U);
}

TEST(StreamId, NamesAreShortTextWithoutControlCharacters) {
  for (const char* good : {"a", "pump 7/north", "Grün", "…", "a.b.*", "%"}) EXPECT_TRUE(is_stream_id(good)) << good;
  for (const std::string& bad :
       {std::string(), std::string("a\0b", 3), std::string("a\nb"), std::string("\x7F"), std::string(".."),
        std::string("\xC0\xAF"), std::string("\xED\xA0\x80"), std::string("\xF5\x80\x80\x80"), std::string("\xC2\x85"),
        std::string("\xE2\x80"), std::string(257, 'a')}) {
    EXPECT_FALSE(is_stream_id(bad)) << bad;
  }
}

TEST(StreamId, EncodedTextIsSafeAndComesBack) {
  std::string all;
  for (int c = 0; c < 256; ++c) all += static_cast<char>(c);
  const std::string encoded = percent_encoded(all);
  EXPECT_EQ(encoded.find_first_of(". */>\n"), std::string::npos);
  EXPECT_EQ(percent_decoded(encoded).value(), all);
  for (const char* bad : {"%", "%1", "%g1", "a%1x", "%%41"}) EXPECT_FALSE(percent_decoded(bad)) << bad;
  EXPECT_EQ(hex_text(0xABC), "0000000000000abc");
}

}  // namespace
}  // namespace elastane::serve
