#include "lab/frost/speed.h"

#include <algorithm>
#include <cmath>

#include "elastane/core/base/random.h"
#include "elastane/core/network/network.h"
#include "elastane/core/stream/fleet.h"
#include "elastane/core/stream/stream.h"
#include "lab/benchmark/latency.h"

namespace elastane::frost {
namespace {

constexpr int kMost = 32;  // iterations

// a flat recursion whose weights use all of the constant, without encoder and head
Model recursion(int width, const RecursionConfig& block) {
  ModelConfig config{.inputs = width, .outputs = width, .width = width, .ends = Ends::none, .norm = Norm::none};
  config.blocks = {{.kind = block, .norm = Norm::none, .residual = false}};
  std::vector<Tensor> tensors = random_tensors(config, 5);
  const double found = std::get<Recursion>(Model::create(config, tensors).value().network().layers[0].block).measured;
  for (Tensor& t : tensors) {
    if (!t.name.ends_with("up.weight") && !t.name.ends_with("down.weight")) continue;
    for (float& value : t.values) value = static_cast<float>(value * std::sqrt(block.lipschitz / found) * (1 - 1e-6));
  }
  return Model::create(config, tensors).value();
}

std::vector<float> draw(Random& random, int n, double size) {
  std::vector<float> x(static_cast<std::size_t>(n));
  for (float& value : x) value = static_cast<float>(size * random.normal());
  return x;
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

double step_time(int width, int depth) {
  Stream stream(recursion(width, {.depth = depth, .halt = Halt::uniform}));
  Random random(3);
  const std::vector<float> x = draw(random, width, 1);
  std::vector<double> micros;
  for (int i = 0; i < 2000; ++i) {
    const double begun = benchmark::processor_micros();
    stream.advance(x);
    micros.push_back(benchmark::processor_micros() - begun);
  }
  return median(micros);
}

// steps of streams of which each moves at its own pace
struct FleetTime {
  double micros = 0, depth = 0;
};
FleetTime fleet_time(int width, int streams, double lipschitz, Halt halt) {
  Fleet fleet(recursion(width, {.lipschitz = lipschitz, .depth = kMost, .tolerance = 1e-3, .halt = halt}), streams);
  std::vector<double> micros;
  double depth = 0;
  constexpr int kFleetSteps = 60;
  std::vector<float> x(static_cast<std::size_t>(width * streams));
  for (int t = 0; t < kFleetSteps; ++t) {
    Random random(7, static_cast<std::uint64_t>(t) << 32U);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double pace = std::pow(10.0, -3.0 * static_cast<double>(i / static_cast<std::size_t>(width) % 16) / 15);
      x[i] = static_cast<float>(0.9 * x[i] + pace * random.normal());
    }
    const double begun = benchmark::processor_micros();
    const AdvanceReport report = fleet.advance(x);
    micros.push_back(benchmark::processor_micros() - begun);
    depth += static_cast<double>(report.blocks[0].depth) / streams / kFleetSteps;
  }
  return {median(micros), depth};
}

}  // namespace

benchmark::DepthRow time_iteration(int width) {
  const double shallow = step_time(width, 4), deep = step_time(width, 4 + kMost);
  return {.part = "speed",
          .task = "iteration",
          .method = "flat",
          .size = width,
          .macs = 2.0 * width * width,
          .p50_us = (deep - shallow) / kMost};
}

benchmark::DepthRow time_fleet(int width, int streams, double lipschitz) {
  const FleetTime full = fleet_time(width, streams, lipschitz, Halt::uniform),
                  certified = fleet_time(width, streams, lipschitz, Halt::certificate);
  const double saved = full.micros / certified.micros, expected = full.depth / certified.depth;
  return {.part = "speed",
          .task = "fleet of " + std::to_string(streams),
          .method = "certificate, c " + std::to_string(lipschitz).substr(0, 4),
          .size = width,
          .accuracy = saved / expected,
          .mean_depth = certified.depth,
          .oracle_depth = full.depth,
          .p50_us = certified.micros / streams};
}

}  // namespace elastane::frost
