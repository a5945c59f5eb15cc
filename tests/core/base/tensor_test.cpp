// Tests of elastane/core/base/tensor.cpp.
#include "elastane/core/base/tensor.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

namespace elastane {
namespace {

const std::vector<TensorSpec> kSpecs = {{.name = "block.weight", .shape = {5, 2}, .initialise = {}, .matrix = true},
                                        {.name = "block.bias", .shape = {5}, .initialise = {}}};

std::vector<Tensor> fitting_tensors() {
  std::vector<Tensor> tensors;
  for (const TensorSpec& spec : kSpecs) {
    tensors.push_back({spec.name, spec.shape, std::vector<float>(static_cast<std::size_t>(element_count(spec.shape)))});
  }
  return tensors;
}

// what check_tensors says of the fitting tensors after `spoil` has changed them
template <class Spoil>
std::string problem_after(Spoil spoil) {
  std::vector<Tensor> tensors = fitting_tensors();
  spoil(tensors);
  const Status status = check_tensors(kSpecs, tensors, "here");
  return status ? "" : status.error();
}

TEST(Shapes, AreWrittenWithTheirProduct) {
  EXPECT_EQ(to_string(Shape{128, 16}), "(128 x 16)");
  EXPECT_EQ(element_count(Shape{128, 16}), 2048);
  EXPECT_EQ(element_count(Shape{}), 1);
}

TEST(CheckTensors, AcceptsWhatFits) {
  EXPECT_EQ(problem_after([](auto&) {}), "");
}

TEST(CheckTensors, ListsEverythingThatIsWrong) {
  const std::string problem = problem_after([](std::vector<Tensor>& tensors) {
    tensors[0].shape = {2, 5};
    tensors[1].name = "block.other";
  });
  for (const char* part : {"block.weight", "(5 x 2)", "(2 x 5)", "block.bias", "block.other", "here"}) {
    EXPECT_NE(problem.find(part), std::string::npos) << part << " in " << problem;
  }
}

TEST(CheckTensors, RefusesNumbersThatAreMissingTwiceOrNotFinite) {
  EXPECT_NE(problem_after([](auto& tensors) { tensors[1].values.pop_back(); }).find("expected 5 values, found 4"),
            std::string::npos);
  EXPECT_NE(problem_after([](auto& tensors) { tensors.push_back(tensors[0]); }).find("appears twice"),
            std::string::npos);
  EXPECT_NE(problem_after([](auto& tensors) {
              tensors[0].values[3] = std::numeric_limits<float>::quiet_NaN();
            }).find("not finite"),
            std::string::npos);
}

}  // namespace
}  // namespace elastane
