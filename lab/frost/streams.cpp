#include "lab/frost/streams.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "elastane/core/base/random.h"
#include "elastane/core/math/dense.h"
#include "elastane/core/network/network.h"
#include "elastane/core/stream/stream.h"

namespace elastane::frost {
namespace {

constexpr int kSetPoints = 3, kMachineParts = 6, kSensed = 2;
constexpr int kHidden = 48, kStreamSteps = 3000, kWarmUp = 50;
constexpr double kNoise = 1e-3;            // of set points
constexpr double kStreamTolerance = 0.03;  // of the certificate, in units of h
constexpr double kRidge = 1e-6;
constexpr struct {
  const char* name;
  double idle;
} kStreams[] = {{"mixed", 0.4}, {"machine", 0.85}};

class Machine {
 public:
  explicit Machine(Random& random) : v_(kMachineParts) {
    for (auto& row : a_) {
      for (double& value : row) value = random.uniform(-0.32, 0.32);  // weak enough for a single rest
    }
    for (auto& row : c_) {
      for (double& value : row) value = random.uniform(-1.2, 1.2);
    }
    for (double& value : d_) value = random.uniform(-0.5, 0.5);
  }
  // to its rest, from where it was
  std::vector<double> settle(const std::vector<float>& x) {
    for (int round = 0; round < 400; ++round) {
      std::vector<double> next(kMachineParts);
      for (std::size_t i = 0; i < kMachineParts; ++i) {
        double sum = d_[i];
        for (std::size_t j = 0; j < kMachineParts; ++j) sum += a_[i][j] * v_[j];
        for (std::size_t k = 0; k < kSetPoints; ++k) sum += c_[i][k] * x[k];
        next[i] = 0.5 * v_[i] + 0.5 * std::tanh(sum);
      }
      v_ = next;
    }
    return {v_.begin(), v_.begin() + kSensed};
  }

 private:
  double a_[kMachineParts][kMachineParts], c_[kMachineParts][kSetPoints], d_[kMachineParts];
  std::vector<double> v_;
};

using Features = std::vector<std::vector<double>>;

struct Run {
  Features features;  // of every step, with a 1 at the end
  std::vector<double> depth;
  double macs = 0;
};

// a recursion behind an encoder, whose h is the output
ModelConfig sensor_config(const RecursionConfig& block) {
  ModelConfig config{.inputs = kSetPoints, .outputs = kHidden, .width = kHidden, .norm = Norm::none};
  config.blocks = {{.kind = block, .norm = Norm::none, .residual = false}};
  return config;
}

std::vector<Tensor> sensor_tensors(std::uint64_t seed) {
  const ModelConfig config = sensor_config({.lipschitz = 0.9});
  std::vector<Tensor> tensors = random_tensors(config, seed);
  Random random(seed, 41ULL << 48U);
  for (Tensor& t : tensors) {
    for (std::size_t i = 0; t.name == "head.0.weight" && i < t.values.size(); ++i)
      t.values[i] = i % (kHidden + 1) == 0 ? 1 : 0;
    if (t.name == "head.0.bias") std::ranges::fill(t.values, 0.0F);
    if (t.name == "encoder.weight") {
      for (float& value : t.values) value = static_cast<float>(random.normal());
    }
    if (t.name.ends_with("up.bias")) {
      for (float& value : t.values) value = static_cast<float>(random.normal());
    }
  }
  const double found = std::get<Recursion>(Model::create(config, tensors).value().network().layers[0].block).measured;
  for (Tensor& t : tensors) {
    if (!t.name.ends_with("up.weight") && !t.name.ends_with("down.weight")) continue;
    for (float& value : t.values) value = static_cast<float>(value * std::sqrt(0.9 / found) * (1 - 1e-6));
  }
  return tensors;
}

Run run(const std::vector<Tensor>& tensors, const RecursionConfig& block, const std::vector<MachineStep>& steps) {
  Stream stream(Model::create(sensor_config(block), tensors).value());
  Run result;
  for (const MachineStep& step : steps) {
    const AdvanceReport report = stream.advance(step.x);
    result.features.emplace_back(stream.output().begin(), stream.output().end());
    result.features.back().push_back(1);
    result.depth.push_back(static_cast<double>(report.blocks[0].depth));
    result.macs += static_cast<double>(report.blocks[0].macs) / static_cast<double>(steps.size());
  }
  return result;
}

// one hidden layer of the same size on the set points: gelu of random directions
Run one_layer(const std::vector<MachineStep>& steps, std::uint64_t seed) {
  Run result;
  for (const MachineStep& step : steps) {
    Random random(seed, 43ULL << 48U);
    std::vector<double> f;
    for (int i = 0; i < kHidden; ++i) {
      double sum = random.normal();
      for (const float value : step.x) sum += random.normal() * value;
      f.push_back(0.5 * sum * (1 + std::erf(sum / std::numbers::sqrt2)));
    }
    f.push_back(1);
    result.features.push_back(std::move(f));
    result.depth.push_back(1);
  }
  return result;
}

// least squares with a small ridge: weights [output][feature]
Features fit(const Features& f, const std::vector<MachineStep>& steps) {
  const int n = static_cast<int>(f[0].size());
  std::vector<double> gram(static_cast<std::size_t>(n * n));
  Features w(kSensed, std::vector<double>(static_cast<std::size_t>(n)));
  for (std::size_t t = kWarmUp; t < f.size(); ++t) {
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j)
        gram[static_cast<std::size_t>(i * n + j)] +=
            f[t][static_cast<std::size_t>(i)] * f[t][static_cast<std::size_t>(j)];
      for (int o = 0; o < kSensed; ++o)
        w[static_cast<std::size_t>(o)][static_cast<std::size_t>(i)] +=
            f[t][static_cast<std::size_t>(i)] * steps[t].y[static_cast<std::size_t>(o)];
    }
  }
  for (int i = 0; i < n; ++i) gram[static_cast<std::size_t>(i * n + i)] += kRidge * static_cast<double>(f.size());
  std::vector<int> pivots(static_cast<std::size_t>(n));
  eliminate(gram.data(), n, n, pivots.data());
  for (auto& row : w) solve_eliminated(gram.data(), n, n, pivots.data(), row.data());
  return w;
}

