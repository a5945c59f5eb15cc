#include "lab/recall/roster.h"

#include <filesystem>
#include <memory>

#include "elastane/core/backbone/head_router.h"
#include "elastane/io/router_file.h"
#include "lab/recall/observation.h"

namespace elastane::recall {
namespace {

struct Decision {
  std::vector<double> code, logits;
};

// what a router decides for the queries of a block, from the pools after the block before it and the code of the router
// before, which a stream keeps in single precision
Decision decision_of(const HeadRouter& router, int query_block, const Reading& reading,
                     const std::vector<double>& before) {
  const auto channels = static_cast<std::size_t>(reading.channels);
  const auto at = static_cast<std::ptrdiff_t>(static_cast<std::size_t>(query_block - 1) * channels);
  std::vector<double> features, scratch(static_cast<std::size_t>(router.scratch_doubles()));
  for (const std::vector<double>* pool : {&reading.first, &reading.last, &reading.most}) {
    const auto from = pool->begin() + at;
    features.insert(features.end(), from, from + static_cast<std::ptrdiff_t>(channels));
  }
  if (features.size() < static_cast<std::size_t>(router.task.features())) {
    for (const double number : before) features.push_back(static_cast<double>(static_cast<float>(number)));
  }
  Decision made{.code = {}, .logits = std::vector<double>(static_cast<std::size_t>(router.route.scores()))};
  const double* code = head_logits(router, features.data(), scratch.data(), made.logits.data());
  made.code.assign(code, code + router.task.scores());
  return made;
}

bool routed_full(const RouterWeights& router, const AskedHead& asked) {
  const auto last = static_cast<std::size_t>(asked.layer);
  if (asked.query_block == 0 || !router.layers[last].present()) return false;  // it sees all of the first block
  Decision made;
  for (std::size_t layer = 0; layer <= last; ++layer) {
    if (!router.layers[layer].present()) continue;
    const Reading& reading = layer < last ? asked.before[layer] : asked.reading;
    made = decision_of(router.layers[layer], asked.query_block, reading, made.code);
  }
  return made.logits[static_cast<std::size_t>(asked.head)] > 0;
}

}  // namespace

std::vector<RosterEntry> roster(const RouterWeights& router) {
  const auto none = [](const AskedHead&) { return false; };
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
                 {.is_full = [shared](const AskedHead& asked) { return routed_full(*shared, asked); }}});
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
