#include "lab/recall/recording.h"

#include <algorithm>

#include "lab/benchmark/recording_checks.h"
#include "lab/benchmark/shown_agents.h"

namespace elastane::recall {
namespace {

constexpr int kMeasured = 6;  // prompts of the same task and position, for cost against accuracy

// heads that read every block before the query
int full_heads(const std::vector<Reading>& readings, int t) {
  int full = 0;
  for (const Reading& r : readings) {
    const int blocks = t / (r.length / r.blocks) + 1;
    for (int head = 0; head < r.heads; ++head) {
      bool all = true;
      for (int b = 0; b < blocks; ++b) all = all && r.read[r.at(head, t, b)] != 0;
      full += all ? 1 : 0;
    }
  }
  return full;
}

PromptAgent record_agent(const GlassModel& model, const RosterEntry& entry, const PromptRecording& r) {
  const Attempt a = attempt(model, entry, r.prompt);
  PromptAgent agent{.caption = {.name = entry.name, .what = entry.what, .success = a.right == kQueries},
                    .steps = {},
                    .readings = a.seen.readings};
  for (int t = 0; t < r.prompt.length(); ++t) {
    PromptStep step{.moment = {.depth = full_heads(a.seen.readings, t)}};
    if (r.prompt.steps[t].query) {
      step.answer = answer_at(a.seen, kValues, t);
      step.moment.violation = step.answer != r.prompt.steps[t].label;
    }
    agent.steps.push_back(step);
  }
  agent.caption.steps = r.prompt.length(), agent.caption.violations = kQueries - a.right;
  for (int i = 0; i < kMeasured; ++i) {
    const Attempt other = attempt(model, entry, episode_of(r.seed, r.episode + (i + 1) * kTasks * kPositions));
    agent.accuracy += static_cast<double>(other.right) / kQueries / kMeasured, agent.share += other.share / kMeasured;
  }
  return agent;
}

std::string summary_of(const Episode& e) {
  const std::string task(kTaskNames[static_cast<std::size_t>(e.task)]),
      position(kPositionNames[static_cast<std::size_t>(e.position)]);
  return "A prompt of " + std::to_string(e.length()) + " steps asks for \"" + task + "\"; the instruction is at the " +
         position +
         ". Records lie outside of what a streaming head sees. Each row is a head, each cell a block of keys: its "
         "shade is the "
         "weight that the present query gives it, and a frame shows that it was read. The chart compares cost and "
         "accuracy on "
         "six other prompts of this task.";
}

}  // namespace

Result<PromptRecording> record(const GlassModel& model, const benchmark::RecordingRequest& request,
                               const RouterWeights& router) {
  if (request.episode < 0) {
    return Error{"[play] episode: expected 0 or more, found " + std::to_string(request.episode)};
  }
  std::vector<std::string> names = request.agents;
  for (const RosterEntry& entry : roster(router)) {
    if (request.agents.empty()) names.push_back(entry.name);
  }
  const auto chosen = benchmark::shown_agents(names, roster(router));
  if (!chosen) return Error{chosen.error()};
  PromptRecording r(request.seed, request.episode);
  r.prompt = episode_of(request.seed, request.episode);
  r.block = Layout{}.block;
  r.title = "What attention reads: " + std::string(kTaskNames[static_cast<std::size_t>(r.prompt.task)]);
  r.summary = summary_of(r.prompt);
  for (const RosterEntry& entry : *chosen) r.agents.push_back(record_agent(model, entry, r));
  return r;
}

Status PromptRecording::validate() const {
  if (Status found = benchmark::check_agents(agents); !found) return found;
  for (const PromptAgent& agent : agents) {
    if (agent.steps.size() != prompt.steps.size()) {
      return benchmark::wrong_size(agent.caption.name + ", steps", prompt.steps.size(), agent.steps.size());
    }
    for (const Reading& r : agent.readings) {
      const std::size_t cells = r.at(r.heads, 0, 0);
      if (r.mass.size() != cells || r.read.size() != cells) {
        return benchmark::wrong_size(agent.caption.name + ", cells", cells, std::min(r.mass.size(), r.read.size()));
      }
    }
  }
  return {};
}

}  // namespace elastane::recall
