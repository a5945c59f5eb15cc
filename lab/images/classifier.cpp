#include "lab/images/classifier.h"

#include <algorithm>

#include "elastane/core/base/clock.h"
#include "elastane/core/stream/stream.h"

namespace elastane::images {
namespace {

constexpr int kDeep = 1000;  // iterations that stand for infinite depth

RecursionConfig& recursion_of(ModelConfig& config) { return std::get<RecursionConfig>(config.blocks.at(0).kind); }

// which images are right, and how deep
struct Tally {
  double right = 0, right_later = 0, depth = 0, macs = 0;
  std::int64_t proven = 0, differ = 0;
  std::vector<double> micros;
};

}  // namespace

ModelConfig classifier_config(const ClassifierShape& shape) {
  ModelConfig config{.inputs = shape.features, .outputs = kClasses, .width = shape.width, .norm = Norm::none};
  config.blocks = {{.kind = RecursionConfig{.form = shape.form,
                                            .lipschitz = shape.lipschitz,
                                            .depth = shape.depth,
                                            .start = RecursionStart::cold,
                                            .halt = Halt::uniform,
                                            .hurst = shape.hurst},
                    .norm = Norm::none,
                    .residual = false}};
  return config;
}

ModelFile with_proven_classes(const ModelFile& file) {
  ModelFile proven = file;
  RecursionConfig& block = recursion_of(proven.config);
  block.halt = Halt::margin;
  block.classes = proven.config.outputs;
  for (const Tensor& t : file.tensors) {
    if (!t.name.starts_with("head.0.")) continue;
    Tensor copy = t;
    copy.name = "blocks.0.recursion.class." + t.name.substr(std::string("head.0.").size());
    proven.tensors.push_back(std::move(copy));
  }
  return proven;
}

Model at_depth(const ModelFile& file, int depth) {
  ModelConfig config = file.config;
  recursion_of(config).halt = Halt::uniform;
  recursion_of(config).depth = depth;
  return Model::create(config, file.tensors).value();
}

int class_of(std::span<const float> outputs) {
  return static_cast<int>(std::ranges::max_element(outputs) - outputs.begin());
}

benchmark::DepthRow test_proven(const ModelFile& file, const ImageSet& test) {
  const ModelFile with_classes = with_proven_classes(file);
  Stream stream(Model::create(with_classes.config, with_classes.tensors).value());
  Stream later(at_depth(with_classes, 3 * kDepth)), deep(at_depth(with_classes, kDeep));
  Tally tally;
  for (int i = 0; i < test.count(); ++i) {
    const double begun = now_micros();
    const AdvanceReport report = stream.advance(test.image(i));
    tally.micros.push_back(now_micros() - begun);
    const int label = test.labels[static_cast<std::size_t>(i)], found = class_of(stream.output());
    later.advance(test.image(i));
    tally.right += found == label ? 1 : 0;
    tally.right_later += class_of(later.output()) == label ? 1 : 0;
    tally.depth += static_cast<double>(report.blocks[0].depth);
    tally.macs += static_cast<double>(report.macs);
    if (report.blocks[0].certified == 0) continue;
    deep.advance(test.image(i));
    tally.proven += 1;
    tally.differ += class_of(deep.output()) != found ? 1 : 0;
  }
  const double n = std::max(1, test.count());
  benchmark::DepthRow row{.size = 100, .accuracy = tally.right / n, .accuracy_at_3t = tally.right_later / n};
  row.mean_depth = tally.depth / n;
  row.violations = static_cast<double>(tally.differ);
  row.cases = static_cast<double>(tally.proven);
  row.macs = tally.macs / n;
  if (tally.micros.empty()) return row;
  std::ranges::nth_element(tally.micros, tally.micros.begin() + static_cast<std::ptrdiff_t>(tally.micros.size() / 2));
  row.p50_us = tally.micros[tally.micros.size() / 2];
  return row;
}

}  // namespace elastane::images
