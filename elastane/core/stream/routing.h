// What a stream or a fleet was given for the elastic blocks of its model: routers, and budgets for attention and depth.
#pragma once

#include <memory>
#include <vector>

#include "elastane/core/backbone/head_router.h"
#include "elastane/core/network/model.h"
#include "elastane/core/network/step.h"

namespace elastane {

// does the router belong to this model?
Status validate(const RouterWeights& router, const Model& model);

class Routing {
 public:
  // the router must be valid for the model; copies share it
  Routing(const RouterWeights& router, const Budget& attention, const Budget& recursion, const Model& model);

  ElasticOptions options() const { return {layers_.empty() ? nullptr : layers_.data(), attention_, recursion_}; }
  std::uint64_t fingerprint() const { return fingerprint_; }  // 0 without a router

 private:
  std::shared_ptr<const RouterWeights> router_;
  std::vector<RoutedBlock> layers_;  // of every block of the model
  Budget attention_, recursion_;
  std::uint64_t fingerprint_ = 0;
};

}  // namespace elastane
