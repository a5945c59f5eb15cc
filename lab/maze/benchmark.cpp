#include "lab/maze/benchmark.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "elastane/core/base/checksum.h"
#include "elastane/core/base/clock.h"
#include "lab/maze/lattice.h"
#include "lab/maze/roster.h"

namespace elastane::maze {
namespace {

using benchmark::Claim;
using benchmark::Measure;

// what micro-steps are counted by, beside the kind of place
constexpr std::array kLossNames = {"none", "below 1e-4", "1e-4 to 0.01", "0.01 to 0.1", "above 0.1"};
std::size_t loss_class(double loss) {
  if (!(loss > 0)) return 0;
  return loss < 1e-4 ? 1 : loss < 1e-2 ? 2 : loss < 0.1 ? 3 : 4;
}

constexpr std::array kDepthNames = {"0", "1", "2", "3", "4"};
std::size_t depth_class(int depth) { return std::min(static_cast<std::size_t>(depth), kDepthNames.size() - 1); }

std::uint64_t number_of(std::uint64_t seed, int episode) {
  return seed * 1'000'003 + static_cast<std::uint64_t>(episode);
}

class MazePlayer final : public benchmark::Player {
 public:
  MazePlayer(const Course& course, std::unique_ptr<Agent> agent) : course_(course), agent_(std::move(agent)) {}

  benchmark::Outcome play(std::uint64_t seed, int episode, benchmark::Latency& latency) override {
    benchmark::Outcome outcome = maze::play(*agent_, course_.draw(seed, episode), latency);
    outcome.world = static_cast<int>(number_of(seed, episode) & 0x7FFFFFFFU);  // every episode has a maze of its own
    return outcome;
  }

 private:
  const Course& course_;
  std::unique_ptr<Agent> agent_;
};

std::vector<Claim> claims_of(const Walkers& walkers) {
  std::vector<Claim> claims = {
      {"ESM beats the same map without refinement", {"esm"}, "k0", Measure::success, 0},
      {"… and a random gate that goes as deep as often", {"esm"}, "random", Measure::success, 0},
      {"… and the Euclidean metric", {"esm"}, "euclidean", Measure::success, 0},
      {"… and the diagonal one", {"esm"}, "diagonal", Measure::success, 0}};
  for (const Network& network : walkers.networks) {
    claims.push_back({"ESM beats the network " + network.name, {"esm"}, network.name, Measure::success, 0});
  }
  return claims;
}

}  // namespace

Course lattice_course(int size) {
  return {.name = size == LatticeOptions{}.size ? "maze" : "maze_" + std::to_string(size),
          .shape = {size, size, Moves::four},
          .draw = [size](std::uint64_t seed, int episode) {
            return draw_lattice({.size = size}, number_of(seed, episode));
          }};
}

Course map_course(const std::string& name, const Grid& map, std::vector<MapErrand> errands,
                  const MapCourseOptions& options) {
  // nobody walks where start and goal are the same
  std::erase_if(errands, [](const MapErrand& errand) { return errand.start == errand.goal; });
  return {
      .name = name, .shape = {map.width(), map.height(), Moves::eight}, .draw = [=](std::uint64_t seed, int episode) {
        const auto which = static_cast<std::size_t>(episode) % errands.size();
        Task task = make_task(map, errands[which], options.told).value();
        task.seed = number_of(seed, episode);
        return options.still ? task : with_change(task, {}, task.seed);
      }};
}

MazeBenchmark::MazeBenchmark(Walkers walkers, Course course)
    : walkers_(std::move(walkers)),
      course_(std::move(course)),
      entrants_(line_up(walkers_, course_.shape)),
      claims_(claims_of(walkers_)) {
  for (const Entrant& entrant : entrants_) cards_.push_back(entrant.card);
  for (Entrant& entrant : priced_line_up(walkers_)) {
    grid_.push_back(entrant.card);
    entrants_.push_back(std::move(entrant));
  }
  for (const char* place : kPlaceNames) tallied_.push_back({"cell", place});
  for (const char* loss : kLossNames) tallied_.push_back({"loss", loss});
  for (const char* depth : kDepthNames) tallied_.push_back({benchmark::kByDepth, depth});
}

// the longest shortest way there can be, so many times
int MazeBenchmark::limit() const { return static_cast<int>(kLongest) * course_.shape.width * course_.shape.height; }

std::uint64_t MazeBenchmark::fingerprint() const {
  std::vector<std::uint64_t> all = {hash64(format_minds(walkers_.minds).value())};
  for (const Network& network : walkers_.networks) all.push_back(network.model.fingerprint());
  all.push_back(hash64(format_priced_minds(walkers_.priced).value()));
  return hash64(std::as_bytes(std::span(all)));
}

std::unique_ptr<benchmark::Player> MazeBenchmark::player(int agent) const {
  return std::make_unique<MazePlayer>(course_, entrant(agent).make(course_.shape));
}

benchmark::Outcome play(Agent& agent, const Task& task, benchmark::Latency& latency) {
  benchmark::Outcome outcome;
  outcome.tallies.resize(kPlaces + kLossNames.size() + kDepthNames.size());
  Walk walk(task);
  agent.begin(task);
  while (!walk.over()) {
    const Sight sight = walk.look();
    const Place place = place_of(task, walk.grid(), walk.position());
    agent.watch(walk);
    const double begun = now_micros();
    const int way = agent.act(sight);
    const StepReport& report = agent.report();
    latency.add(now_micros() - begun);
    latency.add(report);
    walk.move(way);
    outcome.violations += walk.bumped() ? 1 : 0;
    outcome.corrections += report.depth;
    outcome.accepted += report.accepted;
    outcome.idle += report.depth == 0 ? 1 : 0;
    outcome.products += report.products;
    outcome.condition += report.condition * report.depth;
    outcome.macs += static_cast<double>(report.total_macs());
    for (const std::size_t at : {static_cast<std::size_t>(place), kPlaces + loss_class(report.loss_before),
                                 kPlaces + kLossNames.size() + depth_class(report.depth)}) {
      outcome.tallies[at].steps += 1;
      outcome.tallies[at].micro_steps += report.depth;
    }
  }
  outcome.success = walk.arrived() && walk.ratio() <= kWithin;
  outcome.steps = walk.step();
  outcome.steps_after_change = std::max(0, walk.step() - std::min(walk.step(), task.change_at));
  outcome.regret = walk.arrived() ? walk.ratio() - 1 : kLongest;
  return outcome;
}

}  // namespace elastane::maze
