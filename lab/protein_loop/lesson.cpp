#include "lab/protein_loop/lesson.h"

#include <algorithm>

#include "lab/protein_loop/play.h"
#include "lab/protein_loop/roster.h"

namespace elastane::protein_loop {
namespace {

constexpr std::uint64_t kGateSeeds = 1ULL << 41U, kMetricSeeds = 1ULL << 42U;  // apart from those of benchmarks
constexpr double kDamaged = 30;  // E of a window that is damaged for certain

// the window as it is, bent, or moved some of the way
void commit(Fold& fold, Surroundings& surroundings, const Energy& energy, const Torsions& torsions) {
  protein_chain::Conformation at;
  energy.chain().place(torsions, at);
  fold.commit(energy, torsions, at);
  surroundings.rebuild(fold.protein());
}

}  // namespace

Lesson teach(std::uint64_t seed, int number, WindowAgent* follower, const LessonOptions& options) {
  Random random(seed * 1'000'003 + 91, static_cast<std::uint64_t>(number) << 32U);
  const Protein protein = build_protein(random.bits() >> 16U, {.residues = options.residues});
  const Damage damage = bend(protein, draw_loop(protein, random), random);
  Fold fold = damage.bent;
  Surroundings surroundings(fold.protein(), {});
  CorrectorOptions always = window_corrector();
  always.gate = {.kind = Gate::always, .depth = options.depth};
  WindowAgent teacher({.corrector = always, .damping = kWindowDamping});
  teacher.begin();
  if (follower != nullptr) follower->begin();

  Lesson lesson{.steps = damage.windows(), .x = {}, .target = {}};
  lesson.x.resize(static_cast<std::size_t>(lesson.steps) * kInputs);
  lesson.target.resize(static_cast<std::size_t>(lesson.steps) * kOutputs);
  EnergyPoint point;
  for (int step = 0; step < lesson.steps; ++step) {
    const Energy energy(fold.protein(), surroundings, damage.window(step));
    Torsions torsions = fold.torsions(energy.window());
    if (random.uniform() < options.again) {
      const double bend_by = random.uniform(0, options.most_bend);
      for (std::size_t t = 0; t < kTorsions; ++t)
        torsions[t] = protein_chain::wrapped(torsions[t] + bend_by * random.normal());
    }
    const double before = energy.evaluate(torsions, {}, point);
    const auto place = static_cast<std::size_t>(step);
    observe(energy, point, std::span(lesson.x).subspan(place * kInputs, kInputs));
    Torsions shown = torsions;
    teacher.step(energy, shown);
    Torsions next = torsions;
    const double share = 0.25 * random.below(5);
    for (std::size_t t = 0; t < kTorsions; ++t) {
      const double move = protein_chain::wrapped(shown[t] - torsions[t]);
      lesson.target[place * kOutputs + t] = static_cast<float>(std::clamp(move / kMove, -4.0, 4.0));
      next[t] = protein_chain::wrapped(torsions[t] + share * move);
    }
    if (follower != nullptr) {
      next = torsions;
      follower->step(energy, next);
    } else if (energy.evaluate(next, {}, point) > before) {
      next = torsions;
    }
    commit(fold, surroundings, energy, next);
  }
  return lesson;
}

DepthExamples gather_depths(WindowAgent& agent, int depth, std::uint64_t seed, int episodes) {
  DepthExamples lessons;
  const auto depths = static_cast<std::size_t>(depth) + 1;
  std::vector<double> losses(depths), costs(depths, 0.0);
  agent.see_depths([&](int k, double energy, double macs) {
    losses[static_cast<std::size_t>(k)] = energy;
    costs[static_cast<std::size_t>(k)] += macs / 1000;
  });
  std::size_t windows = 0;
  for (int n = 0; n < episodes; ++n) {
    play(draw_damage(kGateSeeds + seed, n), agent, [&](const PassedWindow&) {
      lessons.add(agent.gate_features(), losses);
      ++windows;
    });
  }
  agent.see_depths({});
  for (double& cost : costs) cost /= static_cast<double>(std::max<std::size_t>(windows, 1));
  lessons.costs = costs;
  return lessons;
}

GateOptions drawn_depths(int depth) {
  std::vector<double> histogram(static_cast<std::size_t>(depth) + 1, 1.0);
  histogram[0] = depth;
  return {.kind = Gate::random, .depth = depth, .histogram = histogram};
}

std::vector<MetWindow> gather_windows(WindowAgent& agent, std::uint64_t seed, int episodes) {
  std::vector<MetWindow> windows;
  Random random(kMetricSeeds + seed);
  EnergyPoint point;
  for (int n = 0; n < episodes; ++n) {
    const Damage damage = draw_damage(kMetricSeeds + seed, n);
    Fold fold = damage.bent;
    Surroundings surroundings(fold.protein(), {});
    std::optional<MetWindow> chosen;
    int damaged = 0;
    agent.begin();
    for (int step = 0; step < damage.windows(); ++step) {
      const Window window = damage.window(step);
      const Energy energy(fold.protein(), surroundings, window);
      Torsions torsions = fold.torsions(window);
      // each damaged window of the pass is as likely as any other
      if (energy.evaluate(torsions, {}, point) > kDamaged && random.below(++damaged) == 0) {
        auto kept = std::make_unique<const Surroundings>(surroundings);
        const Energy own(fold.protein(), *kept, window);
        chosen = MetWindow{std::move(kept), own, emphasis_at(point.gap_length()), torsions};
      }
      if (agent.step(energy, torsions).moved) commit(fold, surroundings, energy, torsions);
    }
    if (chosen) windows.push_back(*std::move(chosen));
  }
  return windows;
}

}  // namespace elastane::protein_loop
