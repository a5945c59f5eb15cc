#include "lab/maze/training_map.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>

#include "command_line/messages.h"
#include "elastane/io/file.h"
#include "elastane/train/gate_training.h"
#include "lab/maze/agent_configs.h"
#include "lab/maze/training_head.h"
#include "lab/maze/validation.h"

namespace elastane::maze {
namespace {

constexpr int kValidationMazes = 1024;
constexpr int kKeptRounds = 2;  // of examples: older ones are of states that the trainee no longer visits

void append(HeadExamples& to, const HeadExamples& from) {
  const auto join = [](std::vector<float>& a, const std::vector<float>& b) { a.insert(a.end(), b.begin(), b.end()); };
  join(to.features, from.features);
  join(to.shares, from.shares);
  join(to.open, from.open);
  join(to.weights, from.weights);
}

// A configuration in training. Walks are numbered consecutively, so that no maze is seen twice.
class Trainee {
 public:
  Trainee(const MapTraining& training, std::string name, AgentConfig config)
      : training_(training), name_(std::move(name)), config_(std::move(config)) {}

  void learn_moves() {
    HeadExamples fresh;
    for (int walk = 0; walk < training_.walks; ++walk) gather(options(), next_seed(), fresh);
    rounds_.push_back(std::move(fresh));
    if (rounds_.size() > kKeptRounds) rounds_.erase(rounds_.begin());
    HeadExamples all;
    for (const HeadExamples& round : rounds_) append(all, round);
    const TrainedHead trained = train_head(config_.head, all, {.seed = training_.seed});
    config_.head = trained.head;
    command_line::print_stderr("{:<10} head: {} examples, loss {:.4f}\n", name_, all.size(), trained.loss);
  }

  void learn_depths() {
    DepthExamples examples{.features = {}, .losses = {}, .costs = depth_costs(shape(), config_)};
    for (int walk = 0; walk < training_.walks; ++walk) gather(options(), next_seed(), examples);
    const auto method = std::ranges::find(train::kGateMethods, training_.method, [](auto m) { return train::name(m); });
    config_.learned =
        train::train_gate(examples, {.loss = {.method = *method}, .price = training_.price, .seed = training_.seed});
    config_.gate = {.kind = Gate::learned, .depth = kDepth};
    command_line::print_stderr("{:<10} gate: {} examples\n", name_, examples.size());
  }

  // how often each depth is granted, on further walks
  std::vector<double> histogram() {
    MapAgent agent(shape(), config_);
    std::vector<double> counts(kDepth + 1);
    for (int walk = 0; walk < training_.walks; ++walk) {
      const Episode episode = draw_lattice(options().lattice, kTrainingSeeds ^ next_seed());
      agent.begin(episode);
      Environment environment(episode);
      while (!environment.over()) {
        environment.step(agent.act(environment.observe()));
        ++counts[static_cast<std::size_t>(std::min(agent.report().depth, kDepth))];
      }
    }
    double sum = 0;
    for (const double count : counts) sum += count;
    for (double& count : counts) count /= sum;
    return counts;
  }

  AgentConfig& config() { return config_; }

 private:
  ExampleOptions options() const { return {.lattice = {.size = training_.size}, .config = config_}; }
  MapShape shape() const { return {training_.size, training_.size, Moves::four}; }
  std::uint64_t next_seed() { return (training_.seed << 32U) + walked_++; }

  const MapTraining& training_;
  std::string name_;
  AgentConfig config_;
  std::vector<HeadExamples> rounds_;
  std::uint64_t walked_ = 0;
};

// the gate is random at first, so that the head sees every depth; then head and gate learn in turn
AgentConfig learn_esm(const MapTraining& training, std::vector<double>& histogram) {
  AgentConfig random_gate = untrained_config("esm");
  random_gate.gate.kind = Gate::random;
  Trainee trainee(training, "esm", random_gate);
  trainee.learn_moves();
  for (int round = 1; round < training.rounds; ++round) {
    trainee.learn_depths();
    trainee.learn_moves();
  }
  trainee.learn_depths();
  histogram = trainee.histogram();
  return trainee.config();
}

AgentConfig learn_head(const MapTraining& training, const std::string& name, const AgentConfig& config) {
  Trainee trainee(training, name, config);
  for (int round = 0; round < training.rounds; ++round) trainee.learn_moves();
  return trainee.config();
}

void print_header() {
  fmt::print("{:<10} {:>8} {:>5}  within 2 x, 3 x, 4 x   mean K  K = 0  multiply-adds per step   (validation mazes)\n",
             "agent", "price", "seed");
}

void print_score(const MapTraining& training, const std::string& name, const AgentConfig& config) {
  MapAgent agent({training.size, training.size, Moves::four}, config);
  const ValidationScore s = validation_score(agent, {.lattice = {.size = training.size}, .mazes = kValidationMazes});
  fmt::print("{:<10} {:>8} {:>5}  {:.3f}  {:.3f}  {:.3f}     {:.3f}  {:.3f}  {:>8.0f}\n", name, training.price,
             training.seed, s.within_2, s.within_3, s.within_4, s.depth, s.idle, s.macs);
  std::fflush(stdout);
}

}  // namespace

void train_map_agents(const MapTraining& training) {
  validate(LatticeOptions{.size = training.size}).value();
  const auto begun = std::chrono::steady_clock::now();
  AgentConfigs configs;
  std::vector<double> histogram;
  configs["esm"] = learn_esm(training, histogram);
  for (const std::string name : kConfigNames) {
    if (name == "esm" || (!training.only.empty() && name != training.only)) continue;
    AgentConfig config = untrained_config(name);
    if (config.gate.kind == Gate::random) config.gate.histogram = histogram;
    configs[name] = learn_head(training, name, config);
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
  print_header();
  for (const auto& [name, config] : configs) print_score(training, name, config);
  fmt::print("{} agents in {:.0f} s\n", configs.size(), took.count());
  if (!training.only.empty()) return;
  const std::map<std::string, std::string> metadata = {
      {"trained", fmt::format("maze, {} x {}, seed {}, price {}, commit {}", training.size, training.size,
                              training.seed, training.price, training.record.commit)},
      {"command", training.record.command}};
  write_file(training.output, format_agent_configs(configs, metadata).value()).value();
}

void train_map_prices(const MapTraining& training, const PriceSweep& sweep) {
  validate(LatticeOptions{.size = training.size}).value();
  const std::map<std::string, std::string> metadata = {
      {"trained", fmt::format("maze prices, {} x {}, commit {}", training.size, training.size, training.record.commit)},
      {"command", training.record.command}};
  std::vector<PricedAgentConfig> configs;
  print_header();
  for (const double price : sweep.prices) {
    for (int seed = 1; seed <= sweep.seeds; ++seed) {
      MapTraining one = training;
      one.price = price;
      one.seed = static_cast<std::uint64_t>(seed);
      std::vector<double> histogram;
      configs.push_back({price, seed, learn_esm(one, histogram)});
      print_score(one, "esm", configs.back().config);
      // written after every training, so that an interrupted sweep is not lost
      write_file(training.output, format_priced_configs(configs, metadata).value()).value();
    }
  }
}

}  // namespace elastane::maze
