// elastane/io/stored_arrays.h
#include "elastane/io/stored_arrays.h"

#include <gtest/gtest.h>

namespace elastane {
namespace {

template <class Read>
std::string refusal(const Safetensors& file, Read read) {
  ArrayReader reader(file, "[test] file: ");
  try {
    read(reader);
  } catch (const Misfit& misfit) {
    return misfit.what();
  }
  return "";
}

TEST(StoredArrays, ArraysComeBackWithTheirShapes) {
  const std::vector<double> a = {1, 2, 3, 4};
  const std::vector<std::int32_t> b = {7};
  const Safetensors file{{}, {stored("a", a, {2, 2}), stored("b", b)}};
  ArrayReader reader(file, "");
  std::vector<double> a_back;
  std::vector<std::int32_t> b_back;
  EXPECT_EQ(reader.take("a", a_back), (Shape{2, 2}));
  EXPECT_EQ(reader.take("b", b_back), (Shape{1}));
  EXPECT_EQ(a_back, a);
  EXPECT_EQ(b_back, b);
  reader.done();
}

TEST(StoredArrays, RefusesWhatIsMissingOrOfAnotherTypeOrNeverRead) {
  const std::vector<float> a = {1};
  const Safetensors file{{}, {stored("a", a)}};
  std::vector<double> to;
  EXPECT_EQ(refusal(file, [&](ArrayReader& r) { r.take("b", to); }), "[test] file: expected a tensor b, found none");
  EXPECT_EQ(refusal(file, [&](ArrayReader& r) { r.take("a", to); }), "[test] file: a: expected F64, found F32");
  EXPECT_EQ(refusal(file, [](ArrayReader& r) { r.done(); }), "[test] file: expected 0 tensors, found 1");
}

TEST(StoredArrays, ShapesAreCompared) {
  EXPECT_NO_THROW(expect_shape("", "a", {2, 3}, {2, 3}));
  EXPECT_THROW(expect_shape("", "a", {2, 3}, {3, 2}), Misfit);
}

TEST(StoredArrays, AMisfitBecomesAnError) {
  const std::vector<Tensor> none;
  const auto bytes = format_safetensors({}, none).value();
  const auto fail = [](const Safetensors&, const std::string& source) -> int { throw Misfit(source + ": no"); };
  EXPECT_EQ(parse_stored(bytes, "file", fail).error(), "file: no");
  EXPECT_EQ(parse_stored(bytes, "file", [](const Safetensors&, const std::string&) { return 3; }).value(), 3);
}

}  // namespace
}  // namespace elastane
