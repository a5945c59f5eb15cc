// lab/benchmark/claims_json.h
#include "lab/benchmark/claims_json.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace elastane::benchmark {
namespace {

TEST(ClaimsJson, AClaimKeepsItsWordsAndItsAim) {
  const std::vector<Claim> claims =
      parse_claims(R"([{"text": "… fewer clashes", "agent": "a", "rival": "b", "measure": "violations", "aim": 0.5}])");
  ASSERT_EQ(claims.size(), 1U);
  EXPECT_EQ(claims[0].text, "… fewer clashes");
  EXPECT_EQ(claims[0].agents, std::vector<std::string>{"a"});
  EXPECT_EQ(claims[0].rival, "b");
  EXPECT_EQ(claims[0].measure, Measure::violations);
  EXPECT_EQ(claims[0].aim, 0.5);
}

TEST(ClaimsJson, AnUnknownMeasureAndAMissingKeyAreRefused) {
  EXPECT_THROW(parse_claims(R"([{"text": "", "agent": "a", "rival": "b", "measure": "speed", "aim": 0}])"),
               std::runtime_error);
  EXPECT_ANY_THROW(parse_claims(R"([{"text": ""}])"));
}

TEST(ClaimsJson, PublishedFiguresAreOptional) {
  const Published published = parse_published(nlohmann::json::parse(R"({"success": 0.85, "p99_ms": 3.9})"));
  EXPECT_EQ(published.success, 0.85);
  EXPECT_EQ(published.p99_us, 1000 * 3.9);
  EXPECT_FALSE(published.steps);
}

}  // namespace
}  // namespace elastane::benchmark
