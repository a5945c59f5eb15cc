#include "lab/recall/roster.h"

#include "lab/recall/observation.h"

namespace elastane::recall {

std::vector<RosterEntry> roster() {
  const auto none = [](int, int, int, const Reading&) { return false; };
  return {{"dense", "every head reads the whole prompt", {}},
          {"streaming", "every head reads the sink and its window", {.is_full = none}},
          {"window",
           "a larger window: two more blocks, the nearest",
           {.is_full = none, .rule = BlockRule::nearest, .extra = 2}},
          {"anytime",
           "sink, window and the two best blocks by a bound on their scores",
           {.is_full = none, .rule = BlockRule::bound, .extra = 2}}};
}

Episode episode_of(std::uint64_t seed, int episode) {
  return draw_episode((1ULL << 44U) + seed * 1'000'003 + static_cast<std::uint64_t>(episode),
                      {.task = static_cast<Task>(episode % kTasks),
                       .position = static_cast<Position>(episode / kTasks % kPositions),
                       .length = kShownLength});
}

std::vector<float> inputs_of(const Episode& episode) {
  std::vector<float> x(static_cast<std::size_t>(episode.length()) * kInputs);
  for (int t = 0; t < episode.length(); ++t) {
    observe(episode.steps[t], std::span(x).subspan(static_cast<std::size_t>(t) * kInputs, kInputs));
  }
  return x;
}

Attempt attempt(const GlassModel& model, const RosterEntry& entry, const Episode& episode) {
  Attempt a{.right = 0, .share = 0, .seen = model.look(inputs_of(episode), entry.look)};
  for (int t = episode.first_query(); t < episode.length(); ++t) {
    a.right += answer_at(a.seen, kValues, t) == episode.steps[t].label ? 1 : 0;
  }
  double all = 0;
  for (int t = 0; t < episode.length(); ++t)
    all += model.attentions() * model.heads() * (t / entry.look.layout.block + 1);
  a.share = static_cast<double>(a.seen.blocks_read) / all;
  return a;
}

}  // namespace elastane::recall
