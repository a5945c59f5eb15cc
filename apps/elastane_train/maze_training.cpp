#include "apps/elastane_train/maze_training.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>

#include "command_line/commit.h"
#include "apps/elastane_train/maze_head.h"
#include "elastane/io/file.h"
#include "elastane/train/gate_training.h"
#include "lab/maze/minds.h"
#include "lab/maze/trial.h"

namespace elastane::app {
namespace {

using namespace elastane::maze;

constexpr int kTrialMazes = 1024;
constexpr int kKeptRounds = 2;  // of lessons: older ones are of walks that nobody makes any more

// A mind in the making. Walks are numbered through, so that no two rounds see the same maze
class Pupil {
 public:
  Pupil(const MazeRun& run, std::string name, Mind mind) : run_(run), name_(std::move(name)), mind_(std::move(mind)) {}

  void learn_moves() {
    HeadLessons fresh;
    for (int walk = 0; walk < run_.walks; ++walk) gather(options(), next_seed(), fresh);
    rounds_.push_back(std::move(fresh));
    if (rounds_.size() > kKeptRounds) rounds_.erase(rounds_.begin());
    HeadLessons all;
    for (const HeadLessons& round : rounds_) {
      const auto join = [](std::vector<float>& to, const std::vector<float>& from) {
        to.insert(to.end(), from.begin(), from.end());
      };
      join(all.features, round.features);
      join(all.shares, round.shares);
      join(all.open, round.open);
      join(all.weights, round.weights);
    }
    const TrainedHead trained = train_head(mind_.head, all, {.seed = run_.seed});
    mind_.head = trained.head;
    fmt::print(stderr, "{:<10} head: {} steps of walks, loss {:.4f}\n", name_, all.size(), trained.loss);
  }

  void learn_depths() {
    DepthExamples lessons{.features = {}, .losses = {}, .costs = depth_costs(shape(), mind_)};
    for (int walk = 0; walk < run_.walks; ++walk) gather(options(), next_seed(), lessons);
    const auto method = std::ranges::find(train::kGateMethods, run_.method, [](auto m) { return train::name(m); });
    mind_.learned = train::train_gate(lessons, {.loss = {.method = *method}, .price = run_.price, .seed = run_.seed});
    mind_.gate = {.kind = Gate::learned, .depth = kDepth};
    fmt::print(stderr, "{:<10} gate: {} steps of walks\n", name_, lessons.size());
  }

  // how often each depth is granted on walks of its own
  std::vector<double> histogram() {
    MapAgent agent(shape(), mind_);
    std::vector<double> counts(kDepth + 1);
    for (int walk = 0; walk < run_.walks; ++walk) {
      const Task task = draw_lattice(options().lattice, kLessons ^ next_seed());
      agent.begin(task);
      Walk on(task);
      while (!on.over()) {
        on.move(agent.act(on.look()));
        ++counts[static_cast<std::size_t>(std::min(agent.report().depth, kDepth))];
      }
    }
    double sum = 0;
    for (const double count : counts) sum += count;
    for (double& count : counts) count /= sum;
    return counts;
  }

  Mind& mind() { return mind_; }

 private:
  LessonOptions options() const { return {.lattice = {.size = run_.size}, .mind = mind_}; }
  MapShape shape() const { return {run_.size, run_.size, Moves::four}; }
  std::uint64_t next_seed() { return (run_.seed << 32U) + walked_++; }

  const MazeRun& run_;
  std::string name_;
  Mind mind_;
  std::vector<HeadLessons> rounds_;
  std::uint64_t walked_ = 0;
};

// the gate is drawn at first, so that the head sees every depth; then each learns from what the other does
Mind learn_esm(const MazeRun& run, std::vector<double>& histogram) {
  Mind drawn = plain_mind("esm");
  drawn.gate.kind = Gate::random;
  Pupil pupil(run, "esm", drawn);
  pupil.learn_moves();
  for (int round = 1; round < run.rounds; ++round) {
    pupil.learn_depths();
    pupil.learn_moves();
  }
  pupil.learn_depths();
  histogram = pupil.histogram();
  return pupil.mind();
}

Mind learn_head(const MazeRun& run, const std::string& name, const Mind& mind) {
  Pupil pupil(run, name, mind);
  for (int round = 0; round < run.rounds; ++round) pupil.learn_moves();
  return pupil.mind();
}

void print_header() {
  fmt::print("{:<10} {:>8} {:>5}  within 2 x, 3 x, 4 x   mean K  K = 0  madds a step   (mazes of no contest)\n", "mind",
             "price", "seed");
}

void print_trial(const MazeRun& run, const std::string& name, const Mind& mind) {
  MapAgent agent({run.size, run.size, Moves::four}, mind);
  const TrialScore s = try_out(agent, {.lattice = {.size = run.size}, .mazes = kTrialMazes});
  fmt::print("{:<10} {:>8} {:>5}  {:.3f}  {:.3f}  {:.3f}     {:.3f}  {:.3f}  {:>8.0f}\n", name, run.price, run.seed,
             s.within_2, s.within_3, s.within_4, s.depth, s.idle, s.macs);
  std::fflush(stdout);
}

}  // namespace

void train_maze(const MazeRun& run) {
  validate(LatticeOptions{.size = run.size}).value();
  const auto begun = std::chrono::steady_clock::now();
  Minds minds;
  std::vector<double> histogram;
  minds["esm"] = learn_esm(run, histogram);
  for (const std::string name : kMindNames) {
    if (name == "esm" || (!run.only.empty() && name != run.only)) continue;
    Mind mind = plain_mind(name);
    if (mind.gate.kind == Gate::random) mind.gate.histogram = histogram;
    minds[name] = learn_head(run, name, mind);
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
  print_header();
  for (const auto& [name, mind] : minds) print_trial(run, name, mind);
  fmt::print("{} minds in {:.0f} s\n", minds.size(), took.count());
  if (!run.only.empty()) return;
  const std::map<std::string, std::string> metadata = {
      {"trained",
       fmt::format("maze, {} x {}, seed {}, price {}, commit {}", run.size, run.size, run.seed, run.price, commit())},
      {"command", run.command}};
  write_file(run.output, format_minds(minds, metadata).value()).value();
}

void train_maze_prices(const MazeRun& run, const PriceSweep& sweep) {
  validate(LatticeOptions{.size = run.size}).value();
  const std::map<std::string, std::string> metadata = {
      {"trained", fmt::format("maze prices, {} x {}, commit {}", run.size, run.size, commit())},
      {"command", run.command}};
  std::vector<PricedMind> minds;
  print_header();
  for (const double price : sweep.prices) {
    for (int seed = 1; seed <= sweep.seeds; ++seed) {
      MazeRun one = run;
      one.price = price;
      one.seed = static_cast<std::uint64_t>(seed);
      std::vector<double> histogram;
      minds.push_back({price, seed, learn_esm(one, histogram)});
      print_trial(one, "esm", minds.back().mind);
      // as far as it went, so that a sweep that is stopped is not lost
      write_file(run.output, format_priced_minds(minds, metadata).value()).value();
    }
  }
}

}  // namespace elastane::app
