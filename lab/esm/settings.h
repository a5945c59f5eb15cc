// What the table of Elastic State Models is made of, and its published figures: experiments/esm/settings/table.json.
#pragma once

#include <string>
#include <vector>

namespace elastane::esm {

inline constexpr const char* kUnit = "transformer";  // the agent whose compute is 1

struct TableWorld {
  std::string benchmark;
  std::string title;
  int episodes = 0;    // of each seed: what a few minutes allow, and what a difference of .02 needs
  bool curve = false;  // its grid is run as well: success against compute
};

struct PublishedRow {
  std::string agent;
  double success = 0, energy = 0, compute = 0;
};

struct Settings {
  std::vector<TableWorld> worlds;
  std::string success_of, energy_of;  // the two benchmarks of the joined table
  int curve_episodes = 0;             // of each seed and training
  std::vector<PublishedRow> published;
};
const Settings& settings();

}  // namespace elastane::esm
