#include "lab/maze/lesson.h"

#include <algorithm>
#include <cmath>

#include "elastane/core/base/random.h"
#include "elastane/core/math/kernels.h"

namespace elastane::maze {
namespace {

constexpr int kAhead = 6;      // steps over which a depth is judged
constexpr double kFade = 0.9;  // what a step later counts

// a walk with a re-planner looking on; at every step somebody takes notes
class Lesson {
 public:
  Lesson(const LessonOptions& options, std::uint64_t seed)
      : options_(options),
        random_(seed, 3ULL << 50U),
        task_(draw_lattice(options.lattice, kLessons ^ seed)),
        walk_(task_),
        agent_({task_.plan.width(), task_.plan.height(), task_.moves}, options.mind),
        trial_(all_depths(options.mind), agent_.map().latents(), agent_.map().outputs(), *kernels().value()) {}

  // note(lesson) is called after the step was refined, with all depths tried before
  template <class Try, class Note>
  void give(Try try_depth, Note note) {
    agent_.begin(task_);
    expert_.begin(task_);
    const bool guided = !options_.mind.head.present() || random_.uniform() < options_.expert_share;
    while (!walk_.over()) {
      sight_ = walk_.look();
      expert_.see(sight_);
      agent_.see(sight_);
      trial_.run(agent_.map(), agent_.objective(), agent_.map().z(), agent_.memory(),
                 [&](int depth, std::span<const double> z, std::span<const double>) { try_depth(*this, depth, z); });
      agent_.refine();
      note(*this);
      const int way = guided ? expert_.act() : agent_.decide(sight_);
      walk_.move(random_.uniform() < options_.stray ? random_.below(kLessonWays) : way);
    }
  }

  Situation situation() const { return {agent_.map(), options_.mind.head, walk_, expert_, sight_}; }
  const Sight& sight() const { return sight_; }
  const MapAgent& agent() const { return agent_; }
  const Replanner& expert() const { return expert_; }

 private:
  const LessonOptions& options_;
  Random random_;
  Task task_;
  Walk walk_;
  MapAgent agent_;
  Replanner expert_;
  DepthTrial trial_;
  Sight sight_;
};

// p_k: of a learned gate its probabilities, of the others what they did or may do
std::array<double, kDepth + 1> depth_shares(const MapAgent& agent) {
  std::array<double, kDepth + 1> shares = {};
  const GateOptions& gate = agent.mind().gate;
  if (gate.kind == Gate::random) {
    for (std::size_t k = 0; k < shares.size(); ++k) shares[k] = gate.histogram.empty() ? 1 : gate.histogram[k];
  } else if (gate.kind == Gate::learned) {
    std::array<double, kMostScoreHidden> hidden;
    agent.mind().learned.score(agent.corrector().gate_features().data(), hidden.data(), shares.data());
    const double highest = *std::ranges::max_element(shares);
    for (double& share : shares) share = std::exp(share - highest);
  } else {
    shares[static_cast<std::size_t>(std::min(agent.report().depth, kDepth))] = 1;
  }
  double sum = 0;
  for (const double share : shares) sum += share;
  for (double& share : shares) share /= sum;
  return shares;
}

double surprise_at(const MapLatent& map, const Head& head, const Sight& sight, const Replanner& expert,
                   Scores& scores) {
  Around around;
  look_around(map, map.z(), sight, around);
  const std::span<double> ways(scores.data(), kLessonWays);
  judge(head, around, Moves::four, ways);
  return surprise(sight, ways, std::span<const double>(expert.shares()).first(kLessonWays));
}

}  // namespace

double loss_ahead(const Situation& now, std::span<const double> z) {
  MapLatent map = now.map;
  std::ranges::copy(z, map.z().begin());
  map.commit();
  Walk walk = now.walk;
  Replanner expert = now.expert;
  Sight sight = now.sight;
  Scores scores = {};
  double loss = 0, weight = 1;
  for (int step = 0; step < kAhead; ++step, weight *= kFade) {
    loss += weight * surprise_at(map, now.head, sight, expert, scores);
    walk.move(best_way(sight, std::span<const double>(scores).first(kLessonWays)));
    if (walk.arrived()) break;
    sight = walk.look();
    expert.see(sight);
    map.write(sight);
  }
  return loss;
}

void gather(const LessonOptions& options, std::uint64_t seed, HeadLessons& lessons) {
  Lesson lesson(options, seed);
  lesson.give(
      [&](const Lesson& at, int, std::span<const double> z) {
        Around around;
        look_around(at.agent().map(), z, at.sight(), around);
        for (std::size_t way = 0; way < kLessonWays; ++way) {
          lessons.features.insert(lessons.features.end(), around[way].begin(), around[way].end());
        }
      },
      [&](const Lesson& at) {
        const Replanner::Shares shares = at.expert().shares();
        lessons.shares.insert(lessons.shares.end(), shares.begin(), shares.begin() + kLessonWays);
        for (int way = 0; way < kLessonWays; ++way) lessons.open.push_back(looks_free(at.sight(), way) ? 1 : 0);
        const auto depths = depth_shares(at.agent());
        lessons.weights.insert(lessons.weights.end(), depths.begin(), depths.end());
      });
}

void gather(const LessonOptions& options, std::uint64_t seed, DepthExamples& lessons) {
  Lesson lesson(options, seed);
  std::array<double, kDepth + 1> losses = {};
  lesson.give(
      [&](const Lesson& at, int depth, std::span<const double> z) {
        losses[static_cast<std::size_t>(depth)] = loss_ahead(at.situation(), z);
      },
      [&](const Lesson& at) { lessons.add(at.agent().corrector().gate_features(), losses); });
}

CorrectorOptions all_depths(const Mind& mind) {
  CorrectorOptions options = corrector_options(mind);
  options.gate = {.kind = Gate::always, .depth = kDepth};
  return options;
}

std::vector<double> depth_costs(const MapShape& shape, const Mind& mind) {
  const MapLatent map(shape.width, shape.height, shape.moves);
  std::vector<double> costs;
  for (int depth = 0; depth <= kDepth; ++depth) {
    CorrectorOptions options = corrector_options(mind);
    options.gate = {.kind = depth == 0 ? Gate::never : Gate::always, .depth = depth};
    const Corrector corrector(options, map.latents(), map.outputs(), *kernels().value());
    costs.push_back(static_cast<double>(depth == 0 ? map.cost().read : corrector.most_macs(map.cost())) / kCostUnit);
  }
  return costs;
}

}  // namespace elastane::maze
