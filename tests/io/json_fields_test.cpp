// elastane/io/json_fields.h
#include "elastane/io/json_fields.h"

#include <gtest/gtest.h>

namespace elastane {
namespace {

template <class Read>
std::string refusal(const char* text, Read read) {
  const Json json = Json::parse(text);
  try {
    Fields fields(json, "[test] ", "the manual");
    read(fields);
    fields.done();
  } catch (const Misfit& misfit) {
    return misfit.what();
  }
  return "";
}

TEST(JsonFields, ReadsWhatIsThereAndKeepsDefaults) {
  int n = 7, other = 9;
  double x = 0;
  bool flag = false;
  std::vector<std::string> names;
  const auto read = [&](Fields& f) {
    f.number("n", n);
    f.number("other", other);
    f.number("x", x);
    f.number("flag", flag);
    f.list("names", names);
  };
  EXPECT_EQ(refusal(R"({"n": 3, "x": 1.5, "flag": true, "names": ["a", "b"]})", read), "");
  EXPECT_EQ(n, 3);
  EXPECT_EQ(other, 9);
  EXPECT_EQ(x, 1.5);
  EXPECT_TRUE(flag);
  EXPECT_EQ(names, (std::vector<std::string>{"a", "b"}));
}

TEST(JsonFields, RefusesOtherTypesAndUnknownKeys) {
  int n = 0;
  std::vector<int> list;
  const auto number = [&](Fields& f) { f.number("n", n); };
  EXPECT_EQ(refusal(R"({"n": 1.5})", number), "[test] n: expected a whole number, found 1.5");
  EXPECT_EQ(refusal(R"({"n": 99999999999})", number), "[test] n: expected a whole number, found 99999999999");
  EXPECT_EQ(refusal(R"({"m": 1})", number), "[test] m: unknown key; see the manual");
  EXPECT_EQ(refusal("[]", number), "[test] expected an object, found array");
  EXPECT_EQ(refusal(R"({"l": [1, "a"]})", [&](Fields& f) { f.list("l", list); }),
            "[test] l: expected a list of whole numbers, found array");
}

TEST(JsonFields, ChoicesAreSpelledOut) {
  enum class Colour : std::uint8_t { red, blue };
  constexpr std::array kColours = {Spelling{Colour::red, "red"}, Spelling{Colour::blue, "blue"}};
  Colour colour = Colour::red;
  const auto choose = [&](Fields& f) { f.choice("colour", kColours, colour); };
  EXPECT_EQ(refusal(R"({"colour": "blue"})", choose), "");
  EXPECT_EQ(colour, Colour::blue);
  EXPECT_EQ(refusal(R"({"colour": "green"})", choose), "[test] colour: expected one of red, blue, found \"green\"");
}

}  // namespace
}  // namespace elastane
