// One episode as it can be shown: what the world was, and what each agent observed, planned and did, step by step.
//
// Each world derives its own recording and fills it; `elastane play` shows it without knowing which world it is. All
// agents of a recording played the same episode.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "elastane/core/base/result.h"

namespace elastane::benchmark {

// what a step's correction did; an agent without one leaves it as it is
struct Moment {
  int depth = 0;           // K: micro-steps that were taken
  double radius = 0;       // ρ after the step; 0: there is none
  double loss_before = 0;  // of what was proposed
  double loss_after = 0;   // of what was kept
  bool violation = false;  // the step broke a constraint: contact, clash
};

// for the caption above an agent's panel
struct Caption {
  std::string name;  // as in the benchmark: "frozen", "exact"
  std::string what;  // one line for people
  bool success = false;
  int steps = 0;       // until success; all of them without success
  int violations = 0;  // steps
};

// something that happens in an episode, for the timeline: "wind rises", "rays fail"
struct Event {
  int at = 0;  // step
  std::string text;
};

// which episode, and which agents
struct RecordingRequest {
  std::uint64_t seed = 1;
  int episode = 0;
  std::vector<std::string> agents;  // as the benchmark names them; none: the world's own choice
};

// a file that the user asked for beside the page: a structure, a plan
struct Attachment {
  std::string path, text;
};

class Recording {
 public:
  Recording() = default;
  Recording(std::uint64_t its_seed, int its_episode) : seed(its_seed), episode(its_episode) {}
  virtual ~Recording() = default;

  virtual std::vector<Caption> captions() const = 0;     // one for each agent
  virtual Status validate() const = 0;                   // every agent has a step, every list its expected length
  virtual std::string json() const = 0;                  // for the page; recording_json.h has what worlds share
  virtual std::vector<std::string> scripts() const = 0;  // of web/player, that draw it, in this order
  virtual std::string figure() const = 0;                // the whole episode in one still picture, as SVG

  std::uint64_t seed = 0;
  int episode = 0;
  std::string title;    // "A crate is dragged onto the path"
  std::string summary;  // a paragraph above the panels, for newcomers
  std::string source;   // the user's file, if there is one; shown beside the title
  std::string notes;    // lines to print before the title
  std::vector<Attachment> attachments;
};

// the captions of agents that have one each
template <class Agents>
std::vector<Caption> captions_of(const Agents& agents) {
  std::vector<Caption> captions;
  for (const auto& agent : agents) captions.push_back(agent.caption);
  return captions;
}

}  // namespace elastane::benchmark
