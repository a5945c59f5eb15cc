// Residues stream by: every agent on the same damaged proteins, what it costs, and where it spends its micro-steps.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "elastane/worlds/contest/latency.h"
#include "elastane/worlds/protein_loop/agents.h"
#include "elastane/worlds/protein_loop/contest.h"
#include "elastane/worlds/protein_loop/play.h"

namespace elastane::protein_loop {
namespace {

struct Options {
  std::string models = "models", json;
  std::vector<std::string> only;
  std::uint64_t seed = 1;
  int episodes = 128;
};

// micro-steps of windows at some distance from the bent loop
struct Spent {
  double depth = 0, windows = 0;
  double mean() const { return windows > 0 ? depth / windows : 0; }
};

struct Score {
  std::vector<double> excess;  // ΔE of each episode
  double repaired = 0, madds = 0, zero = 0;
  Spent all, inside, near, beyond;
  contest::Latency latency;

  double mean_excess() const {
    double sum = 0;
    for (const double e : excess) sum += e;
    return sum / static_cast<double>(excess.size());
  }
  double median_excess() const {
    std::vector<double> sorted = excess;
    std::ranges::sort(sorted);
    return sorted[sorted.size() / 2];
  }
};

Score score(const Options& options, WindowAgent& agent) {
  Score s;
  for (int n = 0; n < options.episodes; ++n) {
    const Pass pass = play(draw_damage(options.seed, n), agent, [&](const PassedWindow& window) {
      s.latency.add(window.micros);
      s.zero += window.did.depth == 0 ? 1 : 0;
      Spent& there = window.distance == 0 ? s.inside : window.distance <= 10 ? s.near : s.beyond;
      for (Spent* one : {&s.all, &there}) one->depth += window.did.depth, one->windows += 1;
      s.madds += window.did.madds;
    });
    s.excess.push_back(pass.excess());
    s.repaired += pass.verdict.is_repaired() ? 1 : 0;
  }
  s.repaired /= options.episodes;
  s.madds /= s.all.windows;
  s.zero /= s.all.windows;
  return s;
}

int run(int argc, char** argv) {
  Options options;
  CLI::App app("Damaged proteins that stream by: energies, compute, and where it went");
  app.add_option("--models", options.models, "folder of the networks and the gate")->capture_default_str();
  app.add_option("--only", options.only, "agents by name")->delimiter(',');
  app.add_option("--seed", options.seed, "of the proteins")->capture_default_str();
  app.add_option("--episodes", options.episodes, "how many")->check(CLI::Range(1, 100000))->capture_default_str();
  app.add_option("--json", options.json, "file for the figures");
  CLI11_PARSE(app, argc, argv);

  const Networks networks = load_networks(options.models).value();
  const auto unit = [&](const char* name) {
    for (const Agent& agent : agents(networks)) {
      if (agent.name == name) return score(options, *make_agent(agent, networks));
    }
    throw_error(std::string("[stream] no agent ") + name);
  };
  const double ssm = unit("ssm").mean_excess(), transformer = unit("transformer").madds;
  fmt::print(
      "energy: mean of E − E of the undamaged protein, over the SSM's {:.1f}; compute: multiply-adds over the "
      "Transformer's {:.0f}\n",
      ssm, transformer);
  fmt::print("{:22} {:>8} {:>9} {:>9} {:>9} {:>8} {:>6} {:>6} {:>7} {:>6} {:>7} {:>7}\n", "agent", "energy", "mean",
             "median", "repaired", "compute", "K", "K = 0", "inside", "near", "beyond", "p50 µs");
  nlohmann::ordered_json rows;
  for (const Agent& agent : agents(networks, depths_of_gate(networks))) {
    if (!options.only.empty() && std::ranges::find(options.only, agent.name) == options.only.end()) continue;
    const Score s = score(options, *make_agent(agent, networks));
    fmt::print("{:22} {:8.4f} {:9.2f} {:9.2f} {:9.3f} {:8.3f} {:6.2f} {:6.3f} {:7.3f} {:6.3f} {:7.3f} {:7.1f}\n",
               agent.name, s.mean_excess() / ssm, s.mean_excess(), s.median_excess(), s.repaired, s.madds / transformer,
               s.all.mean(), s.zero, s.inside.mean(), s.near.mean(), s.beyond.mean(), s.latency.quantile(0.5));
    rows.push_back({{"agent", agent.name},
                    {"energy", s.mean_excess() / ssm},
                    {"mean", s.mean_excess()},
                    {"median", s.median_excess()},
                    {"repaired", s.repaired},
                    {"compute", s.madds / transformer},
                    {"mean_depth", s.all.mean()},
                    {"zero_share", s.zero},
                    {"inside", s.inside.mean()},
                    {"near", s.near.mean()},
                    {"beyond", s.beyond.mean()},
                    {"step_p50_us", s.latency.quantile(0.5)}});
  }
  if (!options.json.empty()) std::ofstream(options.json) << rows.dump(1) << '\n';
  return 0;
}

}  // namespace
}  // namespace elastane::protein_loop

int main(int argc, char** argv) {
  try {
    return elastane::protein_loop::run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
