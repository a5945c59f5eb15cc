// Agents of the roster on episodes of one seed: every setting of the tuning grid, or the chosen settings as a preview of
// the table.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lab/peptide/draw_episode.h"
#include "lab/peptide/roster.h"

namespace elastane::peptide {

struct TuningOptions {
  std::string models = "models";
  std::uint64_t seed = 1001;  // validation; those of the benchmark are 1 to 5
  int episodes = 96;
  std::vector<std::string> only = {};  // agents by name; empty: all
};

// means over episodes
struct TuningScore {
  double success = 0, steps = 0, successful_steps = 0, clashes = 0, regret = 0, accepted = 0, condition = 0, macs = 0;
  benchmark::Latency latency;
};
TuningScore score(const RosterEntry& entry, const Networks& networks, const std::vector<DrawnEpisode>& episodes);

// the same grid of twelve settings for all agents of a kind; empty for agents without settings
std::vector<RosterEntry> variants(const RosterEntry& entry);

using PrintLine = std::function<void(const std::string& line)>;
void tune(const TuningOptions& options, const PrintLine& print);
void preview(const TuningOptions& options, const PrintLine& print);

}  // namespace elastane::peptide
