// The peptide table's workshop: settings on validation seeds, a quick look at the table, structures for other programs.
//
//   peptide tune        every setting of the grid for every agent, on episodes of validation seeds
//   peptide look        the table without its statistics (elastane reproduce peptide has those)
//   peptide structures  last structures of successful episodes, as PDB files
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <future>
#include <iostream>

#include "lab/peptide/pdb.h"
#include "lab/peptide/run_episode.h"

namespace elastane::peptide {
namespace {

struct Options {
  std::string models = "models", folder = "structures";
  std::uint64_t seed = 1001;  // validation; the benchmark's are 1 to 5
  int episodes = 96;
  std::vector<std::string> only;
};

struct Score {
  double success = 0, steps = 0, joint = 0, clashes = 0, regret = 0, accepted = 0, condition = 0, macs = 0;
  benchmark::Latency latency;
};

bool is_wanted(const Options& options, const std::string& name) {
  return options.only.empty() || std::ranges::find(options.only, name) != options.only.end();
}

// on two threads; what comes out does not depend on them
std::vector<DrawnEpisode> draw_all(const Options& options) {
  std::vector<DrawnEpisode> drawn(static_cast<std::size_t>(options.episodes));
  const auto work = [&](int first) {
    for (int n = first; n < options.episodes; n += 2)
      drawn[static_cast<std::size_t>(n)] = draw_episode(options.seed, n);
  };
  auto other = std::async(std::launch::async, work, 1);
  work(0);
  other.get();
  return drawn;
}

Score score(const RosterEntry& agent, const Networks& networks, const std::vector<DrawnEpisode>& episodes) {
  Score sum;
  const auto driver = agent.oracle ? nullptr : make_agent(agent, networks);
  double corrections = 0, accepted = 0, successes = 0, taken = 0;
  for (const DrawnEpisode& drawn : episodes) {
    const benchmark::Outcome o =
        run_episode(drawn, driver.get(), [&](const Step& step) { sum.latency.add(step.micros); });
    successes += o.success ? 1 : 0;
    sum.joint += o.success ? o.steps : 0;
    sum.steps += o.steps, sum.clashes += o.violations, sum.regret += o.regret, sum.macs += o.macs;
    corrections += o.corrections, accepted += o.accepted, sum.condition += o.condition;
    taken += drawn.episode.ends();
  }
  const auto n = static_cast<double>(episodes.size());
  sum.success = successes / n;
  sum.clashes *= 1000 / sum.steps;
  sum.joint /= std::max(successes, 1.0), sum.steps /= n, sum.regret /= n, sum.macs /= taken;
  sum.accepted = corrections > 0 ? accepted / corrections : 0;
  sum.condition = corrections > 0 ? sum.condition / corrections : 0;
  return sum;
}

void print(const std::string& name, const Score& s, const std::string& settings) {
  fmt::print("{:<26} {:.3f}  {:>5.1f} {:>5.1f}  {:>6.1f}  {:>6.2f}  {:>6.1f} {:>7.1f}  {:.2f} {:>9.3g} {:>9.0f}  {}\n",
             name, s.success, s.steps, s.joint, s.clashes, s.regret, s.latency.quantile(.5), s.latency.quantile(.99),
             s.accepted, s.condition, s.macs, settings);
  std::cout.flush();
}

void print_head() {
  fmt::print("{:<26} {:<6} {:<5} {:<5}  {:<6}  {:<6}  {:<6} {:<7}  {:<4} {:<9} {:<9}\n", "agent", "succ.", "steps",
             "of s.", "/1000", "regret", "p50", "p99", "acc.", "condition", "madds");
}

// twelve settings for everyone who has any
std::vector<RosterEntry> variants(const RosterEntry& agent) {
  std::vector<RosterEntry> all;
  RosterEntry one = agent;
  if (agent.corrector) {
    for (const double damping : {0.1, 1.0}) {
      for (const double fade : {0.0, 0.2, 0.5}) {
        for (const int depth : {1, 2}) {
          one.corrector->metric.damping = damping;
          one.fade = fade;
          // equal time has its own depths
          one.corrector->gate.depth = agent.name == "euclidean_equal_time" ? 3 * depth : depth;
          all.push_back(one);
        }
      }
    }
  } else if (agent.descent || agent.horizon) {
    for (const double damping : {1.0, 3.0, 10.0}) {
      for (const int iterations : {2, 4}) {
        for (const bool boxed : {false, true}) {
          if (one.descent) one.descent = {.iterations = iterations, .damping = damping, .boxed = boxed};
          if (one.horizon) one.horizon = {.iterations = iterations, .damping = damping, .boxed = boxed};
          all.push_back(one);
        }
      }
    }
  }
  return all;
}

void tune(const Options& options, const Networks& networks) {
  const std::vector<DrawnEpisode> episodes = draw_all(options);
  print_head();
  for (const RosterEntry& agent : roster()) {
    if (!is_wanted(options, agent.name)) continue;
    double best = 1e9;
    std::string chosen;
    for (const RosterEntry& one : variants(agent)) {
      const Score s = score(one, networks, episodes);
      print(agent.name, s, settings_of(one));
      if (s.steps < best) best = s.steps, chosen = settings_of(one);
    }
    if (best < 1e9) fmt::print("{}: fewest steps with {}\n", agent.name, chosen);
  }
}

void look(const Options& options, const Networks& networks) {
  const std::vector<DrawnEpisode> episodes = draw_all(options);
  print_head();
  for (const RosterEntry& agent : roster()) {
    if (is_wanted(options, agent.name)) print(agent.name, score(agent, networks, episodes), settings_of(agent));
  }
}

void write_structures(const Options& options, const Networks& networks) {
  std::filesystem::create_directories(options.folder);
  for (const RosterEntry& agent : roster()) {
    if (!is_wanted(options, agent.name)) continue;
    const auto driver = agent.oracle ? nullptr : make_agent(agent, networks);
    for (int n = 0; n < options.episodes; ++n) {
      const DrawnEpisode drawn = draw_episode(options.seed, n);
      // where the second contact has been held: the structure that success was counted by
      std::string pdb;
      int held = 0;
      const auto see = [&](const Step& step) {
        const bool met = step.contact == drawn.episode.second && step.environment.step() > drawn.episode.changes() &&
                         step.distance <= kContact && step.environment.is_clean();
        held = met ? held + 1 : 0;
        if (held == kHold)
          pdb = to_pdb(step.environment.energy().chain(), step.environment.point().conformation, agent.name);
      };
      if (!run_episode(drawn, driver.get(), see).success) continue;
      std::ofstream(fmt::format("{}/{}_{}_{}.pdb", options.folder, agent.name, options.seed, n)) << pdb;
    }
  }
}

int run(int argc, char** argv) {
  Options options;
  CLI::App app("Settings, a look at the table, structures of the peptide world");
  app.require_subcommand(1);
  const auto add = [&](const char* name, const char* what) {
    CLI::App* verb = app.add_subcommand(name, what);
    verb->add_option("--models", options.models, "folder of the trained networks")->capture_default_str();
    verb->add_option("--seed", options.seed, "of the episodes")->capture_default_str();
    verb->add_option("--episodes", options.episodes, "how many")->check(CLI::Range(1, 100000))->capture_default_str();
    verb->add_option("--only", options.only, "agents by name")->delimiter(',');
    return verb;
  };
  const CLI::App* tuning = add("tune", "every setting of the grid on validation episodes");
  const CLI::App* looking = add("look", "the table without its statistics");
  add("structures", "last structures of successful episodes")
      ->add_option("--folder", options.folder)
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  const Networks networks = load_networks(options.models).value();
  if (tuning->parsed()) {
    tune(options, networks);
  } else if (looking->parsed()) {
    look(options, networks);
  } else {
    write_structures(options, networks);
  }
  return 0;
}

}  // namespace
}  // namespace elastane::peptide

int main(int argc, char** argv) {
  try {
    return elastane::peptide::run(argc, argv);
  } catch (const std::exception& e) {
    fmt::print(stderr, "{}\n", e.what());
    return 1;
  }
}