double error(const Features& w, const Run& r, const std::vector<MachineStep>& steps) {
  double sum = 0;
  for (std::size_t t = kWarmUp; t < steps.size(); ++t) {
    for (std::size_t o = 0; o < kSensed; ++o) {
      double y = 0;
      for (std::size_t i = 0; i < w[o].size(); ++i) y += w[o][i] * r.features[t][i];
      sum += (y - steps[t].y[o]) * (y - steps[t].y[o]);
    }
  }
  return sum / static_cast<double>((steps.size() - kWarmUp) * kSensed);
}

// depth by regime, and its correlation with the movement of the fixed point
void add_depths(const Run& r, const Run& fixed, const std::vector<MachineStep>& steps, benchmark::DepthRow& row) {
  std::vector<double> depth, moved;
  double sum[3] = {}, count[3] = {};
  for (std::size_t t = kWarmUp; t < steps.size(); ++t) {
    const auto at = static_cast<std::size_t>(steps[t].regime);
    sum[at] += r.depth[t], count[at] += 1;
    double apart = 0;
    for (std::size_t i = 0; i < fixed.features[t].size(); ++i) {
      apart += std::pow(fixed.features[t][i] - fixed.features[t - 1][i], 2);
    }
    depth.push_back(r.depth[t]);
    moved.push_back(apart);
  }
  row.mean_depth = (sum[0] + sum[1] + sum[2]) / (count[0] + count[1] + count[2]);
  for (std::size_t i = 0; i < 3; ++i) row.curve.push_back(count[i] > 0 ? sum[i] / count[i] : 0);
  row.spearman = benchmark::spearman(depth, moved);
  row.macs = r.macs;
}

std::vector<benchmark::DepthRow> test_stream(const char* name, double idle, std::uint64_t seed) {
  const std::vector<MachineStep> all = draw_machine(2 * kStreamSteps, idle, seed);
  const std::vector<MachineStep> learn(all.begin(), all.begin() + kStreamSteps),
      test(all.begin() + kStreamSteps, all.end());
  const std::vector<Tensor> tensors = sensor_tensors(seed);
  const RecursionConfig infinite{.lipschitz = 0.9, .depth = 120, .halt = Halt::uniform};
  RecursionConfig cold{.lipschitz = 0.9, .depth = 64, .tolerance = kStreamTolerance, .start = RecursionStart::cold},
      warm = cold, once = infinite, twice = infinite;
  warm.start = RecursionStart::warm, once.depth = 1, twice.depth = 2;
  const Run fixed = run(tensors, infinite, test);
  const Features w = fit(run(tensors, infinite, learn).features, learn);
  std::vector<benchmark::DepthRow> rows;
  const auto add = [&](const char* method, const Run& r, const Features& readout) {
    benchmark::DepthRow row{.part = "streams",
                            .task = name,
                            .method = method,
                            .size = kStreamSteps,
                            .seed = seed,
                            .accuracy = error(readout, r, test)};
    add_depths(r, fixed, test, row);
    rows.push_back(row);
  };
  add("infinite", fixed, w);
  add("cold", run(tensors, cold, test), w);
  add("warm", run(tensors, warm, test), w);
  add("warm_1", run(tensors, once, test), w);
  add("warm_2", run(tensors, twice, test), w);
  add("trained_for_1", run(tensors, once, test), fit(run(tensors, once, learn).features, learn));
  add("one_layer", one_layer(test, seed), fit(one_layer(learn, seed).features, learn));
  return rows;
}

}  // namespace

