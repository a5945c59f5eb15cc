// elastane/serve/http/target.cpp
#include "elastane/serve/http/target.h"

#include <gtest/gtest.h>

namespace elastane::serve {
namespace {

TEST(Target, PiecesAreDecodedAfterTheyAreSplit) {
  const auto target = parse_target("/v1/streams/a%2Fb%20c/rows?limit=5&after=x%26y&map").value();
  EXPECT_EQ(target.path, (std::vector<std::string>{"v1", "streams", "a/b c", "rows"}));
  EXPECT_EQ(target.query.at("limit"), "5");
  EXPECT_EQ(target.query.at("after"), "x&y");
  EXPECT_EQ(target.query.at("map"), "");
}

TEST(Target, PathsThatNameNothingAreRefused) {
  for (const char* bad : {"", "v1", "*", "http://host/v1", "/v1/../etc", "/v1/%2e%2e/x", "/v1/./x", "/v1//x", "/a%00b",
                          "/a\nb", "/a b", "/%zz", "/a?b=1&b=2", "/a?%4", "/%c0%af"}) {
    EXPECT_FALSE(parse_target(bad)) << bad;
  }
  EXPECT_FALSE(parse_target("/" + std::string(5000, 'a')));
  EXPECT_FALSE(parse_target("/v1/streams/" + std::string(257, 'a')));
}

TEST(Target, WholeNumbersHaveNoSignAndNoRest) {
  EXPECT_EQ(parse_whole("18446744073709551615"), UINT64_MAX);
  for (const char* bad : {"", "-1", "+1", " 1", "1 ", "1.0", "18446744073709551616", "0x1"})
    EXPECT_FALSE(parse_whole(bad)) << bad;
}

}  // namespace
}  // namespace elastane::serve
