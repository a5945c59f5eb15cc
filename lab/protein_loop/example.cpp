#include "lab/protein_loop/example.h"

#include <algorithm>

#include "lab/protein_loop/roster.h"
#include "lab/protein_loop/run_episode.h"

namespace elastane::protein_loop {
namespace {

constexpr std::uint64_t kGateSeeds = 1ULL << 41U, kMetricSeeds = 1ULL << 42U;  // apart from those of benchmarks
constexpr double kDamaged = 30;  // E above which a window is certainly damaged

void commit(Environment& environment, Surroundings& surroundings, const Energy& energy, const Torsions& torsions) {
  protein_chain::Conformation at;
  energy.chain().place(torsions, at);
  environment.commit(energy, torsions, at);
  surroundings.rebuild(environment.protein());
}

Episode draw_example_episode(const ExampleOptions& options, Random& random) {
  const Protein protein = build_protein(random.bits() >> 16U, {.residues = options.residues});
  return bend_loop(protein, draw_loop(protein, random), random);
}

WindowAgentOptions teacher_options(int depth) {
  CorrectorOptions always = window_corrector();
  always.gate = {.kind = Gate::always, .depth = depth};
  return {.corrector = always, .damping = window_damping()};
}

// One protein while its example is made.
class ExampleRun {
 public:
  ExampleRun(Random& random, WindowAgent* trainee, const ExampleOptions& options)
      : random_(random),
        options_(options),
        trainee_(trainee),
        episode_(draw_example_episode(options, random)),
        environment_(episode_.bent),
        surroundings_(environment_.protein(), {}),
        teacher_(teacher_options(options.depth)) {
    teacher_.begin();
    if (trainee != nullptr) trainee->begin();
  }

  int steps() const { return episode_.windows(); }

  void step(int step, std::span<float> x, std::span<float> target) {
    const Energy energy(environment_.protein(), surroundings_, episode_.window(step));
    Torsions torsions = environment_.torsions(energy.window());
    if (random_.uniform() < options_.again) bend_again(torsions);
    const double before = energy.evaluate(torsions, {}, point_);
    observe(energy, point_, x);
    const Torsions part = follow_teacher(energy, torsions, target);
    Torsions next = torsions;
    if (trainee_ != nullptr) {
      trainee_->step(energy, next);
    } else if (!(energy.evaluate(part, {}, point_) > before)) {
      next = part;
    }
    commit(environment_, surroundings_, energy, next);
  }

 private:
  void bend_again(Torsions& torsions) {
    const double bend_by = random_.uniform(0, options_.max_bend);
    for (std::size_t t = 0; t < kTorsions; ++t) {
      torsions[t] = protein_chain::wrapped(torsions[t] + bend_by * random_.normal());
    }
  }

  // writes the target; returns the torsions moved part of the distance
  Torsions follow_teacher(const Energy& energy, const Torsions& torsions, std::span<float> target) {
    Torsions shown = torsions, part = torsions;
    teacher_.step(energy, shown);
    const double share = 0.25 * random_.below(5);
    for (std::size_t t = 0; t < kTorsions; ++t) {
      const double move = protein_chain::wrapped(shown[t] - torsions[t]);
      target[t] = static_cast<float>(std::clamp(move / kMove, -4.0, 4.0));
      part[t] = protein_chain::wrapped(torsions[t] + share * move);
    }
    return part;
  }

  Random& random_;
  const ExampleOptions& options_;
  WindowAgent* trainee_;
  Episode episode_;
  Environment environment_;
  Surroundings surroundings_;
  WindowAgent teacher_;
  EnergyPoint point_;
};

// one damaged window of a pass, each as likely as any other
std::optional<DamagedWindow> gather_window(WindowAgent& agent, const Episode& episode, Random& random) {
  Environment environment = episode.bent;
  Surroundings surroundings(environment.protein(), {});
  std::optional<DamagedWindow> chosen;
  EnergyPoint point;
  int damaged = 0;
  agent.begin();
  for (int step = 0; step < episode.windows(); ++step) {
    const Window window = episode.window(step);
    const Energy energy(environment.protein(), surroundings, window);
    Torsions torsions = environment.torsions(window);
    if (energy.evaluate(torsions, {}, point) > kDamaged && random.below(++damaged) == 0) {
      auto kept = std::make_unique<const Surroundings>(surroundings);
      const Energy own(environment.protein(), *kept, window);
      chosen = DamagedWindow{std::move(kept), own, emphasis_at(point.gap_length()), torsions};
    }
    if (agent.step(energy, torsions).moved) commit(environment, surroundings, energy, torsions);
  }
  return chosen;
}

}  // namespace

Example make_example(std::uint64_t seed, int number, WindowAgent* trainee, const ExampleOptions& options) {
  Random random(seed * 1'000'003 + 91, static_cast<std::uint64_t>(number) << 32U);
  ExampleRun run(random, trainee, options);
  Example example{.steps = run.steps(), .x = {}, .target = {}};
  example.x.resize(static_cast<std::size_t>(example.steps) * kInputs);
  example.target.resize(static_cast<std::size_t>(example.steps) * kOutputs);
  for (int step = 0; step < example.steps; ++step) {
    const auto at = static_cast<std::size_t>(step);
    run.step(step, std::span(example.x).subspan(at * kInputs, kInputs),
             std::span(example.target).subspan(at * kOutputs, kOutputs));
  }
  return example;
}

DepthExamples gather_depth_examples(WindowAgent& agent, int depth, std::uint64_t seed, int episodes) {
  DepthExamples examples;
  const auto depths = static_cast<std::size_t>(depth) + 1;
  std::vector<double> losses(depths), costs(depths, 0.0);
  agent.observe_depths([&](int k, double energy, double macs) {
    losses[static_cast<std::size_t>(k)] = energy;
    costs[static_cast<std::size_t>(k)] += macs / 1000;
  });
  std::size_t windows = 0;
  for (int n = 0; n < episodes; ++n) {
    run_episode(draw_episode(kGateSeeds + seed, n), agent, [&](const Step&) {
      examples.add(agent.gate_features(), losses);
      ++windows;
    });
  }
  agent.observe_depths({});
  for (double& cost : costs) cost /= static_cast<double>(std::max<std::size_t>(windows, 1));
  examples.costs = costs;
  return examples;
}

GateOptions random_depths(int depth) {
  std::vector<double> histogram(static_cast<std::size_t>(depth) + 1, 1.0);
  histogram[0] = depth;
  return {.kind = Gate::random, .depth = depth, .histogram = histogram};
}

std::vector<DamagedWindow> gather_windows(WindowAgent& agent, std::uint64_t seed, int episodes) {
  std::vector<DamagedWindow> windows;
  Random random(kMetricSeeds + seed);
  for (int n = 0; n < episodes; ++n) {
    auto chosen = gather_window(agent, draw_episode(kMetricSeeds + seed, n), random);
    if (chosen) windows.push_back(*std::move(chosen));
  }
  return windows;
}

}  // namespace elastane::protein_loop
