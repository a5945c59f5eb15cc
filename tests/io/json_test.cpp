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

// the time itself belongs in a benchmark; in quadratic time this would take minutes
TEST(Json, TakesManyObjectsInLinearTime) {
  std::string text = "[";
  for (int i = 0; i < 400'000; ++i) text += "{},";
  EXPECT_EQ(parse_json(text + "0]").value().size(), 400'001U);
}

TEST(Json, BuildsTheSameDocumentAsTheLibrary) {
  for (const std::string text :
       {R"({"a":{"b":[1,-2,3.5,"x",null,true,{}],"c":{}},"d":[[],[[]]]})", R"("alone")", "[]"}) {
    EXPECT_EQ(parse_json(text).value(), nlohmann::json::parse(text));
  }
  for (const char* text : {"", "[1,]", "{\"a\"}", "[1] 2", "nul"}) EXPECT_FALSE(parse_json(text)) << text;
}

}  // namespace
}  // namespace elastane
