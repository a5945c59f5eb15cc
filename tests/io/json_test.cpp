// elastane/io/json.h
#include "elastane/io/json.h"

#include <gtest/gtest.h>

namespace elastane {
namespace {

TEST(Json, AcceptsWhatIsValid) { EXPECT_EQ(parse_json(R"({"a": [1, {"b": 2}]})").value()["a"][1]["b"], 2); }

TEST(Json, RefusesTextThatIsNotJson) { EXPECT_EQ(parse_json("{a: 1}").error(), "is not JSON"); }

TEST(Json, RefusesAKeyThatAppearsTwice) {
  EXPECT_EQ(parse_json(R"({"a": 1, "b": {"a": 2}, "a": 3})").error(), "has the key a twice");
  EXPECT_TRUE(parse_json(R"([{"a": 1}, {"a": 2}])"));
}

TEST(Json, RefusesDeepNesting) {
  EXPECT_TRUE(parse_json(std::string(20, '[') + std::string(20, ']')));
  EXPECT_EQ(parse_json(std::string(100'000, '[')).error(), "is nested too deeply");
}

}  // namespace
}  // namespace elastane
