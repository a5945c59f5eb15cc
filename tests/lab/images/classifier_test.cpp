// Tests of lab/images/classifier.cpp: the class that is proven is that of the head, and of infinite depth.
#include "lab/images/classifier.h"

#include <gtest/gtest.h>

#include "elastane/core/stream/stream.h"

namespace elastane::images {
namespace {

ImageSet noise(int count, int features) {
  ImageSet set;
  set.features = features;
  Random random(5);
  for (int i = 0; i < count * features; ++i) set.pixels.push_back(static_cast<float>(random.normal()));
  for (int i = 0; i < count; ++i) set.labels.push_back(static_cast<std::uint8_t>(i % kClasses));
  return set;
}

ModelFile fresh(const ClassifierShape& shape) {
  const ModelConfig config = classifier_config(shape);
  return {.config = config, .tensors = random_tensors(config, 3), .metadata = {}};
}

TEST(ImageClassifier, ProvesTheClassOfItsHead) {
  const ImageSet set = noise(40, 12);
  const ModelFile file = fresh({.features = 12, .width = 8});
  const benchmark::DepthRow row = test_proven(file, set);
  EXPECT_EQ(row.violations, 0);
  EXPECT_GT(row.cases, 30);
  EXPECT_GE(row.mean_depth, 1);
  EXPECT_LE(row.mean_depth, kDepth);
  EXPECT_NEAR(row.accuracy, row.accuracy_at_3t, 0.05);
  EXPECT_GT(row.macs, 12 * 8);
}

TEST(ImageClassifier, AddsNothingButTheRule) {
  const ImageSet set = noise(5, 12);
  const ModelFile file = fresh({.features = 12, .width = 8}), proven = with_proven_classes(file);
  EXPECT_EQ(proven.tensors.size(), file.tensors.size() + 2);
  Stream plain(Model::create(file.config, file.tensors).value());
  Stream stopped(Model::create(proven.config, proven.tensors).value());
  for (int i = 0; i < set.count(); ++i) {
    plain.advance(set.image(i));
    stopped.advance(set.image(i));
    EXPECT_EQ(std::ranges::max_element(plain.output()) - plain.output().begin(),
              std::ranges::max_element(stopped.output()) - stopped.output().begin());
  }
}

TEST(ImageClassifier, AnEmptySetHasNoTime) {
  const benchmark::DepthRow row = test_proven(fresh({.features = 12, .width = 8}), noise(0, 12));
  EXPECT_EQ(row.p50_us, benchmark::kNotMeasured);
  EXPECT_EQ(row.cases, 0);
}

}  // namespace
}  // namespace elastane::images
