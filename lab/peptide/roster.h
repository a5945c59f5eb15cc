// The roster: every agent of the peptide table, with the settings that tuning chose (experiments/peptide/settings).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "elastane/core/stream/stream.h"
#include "lab/benchmark/benchmark.h"
#include "lab/peptide/detour_agent.h"
#include "lab/peptide/equivariant_network.h"
#include "lab/peptide/horizon_agent.h"

namespace elastane::peptide {

// the trained networks of a folder: peptide.safetensors, peptide_transformer, peptide_greedy, peptide_equivariant
struct Networks {
  Model policy, transformer, greedy;
  EquivariantNetwork equivariant;
  std::uint64_t fingerprint = 0;  // of all of them
};
Result<Networks> load_networks(const std::string& folder);

enum class Network : std::uint8_t { none, policy, transformer, greedy, equivariant };

// a network, and how its proposals are improved; the oracle is the expert and has neither
struct RosterEntry {
  std::string name, what;
  Network network = Network::policy;
  std::optional<CorrectorOptions> corrector = {};  // on the latent
  double fade = 0;                                 // share of those corrections that every step takes back
  std::optional<LevenbergOptions> levenberg = {};  // on the decoded moves
  std::optional<HorizonOptions> horizon = {};      // on the moves of several steps
  bool estimates = false;                          // torsions by dead reckoning, instead of one observation
  std::optional<DetourOptions> detours = {};       // when it is stuck
  bool oracle = false;
  benchmark::Published published = {};
};
std::vector<RosterEntry> roster();
// the sketch with other (λ, r, β)
std::vector<RosterEntry> budget_grid();

std::string settings_of(const RosterEntry& entry);  // one line, for cards
// networks must outlive it; not for the oracle
std::unique_ptr<Agent> make_agent(const RosterEntry& entry, const Networks& networks);

}  // namespace elastane::peptide
