// One agent in one episode, step by step.
#pragma once

#include <functional>

#include "lab/peptide/agent.h"
#include "lab/peptide/draw_episode.h"

namespace elastane::peptide {

// one step, after it was made
struct Step {
  const Environment& environment;
  Contact contact;            // requested
  double distance;            // of the contact, Å; 0 while none is requested
  double micros;              // that the agent took
  const AgentReport& report;  // the agent's; zeros for the oracle
};

// Without an agent, the oracle acts. The outcome includes the regret and the sums of the agent's reports.
benchmark::Outcome run_episode(const DrawnEpisode& drawn, Agent* agent,
                               const std::function<void(const Step&)>& observer = {});

}  // namespace elastane::peptide
