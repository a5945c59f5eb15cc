// The maze benchmark: everybody walks through the same mazes, and is told the same.
//
// Success is to arrive within kWithin times the shortest way (task.h). `regret` is by how much the way was longer, over
// the shortest: at most 1 is within twice of it, at most 3 within four times; more than 3: it did not arrive at all.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "elastane/core/network/model.h"
#include "lab/benchmark/benchmark.h"
#include "lab/maze/agent.h"
#include "lab/maze/map_file.h"
#include "lab/maze/minds.h"

namespace elastane::maze {

// which mazes: all of one shape, each by its numbers alone
struct Course {
  std::string name;
  MapShape shape;
  std::function<Task(std::uint64_t seed, int episode)> draw;
};
Course lattice_course(int size);
// errands over a map from a file; each is run in turn
struct MapCourseOptions {
  Told told = Told::map;
  bool still = false;  // no wall changes
};
Course map_course(const std::string& name, const Grid& map, std::vector<MapErrand> errands,
                  const MapCourseOptions& options = {});

// a stack of blocks that walks by itself, from a file of its name: maze_ssm.safetensors
struct Network {
  std::string name, what;
  Model model;
};

struct Walkers {
  Minds minds;
  std::vector<Network> networks = {};
  std::vector<PricedMind> priced = {};  // the grid: esm, with other prices of a micro-step
};
// the minds, and those networks and prices that lie in a folder
Result<Walkers> load_walkers(const std::string& folder);

// one that takes part, and how it is made
struct Entrant {
  benchmark::AgentCard card;
  std::function<std::unique_ptr<Agent>(const MapShape&)> make;
};

class MazeBenchmark final : public benchmark::Benchmark {
 public:
  MazeBenchmark(Walkers walkers, Course course);

  std::string name() const override { return course_.name; }
  int limit() const override;
  std::uint64_t fingerprint() const override;
  std::string reference() const override { return "k0"; }
  std::span<const benchmark::AgentCard> agents() const override { return cards_; }
  std::span<const benchmark::AgentCard> grid() const override { return grid_; }
  std::span<const benchmark::Claim> claims() const override { return claims_; }
  std::span<const benchmark::Tallied> tallied() const override { return tallied_; }
  std::unique_ptr<benchmark::Player> player(int agent) const override;

  const Course& course() const { return course_; }
  const Entrant& entrant(int agent) const { return entrants_[static_cast<std::size_t>(agent)]; }

 private:
  Walkers walkers_;
  Course course_;
  std::vector<Entrant> entrants_;  // the agents, then the grid
  std::vector<benchmark::AgentCard> cards_, grid_;
  std::vector<benchmark::Claim> claims_;
  std::vector<benchmark::Tallied> tallied_;
};

// one walk to its end
benchmark::Outcome play(Agent& agent, const Task& task, benchmark::Latency& latency);

}  // namespace elastane::maze
