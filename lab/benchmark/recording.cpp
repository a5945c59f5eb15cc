#include "lab/benchmark/recording.h"

namespace elastane::benchmark {
namespace {

Error wrong(const std::string& where, std::size_t expected, std::size_t found) {
  return Error{"[recording] " + where + ": expected " + std::to_string(expected) + ", found " + std::to_string(found)};
}

template <class Agents>
Status check_agents(const Agents& agents) {
  if (agents.empty()) return Error{"[recording] agents: expected one at least, found none"};
  for (const auto& agent : agents) {
    if (agent.steps.empty()) {
      return Error{"[recording] " + agent.caption.name + ": expected a step at least, found none"};
    }
  }
  return {};
}

bool is_below(int index, std::size_t size) { return index >= 0 && static_cast<std::size_t>(index) < size; }

Status check_pairs(const std::vector<std::array<int, 2>>& pairs, std::size_t atoms, const std::string& what) {
  for (const auto& [a, b] : pairs) {
    if (!is_below(a, atoms) || !is_below(b, atoms)) {
      return Error{"[recording] " + what + ": expected atoms that there are, found " + std::to_string(a) + ", " +
                   std::to_string(b)};
    }
  }
  return {};
}

Status check_step(const PeptideRecording& r, const PeptideAgent& agent, const PeptideStep& step) {
  const std::string& name = agent.caption.name;
  if (step.atoms.size() != r.atoms.size()) return wrong(name + ", atoms", r.atoms.size(), step.atoms.size());
  if (step.torsions.size() != r.sequence.size()) {
    return wrong(name + ", torsions", r.sequence.size(), step.torsions.size());
  }
  return check_pairs(step.clashes, r.atoms.size(), name + ", clashes");
}

}  // namespace

Status validate(const NavigationRecording& r) {
  if (Status agents = check_agents(r.agents); !agents) return agents;
  const auto cells = static_cast<std::size_t>(r.columns) * static_cast<std::size_t>(r.columns);
  if (r.columns < 0 || r.heights.size() != cells) return wrong("heights", cells, r.heights.size());
  for (const auto& discs : r.moving) {
    if (discs.size() != r.moving.front().size()) return wrong("moving discs", r.moving.front().size(), discs.size());
  }
  return {};
}

Status validate(const PeptideRecording& r) {
  if (Status agents = check_agents(r.agents); !agents) return agents;
  if (Status bonds = check_pairs(r.bonds, r.atoms.size(), "bonds"); !bonds) return bonds;
  const auto bins = static_cast<std::size_t>(r.ramachandran_bins) * static_cast<std::size_t>(r.ramachandran_bins);
  if (r.ramachandran_bins < 0 || r.ramachandran.size() != bins)
    return wrong("ramachandran", bins, r.ramachandran.size());
  std::size_t traced = 0;  // residues with a CA, in order
  for (const PeptideAtom& atom : r.atoms) traced += atom.name == "CA" ? 1 : 0;
  if (traced != r.sequence.size() || traced < 2) return wrong("CA atoms", r.sequence.size(), traced);
  for (const PeptideContact& c : r.contacts) {
    if (!is_below(c.i, traced) || !is_below(c.j, traced)) {
      return Error{"[recording] contacts: expected residues that there are, found " + std::to_string(c.i) + ", " +
                   std::to_string(c.j)};
    }
  }
  for (const PeptideAgent& agent : r.agents) {
    for (const PeptideStep& step : agent.steps) {
      if (Status good = check_step(r, agent, step); !good) return good;
    }
  }
  return {};
}

Status validate(const MazeRecording& r) {
  if (Status agents = check_agents(r.agents); !agents) return agents;
  const auto cells = static_cast<std::size_t>(r.width) * static_cast<std::size_t>(r.height);
  if (r.walls.size() != cells) return wrong("walls", cells, r.walls.size());
  for (const MazeAgent& agent : r.agents) {
    if (agent.heat.size() != cells) return wrong(agent.caption.name + ", heat", cells, agent.heat.size());
    for (const MazeStep& step : agent.steps) {
      if (!step.lengths.empty() && step.lengths.size() != cells)
        return wrong(agent.caption.name + ", lengths", cells, step.lengths.size());
    }
  }
  return {};
}

Status validate(const LoopRecording& r) {
  if (Status agents = check_agents(r.agents); !agents) return agents;
  const std::size_t residues = r.sequence.size();
  if (r.native.size() != residues || residues < 2) return wrong("native trace", residues, r.native.size());
  if (!is_below(r.loop_first, residues) || !is_below(r.loop_last, residues)) {
    return Error{"[recording] loop: expected residues that there are, found " + std::to_string(r.loop_first) + ", " +
                 std::to_string(r.loop_last)};
  }
  for (const LoopAgent& agent : r.agents) {
    for (const LoopStep& step : agent.steps) {
      if (step.trace.size() != residues) return wrong(agent.caption.name + ", trace", residues, step.trace.size());
    }
  }
  return {};
}

}  // namespace elastane::benchmark
