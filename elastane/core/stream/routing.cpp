#include "elastane/core/stream/routing.h"

#include <algorithm>
#include <string>

#include "elastane/core/network/network.h"

namespace elastane {
namespace {

Error wrong(const std::string& what) { return Error{"[router] " + what}; }

// numbers of a router's code that the next one can see
int codes_of(const HeadRouter& router) { return router.present() ? router.task.scores() : 0; }

// one attention block of the model and its router; `codes`: of the attention block before
Status fits(const Attention& block, const HeadRouter& router, int codes, std::size_t index) {
  if (!router.present()) return {};
  const std::string where = "layer " + std::to_string(index) + ": ";
  if (!block.elastic()) {
    return wrong(where + "the attention block has no sparse modes; set local, or leave this layer out");
  }
  const int features = block.pools().features(), heads = block.shape.kv_heads;
  const int seen = router.task.features() - features;
  if (seen != 0 && (seen != codes || codes > kRouterCode)) {
    return wrong(where + "expected " + std::to_string(features) + " features, three pools of " + std::to_string(heads) +
                 " key heads of size " + std::to_string(block.shape.size) + ", or " +
                 std::to_string(std::min(codes, kRouterCode)) + " more with the code of the router before, found " +
                 std::to_string(router.task.features()) + "; train a router for this model");
  }
  if (router.route.scores() == heads) return {};
  return wrong(where + "expected a score for each of " + std::to_string(heads) + " key heads, found " +
               std::to_string(router.route.scores()) + "; train a router for this model");
}

}  // namespace

Status validate(const RouterWeights& router, const Model& model) {
  if (!router.present()) return {};
  if (Status sound = validate(router); !sound) return sound;
  if (router.model != model.fingerprint()) {
    return wrong(
        "was trained for another model (its weights or configuration differ); load that model, or train a "
        "router for this one");
  }
  std::size_t index = 0;
  for (const Layer& layer : model.network().layers) {
    const auto* block = std::get_if<Attention>(&layer.block);
    if (block == nullptr) continue;
    if (index < router.layers.size()) {
      const int codes = index > 0 ? codes_of(router.layers[index - 1]) : 0;
      if (Status s = fits(*block, router.layers[index], codes, index); !s) return s;
    }
    ++index;
  }
  if (router.layers.size() == index) return {};
  return wrong("expected one layer for each of " + std::to_string(index) + " attention blocks, found " +
               std::to_string(router.layers.size()));
}

Routing::Routing(const RouterWeights& router, const Budget& attention, const Budget& recursion, const Model& model)
    : attention_(attention), recursion_(recursion) {
  if (!router.present()) return;
  router_ = std::make_shared<const RouterWeights>(router);
  fingerprint_ = elastane::fingerprint(router);
  std::size_t index = 0;
  int code_begin = 0;  // of the attention block before
  for (const Layer& layer : model.network().layers) {
    RoutedBlock& routed = layers_.emplace_back();
    const auto* block = std::get_if<Attention>(&layer.block);
    if (block == nullptr) continue;
    if (const HeadRouter& own = router_->layers[index++]; own.present()) {
      routed = {&own, own.task.features() - block->pools().features(), code_begin};
    }
    code_begin = block->elastic() ? block->pools().code_begin() : 0;
  }
}

}  // namespace elastane
