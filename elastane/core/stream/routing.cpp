#include "elastane/core/stream/routing.h"

#include <string>

#include "elastane/core/network/network.h"

namespace elastane {
namespace {

Error wrong(const std::string& what) { return Error{"[router] " + what}; }

// one attention block of the model and its router
Status fits(const Attention& block, const HeadRouter& router, std::size_t index) {
  if (!router.present()) return {};
  const std::string where = "layer " + std::to_string(index) + ": ";
  if (!block.elastic()) {
    return wrong(where + "the attention block has no sparse modes; set local, or leave this layer out");
  }
  const int features = block.pools().features(), heads = block.shape.kv_heads;
  if (router.task.features() != features) {
    return wrong(where + "expected " + std::to_string(features) + " features, three pools of " + std::to_string(heads) +
                 " key heads of size " + std::to_string(block.shape.size) + ", found " +
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
      if (Status s = fits(*block, router.layers[index], index); !s) return s;
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
  for (const Layer& layer : model.network().layers) {
    const HeadRouter* own = nullptr;
    if (std::holds_alternative<Attention>(layer.block)) own = &router_->layers[index++];
    layers_.push_back(own != nullptr && own->present() ? own : nullptr);
  }
}

}  // namespace elastane
