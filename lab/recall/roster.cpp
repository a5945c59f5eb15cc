#include "lab/recall/roster.h"

#include <filesystem>
#include <memory>

#include "elastane/core/backbone/head_router.h"
#include "elastane/io/router_file.h"
#include "lab/recall/observation.h"

namespace elastane::recall {
namespace {

// what a router decides for the queries of a block, from the pools after the block before it
bool routed_full(const RouterWeights& router, int layer, int head, int query_block, const Reading& reading) {
  const HeadRouter& own = router.layers[static_cast<std::size_t>(layer)];
  if (query_block == 0 || !own.present()) return false;  // a streaming head sees all of the first block
  const std::size_t channels = static_cast<std::size_t>(own.task.features()) / 3;
  const auto at = static_cast<std::ptrdiff_t>(static_cast<std::size_t>(query_block - 1) * channels);
  std::vector<double> features, scratch(static_cast<std::size_t>(own.scratch_doubles())),
      logits(static_cast<std::size_t>(own.route.scores()));
  for (const std::vector<double>* pool : {&reading.first, &reading.last, &reading.most}) {
    const auto from = pool->begin() + at;
    features.insert(features.end(), from, from + static_cast<std::ptrdiff_t>(channels));
  }
  head_logits(own, features.data(), scratch.data(), logits.data());
  return logits[static_cast<std::size_t>(head)] > 0;
}

}  // namespace

std::vector<RosterEntry> roster(const RouterWeights& router) {
  const auto none = [](int, int, int, const Reading&) { return false; };
  std::vector<RosterEntry> all = {{"dense", "every head reads the whole prompt", {}},
                                  {"streaming", "every head reads the sink and its window", {.is_full = none}},
                                  {"window",
                                   "a larger window: two more blocks, the nearest",
                                   {.is_full = none, .rule = BlockRule::nearest, .extra = 2}},
                                  {"anytime",
                                   "sink, window and the two best blocks by a bound on their scores",
                                   {.is_full = none, .rule = BlockRule::bound, .extra = 2}}};
  if (!router.present()) return all;
  const auto shared = std::make_shared<const RouterWeights>(router);
  all.push_back({"router",
                 "a router opens the heads that the task needs, block by block",
                 {.is_full = [shared](int layer, int head, int query_block, const Reading& reading) {
                   return routed_full(*shared, layer, head, query_block, reading);
                 }}});
  return all;
}

Result<RouterWeights> router_beside(const std::string& models, const std::string& model) {
  const std::string path = models + "/" + model + "_router.safetensors";
  if (!std::filesystem::exists(path)) return RouterWeights{};
  return load_router(path);
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
