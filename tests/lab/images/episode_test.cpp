// Tests of lab/images/episode.cpp: both formats, what is held out, noise, and files that are not what they say.
#include "lab/images/episode.h"

#include <gtest/gtest.h>

#include "tests/lab/images/small_images.h"

namespace elastane::images {
namespace {

TEST(ImageEpisode, HalvesImagesAndHoldsTheLastOnesOut) {
  const std::string folder = small_images("episode");
  const auto images = read_images(Task::cifar10, folder, {.learn = 50, .held_out = 10, .test = 30});
  ASSERT_TRUE(images) << images.error();
  EXPECT_EQ(images->learn.count(), 50);
  EXPECT_EQ(images->held_out.count(), 10);
  EXPECT_EQ(images->test.count(), 30);
  EXPECT_EQ(images->learn.features, 3 * 16 * 16);
  EXPECT_EQ(images->held_out.labels[0], 0);  // the 91st of 100
  const auto image = images->learn.image(3);
  EXPECT_NEAR(image[0], (60 / 255.0 - 0.47) / 0.25, 1e-6);
  EXPECT_NEAR(image[256], (61 / 255.0 - 0.47) / 0.25, 1e-6);  // green
  std::filesystem::remove_all(folder);
}

TEST(ImageEpisode, GivesEveryDigitNoiseOfItsOwnAndTheSameEveryTime) {
  const std::string folder = small_images("noise");
  const auto a = read_images(Task::digits, folder), b = read_images(Task::digits, folder, {.learn = 20});
  ASSERT_TRUE(a) << a.error();
  EXPECT_EQ(a->learn.features, 4);
  EXPECT_NE(a->learn.image(1)[0], a->learn.image(1)[1]);
  EXPECT_EQ(a->learn.image(7)[2], b->learn.image(7)[2]);
  EXPECT_NE(a->learn.image(7)[2], a->test.image(7)[2]);
  std::filesystem::remove_all(folder);
}

TEST(ImageEpisode, RefusesFilesThatAreNotWhatTheySay) {
  const std::string folder = small_images("bad");
  EXPECT_NE(read_images(Task::digits, folder + "/nowhere").error().find("fetch_images"), std::string::npos);
  write_bytes(folder + "/mnist/train-images-idx3-ubyte", {0, 0, 8, 3, 0, 0});
  EXPECT_NE(read_images(Task::digits, folder).error().find("2051"), std::string::npos);
  write_bytes(folder + "/mnist/train-images-idx3-ubyte", {0, 0, 8, 3, 0, 0, 0, 9, 0, 0, 0, 4, 0, 0, 0, 4, 1});
  EXPECT_NE(read_images(Task::digits, folder).error().find("144 pixels"), std::string::npos);
  write_bytes(folder + "/mnist/train-images-idx3-ubyte", {0, 0, 8, 3, 255, 255, 255, 255, 0, 0, 0, 3, 0, 0, 0, 3});
  EXPECT_NE(read_images(Task::digits, folder).error().find("even side"), std::string::npos);
  write_bytes(folder + "/cifar10/test.bin", {1, 2, 3});
  EXPECT_NE(read_images(Task::cifar10, folder).error().find("3,073"), std::string::npos);
  write_bytes(folder + "/cifar10/test.bin", std::vector<unsigned>(3073, 77));
  EXPECT_NE(read_images(Task::cifar10, folder).error().find("0 to 9"), std::string::npos);
  EXPECT_THROW(parse_task("faces"), std::runtime_error);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace elastane::images