std::vector<MachineStep> draw_machine(int steps, double idle, std::uint64_t seed) {
  Random random(seed, 47ULL << 48U);
  Machine machine(random);
  std::vector<MachineStep> all;
  std::vector<double> level(kSetPoints), pace(kSetPoints);
  while (static_cast<int>(all.size()) < steps) {
    const Regime regime = random.uniform() < idle ? Regime::idle : random.below(2) == 0 ? Regime::slow : Regime::fast;
    const int length = 30 + random.below(60);
    const double period = random.uniform(8, 20);
    for (std::size_t k = 0; k < kSetPoints; ++k) level[k] = random.uniform(-1.5, 1.5), pace[k] = random.uniform(-1, 1);
    for (int i = 0; i < length; ++i) {
      MachineStep step{.x = {}, .y = {}, .regime = regime};
      for (std::size_t k = 0; k < kSetPoints; ++k) {
        double now = level[k] + kNoise * random.normal();
        if (regime == Regime::slow) now += 0.01 * pace[k] * i;
        if (regime == Regime::fast) now += pace[k] * std::sin(2 * std::numbers::pi * i / period);
        step.x.push_back(static_cast<float>(now));
      }
      step.y = machine.settle(step.x);
      all.push_back(std::move(step));
    }
  }
  all.resize(static_cast<std::size_t>(steps));
  return all;
}

std::vector<benchmark::DepthRow> test_streams(int seeds) {
  std::vector<benchmark::DepthRow> rows;
  for (const auto& [name, idle] : kStreams) {
    for (int seed = 1; seed <= seeds; ++seed) {
      for (const benchmark::DepthRow& row : test_stream(name, idle, static_cast<std::uint64_t>(seed)))
        rows.push_back(row);
    }
  }
  return rows;
}

std::string streams_table(const std::vector<benchmark::DepthRow>& rows) {
  std::string text = fmt::format(
      "\n## Streams: a machine that idles and moves\n\nMeans over seeds. Errors are relative to those at infinite "
      "depth with the same read-out; certificates prove a distance of {} to the\n"
      "fixed point. `trained_for_1` has a read-out of its own for one warm iteration per step, `one_layer` for a "
      "hidden layer of the same size without recursion.\n\n"
      "| stream | method | error, relative | depth | idle | slow | fast | ρ(depth, movement) | multiply-adds |\n"
      "| --- | --- | --: | --: | --: | --: | --: | --: | --: |\n",
      kStreamTolerance);
  for (const auto& stream : kStreams) {
    for (const char* method : {"infinite", "cold", "warm", "warm_1", "warm_2", "trained_for_1", "one_layer"}) {
      double relative = 0, depth = 0, by[3] = {}, rho = 0, macs = 0, n = 0;
      for (const benchmark::DepthRow& r : rows) {
        if (r.part != "streams" || r.task != stream.name || r.method != method) continue;
        const auto full = std::ranges::find_if(rows, [&](const benchmark::DepthRow& o) {
          return o.part == "streams" && o.task == r.task && o.method == "infinite" && o.seed == r.seed;
        });
        n += 1, relative += r.accuracy / full->accuracy, depth += r.mean_depth, rho += r.spearman, macs += r.macs;
        for (std::size_t i = 0; i < 3; ++i) by[i] += r.curve[i];
      }
      if (n == 0) continue;
      text += fmt::format("| {} | {} | {:.4f} | {:.2f} | {:.2f} | {:.2f} | {:.2f} | {} | {:.0f} |\n", stream.name,
                          method, relative / n, depth / n, by[0] / n, by[1] / n, by[2] / n,
                          std::isfinite(rho) ? fmt::format("{:.3f}", rho / n) : "–", macs / n);
    }
  }
  return text;
}

}  // namespace elastane::frost
