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

}  // namespace
}  // namespace elastane::serve
