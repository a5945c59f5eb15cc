#include "lab/images/world.h"

#include "lab/data_folder.h"
#include "lab/images/recording.h"

namespace elastane::images {
namespace {

Result<lab::RecordingPointer> record_images(const std::string& models, const benchmark::RecordingRequest& request) {
  const std::string data = lab::data_folder();
  auto recording = record(models, data.empty() ? "build/images" : data + "/images", request);
  if (!recording) return Error{recording.error()};
  return lab::RecordingPointer(std::make_unique<ImagesRecording>(std::move(*recording)));
}

}  // namespace

lab::World world() {
  lab::World world{.name = "images", .what = "MNIST and CIFAR-10, classified at elastic depth"};
  world.benchmarks = {{.name = "images",
                       .what = "Digits in noise, each classified until its class is proven",
                       .cost = "",
                       .open = {},
                       .record = record_images}};
  return world;
}

}  // namespace elastane::images
