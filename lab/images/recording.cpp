#include "lab/images/recording.h"

#include <algorithm>
#include <cmath>

#include "elastane/core/stream/stream.h"
#include "lab/benchmark/recording_checks.h"
#include "lab/benchmark/shown_agents.h"
#include "lab/images/classifier.h"

namespace elastane::images {
namespace {

struct ShownAgent {
  std::string name, what;
  int depth;
};
const std::vector<ShownAgent>& shown_agents() {
  static const std::vector<ShownAgent> all = {
      {"proven", "iterates until no class can overtake the best one any more", kDepth},
      {"once", "the same network after one iteration", 1}};
  return all;
}

// after how many iterations each class is proven; one more than there are, if it is not
std::vector<int> proven_depths(const ModelFile& file, const ImageSet& set) {
  const ModelFile with_classes = with_proven_classes(file);
  Stream stream(Model::create(with_classes.config, with_classes.tensors).value());
  std::vector<int> depths;
  for (int i = 0; i < set.count(); ++i) {
    const BlockReport report = stream.advance(set.image(i)).blocks[0];
    depths.push_back(report.certified > 0 ? static_cast<int>(report.depth) : kDepth + 1);
  }
  return depths;
}

ImagesAgent run(const ModelFile& file, const ImageSet& set, const ShownAgent& as, const std::vector<int>& proven) {
  ImagesAgent agent{.caption = {.name = as.name, .what = as.what}, .steps = {}};
  const int last = std::min(as.depth, std::ranges::max(proven));
  for (int k = 1; k <= last; ++k) {
    Stream stream(at_depth(file, k));
    ImagesStep step;
    for (int i = 0; i < set.count(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      const bool stopped = k > proven[at];
      stream.advance(set.image(i));
      step.classes.push_back(stopped ? agent.steps.back().classes[at]
                                     : static_cast<std::uint8_t>(class_of(stream.output())));
      step.proven.push_back(k >= proven[at] ? 1 : 0);
      step.moment.depth += stopped ? 0 : 1;
      step.moment.loss_after += step.classes.back() != set.labels[at] ? 1 : 0;
    }
    step.moment.loss_before = k == 1 ? step.moment.loss_after : agent.steps.back().moment.loss_after;
    agent.steps.push_back(std::move(step));
  }
  agent.caption.steps = last;
  agent.caption.violations = static_cast<int>(agent.steps.back().moment.loss_after);
  agent.caption.success = agent.caption.violations == 0;
  return agent;
}

}  // namespace

Result<ImagesRecording> record(const ModelFile& file, const ImageSet& test,
                               const benchmark::RecordingRequest& request) {
  const auto chosen = benchmark::shown_agents(
      request.agents.empty() ? std::vector<std::string>{"proven", "once"} : request.agents, shown_agents());
  if (!chosen) return Error{chosen.error()};
  const int episodes = test.count() / kShownImages;
  if (request.episode < 0 || request.episode >= episodes) {
    return Error{"[play] episode: expected 0 to " + std::to_string(episodes - 1) + ", found " +
                 std::to_string(request.episode)};
  }
  if (file.config.inputs != test.features) {
    return Error{"[play] images: expected " + std::to_string(file.config.inputs) + " pixels, found " +
                 std::to_string(test.features) + "; use the model of this task"};
  }
  ImagesRecording r(request.seed, request.episode);
  r.side = static_cast<int>(std::lround(std::sqrt(test.features)));
  r.shown.features = test.features;
  for (int i = request.episode * kShownImages; i < (request.episode + 1) * kShownImages; ++i) {
    r.shown.pixels.insert(r.shown.pixels.end(), test.image(i).begin(), test.image(i).end());
    r.shown.labels.push_back(test.labels[static_cast<std::size_t>(i)]);
  }
  r.title = "Digits in noise, each until its class is proven";
  r.summary =
      "One map is applied again and again to every image. An image stops when a bound on how far its state can still "
      "move "
      "at infinite depth proves that no other class can overtake the best one. Proven is not the same as right: the "
      "label of an image may still be another one.";
  const std::vector<int> proven = proven_depths(file, r.shown);
  for (const ShownAgent& each : *chosen) r.agents.push_back(run(file, r.shown, each, proven));
  return r;
}

Result<ImagesRecording> record(const std::string& models, const std::string& data,
                               const benchmark::RecordingRequest& request) {
  const auto file = read_model(models + "/images_digits.safetensors");
  if (!file) return Error{file.error()};
  const auto images = read_images(Task::digits, data, {.learn = 1, .held_out = 1});
  if (!images) return Error{images.error()};
  return record(*file, images->test, request);
}

Status ImagesRecording::validate() const {
  if (Status found = benchmark::check_agents(agents); !found) return found;
  for (const ImagesAgent& agent : agents) {
    for (const ImagesStep& step : agent.steps) {
      if (step.classes.size() == shown.labels.size() && step.proven.size() == shown.labels.size()) continue;
      return benchmark::wrong_size(agent.caption.name + ", images", shown.labels.size(),
                                   std::min(step.classes.size(), step.proven.size()));
    }
  }
  return {};
}

}  // namespace elastane::images
