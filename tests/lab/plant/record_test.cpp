// lab/plant/record.h: a run as a model receives it.
#include "lab/plant/record.h"

#include <gtest/gtest.h>

#include <cmath>

namespace elastane::plant {
namespace {

TEST(Record, GivesTheStartWithTheFirstStepOnly) {
  const Record record{.inputs = 1, .outputs = 2, .measured = 1, .u = {1, 2}, .y = {3, 4, 5, 6}, .start = {7, 8}};
  EXPECT_EQ(record.steps(), 2);
  EXPECT_EQ(record.driven(), 3);
  std::vector<float> x(4);
  record.input_into(0, std::vector<double>{9}, x);
  EXPECT_EQ(x, (std::vector<float>{1, 7, 8, 9}));
  record.input_into(1, std::vector<double>{9}, x);
  EXPECT_EQ(x, (std::vector<float>{2, 0, 0, 9}));
}

TEST(Record, LabelsAreMissingWhereThereIsNoSensor) {
  const Record record{.inputs = 1, .outputs = 2, .measured = 1, .u = {1}, .y = {3, 4}};
  std::vector<float> label(2);
  record.label_into(0, label);
  EXPECT_EQ(label[0], 3);
  EXPECT_TRUE(std::isnan(label[1]));
}

}  // namespace
}  // namespace elastane::plant
