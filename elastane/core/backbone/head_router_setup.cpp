#include <string>

#include "elastane/core/backbone/head_router.h"
#include "elastane/core/base/checksum.h"

namespace elastane {
namespace {

Status validate(const HeadRouter& router) {
  const ScoringLimits code{.most_features = 3 * kMostRouterChannels + kRouterCode,
                           .most_scores = kMostRouterHidden,
                           .score = "numbers of a code",
                           .most_hidden = kMostRouterHidden,
                           .most_middle = kMostRouterHidden,
                           .tag = "router"};
  if (Status sound = elastane::validate(router.task, code); !sound) return sound;
  ScoringLimits logit = code;
  logit.least_features = logit.most_features = router.task.scores();
  logit.most_scores = kMostRouterHeads;
  logit.score = "scores, one for each key head";
  return elastane::validate(router.route, logit);
}

}  // namespace

Status validate(const RouterWeights& router) {
  for (const HeadRouter& layer : router.layers) {
    if (!layer.present()) continue;
    if (Status sound = validate(layer); !sound) return sound;
  }
  return {};
}

std::uint64_t fingerprint(const RouterWeights& router) {
  std::uint64_t hash = router.model;
  const auto add = [&](const std::vector<double>& values) { hash = hash64(std::as_bytes(std::span(values)), hash); };
  for (const HeadRouter& layer : router.layers) {
    for (const ScoringNetwork* network : {&layer.task, &layer.route}) {
      add(network->hidden_weight), add(network->hidden_bias), add(network->middle_weight), add(network->middle_bias);
      add(network->score_weight), add(network->score_bias);
    }
  }
  return hash;
}

}  // namespace elastane
