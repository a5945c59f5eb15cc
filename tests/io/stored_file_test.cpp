// elastane/io/stored_file.h
#include "elastane/io/stored_file.h"

#include <gtest/gtest.h>

#include "tests/io/folder.h"

namespace elastane {
namespace {

struct Curve {
  std::string unit;
  std::vector<double> points;
};

Status write(const Curve& curve, StoredContent& to) {
  if (curve.points.empty()) return Error{"[curve] points: expected some, found none"};
  to.text = curve.unit;
  to.add("points", curve.points);
  to.add("twice", std::vector<double>{2 * curve.points[0]});
  return {};
}

Curve read(const std::string& text, ArrayReader& reader) {
  Curve curve{text, {}};
  std::vector<double> twice;
  reader.take("points", curve.points);
  reader.take("twice", twice);
  if (curve.unit == "?") throw Misfit(reader.where() + without_tag("[curve] unit: expected a name"));
  return curve;
}

constexpr StoredFile<Curve> kCurveFile = {"elastane_curve", "curve", "a curve", write, read};

TEST(StoredFile, WhatIsSavedIsLoaded) {
  const Folder folder;
  ASSERT_TRUE(save(kCurveFile, folder / "curve", Curve{"m", {1, 2.5}}, {{"by", "test"}}));
  const Curve back = load(kCurveFile, folder / "curve").value();
  EXPECT_EQ(back.unit, "m");
  EXPECT_EQ(back.points, (std::vector<double>{1, 2.5}));
  EXPECT_FALSE(load(kCurveFile, folder / "nothing"));
}

TEST(StoredFile, RefusesOtherFilesByName) {
  const std::vector<Tensor> none;
  const auto other = format_safetensors({{"elastane", "{}"}}, none).value();
  EXPECT_EQ(parse(kCurveFile, other, "net").error(), "[curve] net: expected a curve, found a network");
  const auto any = format_safetensors({}, none).value();
  EXPECT_EQ(parse(kCurveFile, any, "x").error(), "[curve] x: expected a curve, found another safetensors file");
}

TEST(StoredFile, PassesOnWhatWritingAndReadingRefuse) {
  EXPECT_EQ(format(kCurveFile, Curve{"m", {}}, {}).error(), "[curve] points: expected some, found none");
  const auto bytes = format(kCurveFile, Curve{"?", {1}}, {}).value();
  EXPECT_EQ(parse(kCurveFile, bytes, "c").error(), "[curve] c: unit: expected a name");
}

}  // namespace
}  // namespace elastane
