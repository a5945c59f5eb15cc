// A recorded classification of some digits: what every iteration answers, and where the answer is proven.
#pragma once

#include <vector>

#include "elastane/io/model_file.h"
#include "lab/benchmark/recording.h"
#include "lab/images/episode.h"

namespace elastane::images {

inline constexpr int kShownImages = 24;

struct ImagesStep {
  benchmark::Moment moment;           // depth: images that still iterate; loss: those that are wrong
  std::vector<std::uint8_t> classes;  // [image]
  std::vector<std::uint8_t> proven;   // 1 where the class is that of infinite depth [image]
};

struct ImagesAgent {
  benchmark::Caption caption;
  std::vector<ImagesStep> steps;  // iterations
};

// agents: the recursion until every class is proven, and after one iteration
struct ImagesRecording final : benchmark::Recording {
  using Recording::Recording;
  std::vector<benchmark::Caption> captions() const override { return benchmark::captions_of(agents); }
  Status validate() const override;
  std::string json() const override;
  std::vector<std::string> scripts() const override { return {"images"}; }
  std::string figure() const override;

  int side = 0;
  ImageSet shown;
  std::vector<ImagesAgent> agents;
};

// images episode·24 … of a test set, which have side x side pixels
Result<ImagesRecording> record(const ModelFile& file, const ImageSet& test, const benchmark::RecordingRequest& request);
// with the model and the images that are on this machine
Result<ImagesRecording> record(const std::string& models, const std::string& data,
                               const benchmark::RecordingRequest& request);

}  // namespace elastane::images
