// elastane/serve/nats/chained_writer.cpp, against a broker: elastane fleet check; here, its rules by their words
#include "elastane/serve/nats/chained_writer.h"

#include <gtest/gtest.h>

namespace elastane::serve {
namespace {

TEST(BrokenRules, AreReadByTheirWords) {
  EXPECT_FALSE(parse_broken_rules("").value().chain);
  const BrokenRules rules = parse_broken_rules("hole,go_back").value();
  EXPECT_TRUE(rules.hole && rules.go_back);
  EXPECT_FALSE(rules.chain || rules.fence || rules.ahead || rules.repeat || rules.stored);
  EXPECT_FALSE(parse_broken_rules("hole,other"));
  for (const std::string& name : rule_names()) EXPECT_TRUE(parse_broken_rules(name)) << name;
}

TEST(AcknowledgedSequence, IsReadInAnyFormAndRefusalsSayWhy) {
  EXPECT_EQ(acknowledged_sequence(R"({"stream":"A_0","seq":12})").value(), 12U);
  EXPECT_EQ(acknowledged_sequence(R"({"stream":"A_0","seq":18446744073709551615})").value(), UINT64_MAX);
  EXPECT_EQ(acknowledged_sequence(R"({"stream":"A_0", "seq": 12})").value(), 12U);
  EXPECT_EQ(acknowledged_sequence(R"({"stream":"A_0","domain":"hub","seq":7,"duplicate":true})").value(), 7U);
  EXPECT_EQ(acknowledged_sequence(R"({"seq":3,"stream":"\"A"})").value(), 3U);
  const auto refused =
      acknowledged_sequence(R"({"error":{"code":400,"description":"wrong last msg ID: a:1"},"seq":5})");
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().find("wrong last msg ID"), std::string::npos);
  for (const char* bad : {"", "{}", "12", R"({"stream":"A","seq":})", R"({"stream":"A","seq":-1})",
                          R"({"stream":"A","seq":18446744073709551616})", R"({"stream":"A","seq":12)",
                          R"({"stream":"A","seq":12}})", R"({"stream":"A","seq":"12"})"}) {
    EXPECT_FALSE(acknowledged_sequence(bad)) << bad;
  }
}

}  // namespace
}  // namespace elastane::serve
