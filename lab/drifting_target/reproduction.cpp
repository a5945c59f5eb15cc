#include "lab/drifting_target/reproduction.h"

#include <fmt/core.h>

#include <cstdio>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>

#include "lab/drifting_target/environment.h"
#include "lab/drifting_target/interval.h"
#include "lab/drifting_target/roster.h"

namespace elastane::drifting_target {
namespace {

using OrderedJson = nlohmann::ordered_json;

struct Options {
  int seeds = 5, steps = 256;
  std::uint64_t first_seed = 1;
  std::string json;
};

// one method over all seeds
struct Results {
  std::vector<double> losses;  // by seed
  Outcome mean;                // without the loss
};

Results follow_each_seed(Episode episode, const CorrectorOptions& method, const Options& options) {
  Results results;
  episode.steps = options.steps;
  for (int s = 0; s < options.seeds; ++s) {
    episode.seed = options.first_seed + static_cast<std::uint64_t>(s);
    const Outcome outcome = follow(episode, method);
    results.losses.push_back(outcome.loss);
    results.mean.accepted += outcome.accepted / options.seeds;
    results.mean.condition += outcome.condition / options.seeds;
    results.mean.macs += outcome.macs / options.seeds;
  }
  return results;
}

void print_row(const Episode& episode, const std::string& name, const Results& results, OrderedJson& rows) {
  const Interval loss = interval(results.losses);
  const Outcome& mean = results.mean;
  fmt::print("| {} | {:.4g} | {:.2g} | {:.3f} | {:.3g} | {:.0f} |\n", name, loss.mean, loss.half, mean.accepted,
             mean.condition, mean.macs);
  std::fflush(stdout);
  rows.push_back({{"outputs", episode.outputs},
                  {"sharpness", episode.sharpness},
                  {"method", name},
                  {"loss", loss.mean},
                  {"loss_half_interval", loss.half},
                  {"losses", results.losses},
                  {"accepted", mean.accepted},
                  {"condition", mean.condition},
                  {"madds", mean.macs}});
}

// the claimed order, neighbour by neighbour
class Order {
 public:
  void add(const std::string& name, const std::vector<double>& losses) {
    if (!previous_losses_.empty()) compare(name, losses);
    previous_ = name;
    previous_losses_ = losses;
  }
  void print() const {
    fmt::print("\n");
    for (const std::string& verdict : verdicts_) fmt::print("- {}\n", verdict);
  }

  int departures = 0, beyond_chance = 0;  // neighbours in the other order, and those of them beyond their interval

 private:
  void compare(const std::string& name, const std::vector<double>& losses) {
    std::vector<double> paired;
    for (std::size_t s = 0; s < losses.size(); ++s) paired.push_back(losses[s] - previous_losses_[s]);
    const Interval gap = interval(paired);
    departures += gap.mean < 0 ? 1 : 0;
    beyond_chance += gap.mean < -gap.half ? 1 : 0;
    const char* relation = gap.mean >= 0 ? "<=" : gap.mean >= -gap.half ? "TIES WITH" : "DOES NOT LEAD";
    verdicts_.push_back(
        fmt::format("{} {} {} (paired difference {:.3g} ± {:.2g})", previous_, relation, name, gap.mean, gap.half));
  }

  std::string previous_;
  std::vector<double> previous_losses_;
  std::vector<std::string> verdicts_;
};

Order run_table(const Episode& episode, const Options& options, OrderedJson& rows) {
  fmt::print("\n{} outputs, {} decoder\n\n", episode.outputs, episode.sharpness > 1 ? "sharper" : "plain");
  fmt::print("| method | mean loss | ± 95 % | accepted | condition | multiply-adds |\n");
  fmt::print("| --- | --: | --: | --: | --: | --: |\n");
  Order order;
  for (const RosterEntry& method : make_roster()) {
    const Results results = follow_each_seed(episode, method.options, options);
    print_row(episode, method.name, results, rows);
    if (method.ordered) order.add(method.name, results.losses);
  }
  order.print();
  return order;
}

int run(const Options& options) {
  OrderedJson rows = OrderedJson::array();
  int departures = 0, beyond_chance = 0;
  fmt::print("Mean loss after one correction per step; {} latents, {} steps, {} seeds from {}.\n", kLatents,
             options.steps, options.seeds, options.first_seed);
  for (const double sharpness : {1.0, 2.5}) {
    for (const int outputs : {6, 32}) {
      const Order order = run_table({.outputs = outputs, .sharpness = sharpness}, options, rows);
      departures += order.departures;
      beyond_chance += order.beyond_chance;
    }
  }
  fmt::print(
      "\n{} departures from exact <= conjugate_gradient <= sketch < euclidean < literal < none, {} of them beyond "
      "their interval\n",
      departures, beyond_chance);
  if (!options.json.empty()) std::ofstream(options.json) << rows.dump(1) << "\n";
  return 0;
}

void declare(command_line::Command& reproduce) {
  auto options = std::make_shared<Options>();
  reproduce.option("--seeds", options->seeds, "how many").range(1, 1000);
  reproduce.option("--first-seed", options->first_seed, "the first of them");
  reproduce.option("--steps", options->steps, "of each stream; the target jumps at each quarter").range(8, 1'000'000);
  reproduce.option("--json", options->json, "write the rows to this file, as a JSON list").type("FILE");
  reproduce.footer("Example:\n  elastane reproduce drifting_target --seeds 10 --first-seed 100 --json rows.json");
  reproduce.action([options] { return run(*options); });
}

}  // namespace

lab::Reproduction drifting_target_reproduction() {
  return {.name = "drifting_target",
          .what = "A drifting target, followed by correcting the latent in each metric",
          .cost = "a few seconds",
          .declare = declare};
}

}  // namespace elastane::drifting_target
