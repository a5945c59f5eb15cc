#include "lab/maze/examples.h"

#include <algorithm>
#include <cmath>

#include "elastane/core/base/random.h"
#include "elastane/core/math/kernels.h"

namespace elastane::maze {
namespace {

constexpr int kAhead = 6;      // steps over which the loss of a depth is summed
constexpr double kFade = 0.9;  // weight of each later step

// a walk that the expert follows; a callback records every step
class ExampleWalk {
 public:
  ExampleWalk(const ExampleOptions& options, std::uint64_t seed)
      : options_(options),
        random_(seed, 3ULL << 50U),
        episode_(draw_lattice(options.lattice, kTrainingSeeds ^ seed)),
        environment_(episode_),
        agent_({episode_.plan.width(), episode_.plan.height(), episode_.moves}, options.config),
        trial_(all_depths(options.config), agent_.map().latents(), agent_.map().outputs(), *kernels().value()) {}

  // try_depth(walk, depth, z) is called for every depth, then record(walk) after the step has been refined
  template <class Try, class Record>
  void run(Try try_depth, Record record) {
    agent_.begin(episode_);
    expert_.begin(episode_);
    const bool guided = !options_.config.head.present() || random_.uniform() < options_.expert_share;
    while (!environment_.over()) {
      observation_ = environment_.observe();
      expert_.observe(observation_);
      agent_.observe(observation_);
      trial_.run(agent_.map(), agent_.objective(), agent_.map().z(), agent_.memory(),
                 [&](int depth, std::span<const double> z, std::span<const double>) { try_depth(*this, depth, z); });
      agent_.refine();
      record(*this);
      const int move = guided ? expert_.act() : agent_.decide(observation_);
      environment_.step(random_.uniform() < options_.stray ? random_.below(kLatticeMoves) : move);
    }
  }

  Situation situation() const { return {agent_.map(), options_.config.head, environment_, expert_, observation_}; }
  const Observation& observation() const { return observation_; }
  const MapAgent& agent() const { return agent_; }
  const Expert& expert() const { return expert_; }

 private:
  const ExampleOptions& options_;
  Random random_;
  Episode episode_;
  Environment environment_;
  MapAgent agent_;
  Expert expert_;
  DepthTrial trial_;
  Observation observation_;
};

// p_k: the probabilities of a learned or random gate; of other gates 1 at the depth that was reached
std::array<double, kDepth + 1> depth_shares(const MapAgent& agent) {
  std::array<double, kDepth + 1> shares = {};
  const GateOptions& gate = agent.config().gate;
  if (gate.kind == Gate::random) {
    for (std::size_t k = 0; k < shares.size(); ++k) shares[k] = gate.histogram.empty() ? 1 : gate.histogram[k];
  } else if (gate.kind == Gate::learned) {
    std::array<double, kMostScoreHidden> hidden;
    agent.config().learned.score(agent.corrector().gate_features().data(), hidden.data(), shares.data());
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

double imitation_loss(const MapLatent& map, const Head& head, const Observation& observation, const Expert& expert,
                      Scores& scores) {
  AllMoveFeatures features;
  move_features(map, map.z(), observation, features);
  const std::span<double> moves(scores.data(), kLatticeMoves);
  score_moves(head, features, Moves::four, moves);
  return cross_entropy(observation, moves, std::span<const double>(expert.shares()).first(kLatticeMoves));
}

}  // namespace

double loss_ahead(const Situation& now, std::span<const double> z) {
  MapLatent map = now.map;
  std::ranges::copy(z, map.z().begin());
  map.commit();
  Environment environment = now.environment;
  Expert expert = now.expert;
  Observation observation = now.observation;
  Scores scores = {};
  double loss = 0, weight = 1;
  for (int step = 0; step < kAhead; ++step, weight *= kFade) {
    loss += weight * imitation_loss(map, now.head, observation, expert, scores);
    environment.step(best_free_move(observation, std::span<const double>(scores).first(kLatticeMoves)));
    if (environment.arrived()) break;
    observation = environment.observe();
    expert.observe(observation);
    map.write(observation);
  }
  return loss;
}

void gather(const ExampleOptions& options, std::uint64_t seed, HeadExamples& examples) {
  ExampleWalk walk(options, seed);
  walk.run(
      [&](const ExampleWalk& at, int, std::span<const double> z) {
        AllMoveFeatures features;
        move_features(at.agent().map(), z, at.observation(), features);
        for (std::size_t move = 0; move < kLatticeMoves; ++move) {
          examples.features.insert(examples.features.end(), features[move].begin(), features[move].end());
        }
      },
      [&](const ExampleWalk& at) {
        const Expert::Shares shares = at.expert().shares();
        examples.shares.insert(examples.shares.end(), shares.begin(), shares.begin() + kLatticeMoves);
        for (int move = 0; move < kLatticeMoves; ++move)
          examples.open.push_back(looks_free(at.observation(), move) ? 1 : 0);
        const auto depths = depth_shares(at.agent());
        examples.weights.insert(examples.weights.end(), depths.begin(), depths.end());
      });
}

void gather(const ExampleOptions& options, std::uint64_t seed, DepthExamples& examples) {
  ExampleWalk walk(options, seed);
  std::array<double, kDepth + 1> losses = {};
  walk.run([&](const ExampleWalk& at, int depth,
               std::span<const double> z) { losses[static_cast<std::size_t>(depth)] = loss_ahead(at.situation(), z); },
           [&](const ExampleWalk& at) { examples.add(at.agent().corrector().gate_features(), losses); });
}

CorrectorOptions all_depths(const AgentConfig& config) {
  CorrectorOptions options = corrector_options(config);
  options.gate = {.kind = Gate::always, .depth = kDepth};
  return options;
}

std::vector<double> depth_costs(const MapShape& shape, const AgentConfig& config) {
  const MapLatent map(shape.width, shape.height, shape.moves);
  std::vector<double> costs;
  for (int depth = 0; depth <= kDepth; ++depth) {
    CorrectorOptions options = corrector_options(config);
    options.gate = {.kind = depth == 0 ? Gate::never : Gate::always, .depth = depth};
    const Corrector corrector(options, map.latents(), map.outputs(), *kernels().value());
    costs.push_back(static_cast<double>(depth == 0 ? map.cost().read : corrector.most_macs(map.cost())) / kCostUnit);
  }
  return costs;
}

}  // namespace elastane::maze
