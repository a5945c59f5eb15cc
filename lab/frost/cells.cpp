#include "lab/frost/cells.h"

#include <algorithm>

#include "elastane/core/base/clock.h"
#include "elastane/core/stream/stream.h"

namespace elastane::frost {
namespace {

constexpr int kDeepest = 1024;

// shares of an episode's cells that are right, and whether all are
struct Score {
  double right = 0;
  bool solved = false;
};
Score score(const Episode& episode, const std::vector<std::uint8_t>& classes) {
  int right = 0;
  for (std::size_t i = 0; i < episode.labels.size(); ++i) right += classes[i] == episode.labels[i] ? 1 : 0;
  return {static_cast<double>(right) / episode.cells(), right == episode.cells()};
}

// every episode from a cold start, at a fixed depth
std::vector<std::uint8_t> deep_classes(const ModelFile& file, const Episode& episode, int depth) {
  Stream stream(resized(file, episode.task, episode.cols, depth));
  stream.advance(episode.features);
  return classes_of(stream.output());
}

}  // namespace

ModelConfig cells_config(Task task, int size) {
  const bool grid = task == Task::grid;
  const int cells = grid ? size * size : size;
  ModelConfig config{
      .inputs = 2 * cells, .outputs = 2 * cells, .width = 2 * cells, .ends = Ends::none, .norm = Norm::none};
  config.blocks = {{.kind = RecursionConfig{.shape = grid ? RecursionShape::grid : RecursionShape::line,
                                            .lipschitz_norm = LipschitzNorm::sup,
                                            .lipschitz = grid ? kGridContraction : kLineContraction,
                                            .rows = grid ? size : 1,
                                            .cols = size,
                                            .depth = kDeepest,
                                            .tolerance = kTolerance,
                                            .start = RecursionStart::cold,
                                            .halt = Halt::margin},
                    .norm = Norm::none,
                    .residual = false}};
  return config;
}

Model resized(const ModelFile& file, Task task, int size, int depth) {
  ModelConfig config = cells_config(task, size);
  auto& block = std::get<RecursionConfig>(config.blocks[0].kind);
  const auto& trained = std::get<RecursionConfig>(file.config.blocks.at(0).kind);
  block.lipschitz = trained.lipschitz;
  block.hidden = trained.hidden;
  if (depth > 0) {
    block.depth = depth;
    block.halt = Halt::uniform;
  }
  return Model::create(config, file.tensors).value();
}

std::vector<std::uint8_t> classes_of(std::span<const float> outputs) {
  std::vector<std::uint8_t> classes;
  for (std::size_t i = 0; i + 1 < outputs.size(); i += 2) classes.push_back(outputs[i + 1] > outputs[i] ? 1 : 0);
  return classes;
}

benchmark::DepthRow test_cells(const ModelFile& file, Task task, const CellsTest& test) {
  benchmark::DepthRow row{.task = task == Task::grid ? "grid" : "parity", .method = "recursion", .size = test.size};
  Stream stream(resized(file, task, test.size));
  std::vector<double> depths, oracle, micros;
  row.solved = row.accuracy = row.accuracy_at_3t = row.mean_depth = row.oracle_depth = row.macs = 0;
  row.violations = row.cases = 0;
  for (int i = 0; i < test.episodes; ++i) {
    const Episode episode = draw_episode(task, test.size, test.first_seed + static_cast<std::uint64_t>(i));
    const double begun = now_micros();
    const AdvanceReport report = stream.advance(episode.features);
    micros.push_back(now_micros() - begun);
    const std::vector<std::uint8_t> classes = classes_of(stream.output());
    const Score now = score(episode, classes);
    const int depth = static_cast<int>(report.blocks[0].depth);
    const auto later = score(episode, deep_classes(file, episode, 3 * depth));
    const std::vector<std::uint8_t> last = deep_classes(file, episode, test.check_depth);
    for (std::size_t c = 0; c < classes.size(); ++c) row.violations += classes[c] != last[c] ? 1 : 0;
    row.cases += episode.cells();
    row.solved += now.solved ? 1.0 / test.episodes : 0;
    row.accuracy += now.right / test.episodes;
    row.accuracy_at_3t += later.right / test.episodes;
    row.mean_depth += static_cast<double>(depth) / test.episodes;
    row.oracle_depth += static_cast<double>(episode.oracle_depth) / test.episodes;
    row.macs += static_cast<double>(report.macs) / test.episodes;
    depths.push_back(depth);
    oracle.push_back(episode.oracle_depth);
  }
  std::ranges::nth_element(micros, micros.begin() + static_cast<std::ptrdiff_t>(micros.size() / 2));
  row.p50_us = micros[micros.size() / 2];
  row.spearman = benchmark::spearman(depths, oracle);
  return row;
}

}  // namespace elastane::frost
