// A target that drifts and jumps, followed by correcting the latent: which metric follows it best?
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "elastane/core/objective/gaussian.h"
#include "elastane/core/stream/stream.h"

namespace elastane {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kLatents = 64, kHidden = 128;
constexpr double kDrift = 0.02, kJump = 0.7;  // of every coordinate of the target's latent
constexpr float kNoise = 0.1F;                // σ of the loss

struct Setting {
  int outputs;
  double sharpness;  // of the decoder's first layer; 1 or 2.5
};

struct Method {
  std::string name;
  CorrectorOptions options;
  bool ordered = false;  // is it one of those whose order is claimed?
};

std::vector<Method> methods() {
  const auto with = [](Metric kind) {
    CorrectorOptions options;
    options.metric.kind = kind;
    return options;
  };
  const auto products = [&](int k) {
    CorrectorOptions options = with(Metric::conjugate_gradient);
    options.metric.products = k;
    return options;
  };
  CorrectorOptions none = with(Metric::euclidean), bent = with(Metric::exact), bent_sketch = with(Metric::sketch);
  none.gate.kind = Gate::never;
  bent.retraction.kind = bent_sketch.retraction.kind = Retraction::second_order;
  CorrectorOptions literal = with(Metric::literal);
  literal.metric.damping = 1e-3;
  // best first, as claimed
  return {{"exact", with(Metric::exact), true},
          {"conjugate_gradient", products(4), true},
          {"sketch", with(Metric::sketch), true},
          {"euclidean", with(Metric::euclidean), true},
          {"literal", literal, true},
          {"none", none, true},
          {"exact, second order", bent},
          {"sketch, second order", bent_sketch},
          {"conjugate_gradient, k = 2", products(2)},
          {"conjugate_gradient, k = 8", products(8)},
          {"fixed", with(Metric::fixed)},
          {"latent_covariance", with(Metric::latent_covariance)}};
}

// a latent that stays where it is put, read by tanh(W₁z + b) and a linear layer
Model make_model(const Setting& setting, std::uint64_t seed) {
  ModelConfig config{.inputs = 1, .outputs = setting.outputs, .width = kLatents};
  config.blocks = {BlockConfig{.kind = SelectiveConfig{}, .norm = Norm::none, .residual = false}};
  config.norm = Norm::none;
  config.head = {.hidden = {kHidden}, .activation = Activation::tanh};
  std::vector<Tensor> tensors = random_tensors(config, seed);
  Random random(seed, 1U << 20U);
  for (Tensor& tensor : tensors) {
    for (float& value : tensor.values) {
      if (tensor.name == "blocks.0.selective.delta.weight") value = 0;
      if (tensor.name == "blocks.0.selective.delta.bias") value = -30;  // a = 1 to the last digit
      if (tensor.name == "head.0.weight")
        value = static_cast<float>(setting.sharpness * random.normal() / std::sqrt(kLatents));
      if (tensor.name == "head.0.bias") value = static_cast<float>(0.5 * random.normal());
      if (tensor.name == "head.1.weight") value = static_cast<float>(random.normal() / std::sqrt(kHidden));
    }
  }
  return Model::create(config, tensors).value();
}

struct Outcome {
  double loss = 0, accepted = 0, condition = 0, macs = 0;
};

Outcome follow(const Model& model, const CorrectorOptions& options, std::uint64_t seed, int steps) {
  Stream stream(model, {.corrector = options});
  NeuralStack<double> decoder(model, {});
  Random random(seed, 1U << 21U);
  std::vector<double> latent(kLatents), wanted(static_cast<std::size_t>(model.outputs()));
  for (double& value : latent) value = random.normal();
  std::vector<float> target(wanted.size());
  const float x[] = {0.0F};
  Outcome outcome;
  for (int t = 0; t < steps; ++t) {
    const double far = t == steps / 4 || t == steps / 2 || t == 3 * steps / 4 ? kJump : 0.0;
    for (double& value : latent) value += kDrift * random.normal() + far * random.normal();
    stream.advance(x);
    decoder.bind(const_cast<std::byte*>(stream.state().data()), {});
    decoder.output(latent, wanted);
    for (std::size_t i = 0; i < target.size(); ++i) target[i] = static_cast<float>(wanted[i]);
    const Gaussian objective(Target{.values = target, .noise = kNoise});
    const StepReport report = stream.correct(objective);
    outcome.loss += report.loss_after / steps;
    outcome.accepted += (report.accepted > 0 ? 1.0 : 0.0) / steps;
    outcome.condition += report.condition / steps;
    outcome.macs += static_cast<double>(report.total_macs()) / steps;
  }
  return outcome;
}

// mean and half of a 95 % interval, by Student's t
struct Interval {
  double mean = 0, half = 0;
};
Interval interval(const std::vector<double>& values) {
  constexpr double kStudent[] = {0, 12.71, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262};
  const auto n = static_cast<double>(values.size());
  Interval result;
  for (const double value : values) result.mean += value / n;
  double squares = 0;
  for (const double value : values) squares += (value - result.mean) * (value - result.mean);
  const std::size_t freedom = values.size() - 1;
  const double t = freedom < std::size(kStudent) ? kStudent[freedom] : 1.96;
  result.half = freedom > 0 ? t * std::sqrt(squares / static_cast<double>(freedom) / n) : 0.0;
  return result;
}

// neighbours of the claimed order that stand the other way round, and those of them beyond their interval
struct Departures {
  int all = 0, beyond_chance = 0;
};

// one table
Departures run_setting(const Setting& setting, int seeds, std::uint64_t first_seed, int steps, Json& rows) {
  fmt::print("\n{} outputs, {} decoder\n\n", setting.outputs, setting.sharpness > 1 ? "sharper" : "plain");
  fmt::print("| method | mean loss | ± 95 % | accepted | condition | multiply-adds |\n");
  fmt::print("| --- | --: | --: | --: | --: | --: |\n");
  std::string previous;
  std::vector<double> better;  // of the method before, seed by seed
  std::vector<std::string> verdicts;
  Departures departures;
  for (const Method& method : methods()) {
    std::vector<double> losses;
    Outcome mean;
    for (int s = 0; s < seeds; ++s) {
      const std::uint64_t seed = first_seed + static_cast<std::uint64_t>(s);
      const Outcome outcome = follow(make_model(setting, seed), method.options, seed, steps);
      losses.push_back(outcome.loss);
      mean.accepted += outcome.accepted / seeds;
      mean.condition += outcome.condition / seeds;
      mean.macs += outcome.macs / seeds;
    }
    const Interval loss = interval(losses);
    fmt::print("| {} | {:.4g} | {:.2g} | {:.3f} | {:.3g} | {:.0f} |\n", method.name, loss.mean, loss.half,
               mean.accepted, mean.condition, mean.macs);
    std::fflush(stdout);
    rows.push_back({{"outputs", setting.outputs},
                    {"sharpness", setting.sharpness},
                    {"method", method.name},
                    {"loss", loss.mean},
                    {"loss_half_interval", loss.half},
                    {"losses", losses},
                    {"accepted", mean.accepted},
                    {"condition", mean.condition},
                    {"madds", mean.macs}});
    if (!method.ordered) continue;
    if (!better.empty()) {
      std::vector<double> paired;
      for (std::size_t s = 0; s < losses.size(); ++s) paired.push_back(losses[s] - better[s]);
      const Interval gap = interval(paired);
      departures.all += gap.mean < 0 ? 1 : 0;
      departures.beyond_chance += gap.mean < -gap.half ? 1 : 0;
      verdicts.push_back(fmt::format("{} {} {} (paired difference {:.3g} ± {:.2g})", previous,
                                     gap.mean >= 0           ? "<="
                                     : gap.mean >= -gap.half ? "TIES WITH"
                                                             : "DOES NOT LEAD",
                                     method.name, gap.mean, gap.half));
    }
    better = losses;
    previous = method.name;
  }
  fmt::print("\n");
  for (const std::string& verdict : verdicts) fmt::print("- {}\n", verdict);
  return departures;
}

int run_all(int seeds, std::uint64_t first_seed, int steps, const std::string& json) {
  Json rows = Json::array();
  Departures departures;
  fmt::print("Mean loss after one correction a step; {} latents, {} steps, {} seeds from {}.\n", kLatents, steps, seeds,
             first_seed);
  for (const double sharpness : {1.0, 2.5}) {
    for (const int outputs : {6, 32}) {
      const Departures here = run_setting({outputs, sharpness}, seeds, first_seed, steps, rows);
      departures.all += here.all;
      departures.beyond_chance += here.beyond_chance;
    }
  }
  fmt::print(
      "\n{} departures from exact <= conjugate_gradient <= sketch < euclidean < literal < none, {} of them beyond "
      "their "
      "interval\n",
      departures.all, departures.beyond_chance);
  if (!json.empty()) std::ofstream(json) << rows.dump(1) << "\n";
  return 0;
}

}  // namespace
}  // namespace elastane

int main(int count, char** arguments) {
  CLI::App app("A drifting target, followed by correcting the latent in each metric.", "drifting_target");
  int seeds = 5, steps = 256;
  std::uint64_t first_seed = 1;
  std::string json;
  app.add_option("--seeds", seeds, "how many")->check(CLI::Range(1, 1000))->capture_default_str();
  app.add_option("--first-seed", first_seed, "the first of them")->capture_default_str();
  app.add_option("--steps", steps, "of each stream; the target jumps at each quarter")
      ->check(CLI::Range(8, 1000000))
      ->capture_default_str();
  app.add_option("--json", json, "write the rows here too");
  app.footer("Example: drifting_target --seeds 10 --first-seed 100 --json rows.json");
  CLI11_PARSE(app, count, arguments);
  try {
    return elastane::run_all(seeds, first_seed, steps, json);
  } catch (const std::exception& error) {
    fmt::print(stderr, "drifting_target: {}\n", error.what());
    return 1;
  }
}
