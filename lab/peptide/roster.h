// Who takes part: every agent of the peptide table, with the settings that tuning chose.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "elastane/core/stream/stream.h"
#include "lab/benchmark/benchmark.h"
#include "lab/peptide/detour.h"
#include "lab/peptide/equivariant.h"
#include "lab/peptide/planned_driver.h"

namespace elastane::peptide {

// the trained networks, from a folder: peptide.safetensors, peptide_transformer, peptide_greedy, peptide_equivariant
struct Networks {
  Model policy, transformer, greedy;
  Equivariant equivariant;
  std::uint64_t fingerprint = 0;  // of all of them
};
Result<Networks> load_networks(const std::string& folder);

enum class Network : std::uint8_t { none, policy, transformer, greedy, equivariant };

// a network, and what is done to what it proposes; the oracle has neither and is the expert
struct Agent {
  std::string name, what;
  Network network = Network::policy;
  std::optional<CorrectorOptions> corrector = {};  // on the latent
  double fade = 0;                                 // share of those corrections that every step takes back
  std::optional<DescentOptions> descent = {};      // on the decoded moves
  std::optional<HorizonOptions> horizon = {};      // on those of several steps
  bool reckons = false;                            // its own moves, to see better
  std::optional<DetourOptions> detours = {};       // where it is stuck
  bool oracle = false;
  benchmark::Published published = {};
};
std::vector<Agent> agents();
// the sketch with other (λ, r, β)
std::vector<Agent> budget_grid();

std::string settings_of(const Agent& agent);                                        // one line, for cards
std::unique_ptr<Driver> make_driver(const Agent& agent, const Networks& networks);  // not for the oracle

}  // namespace elastane::peptide
