#include "lab/maze/oracle_agents.h"

#include <algorithm>

#include "elastane/core/math/kernels.h"

namespace elastane::maze {

OracleDepthAgent::OracleDepthAgent(const MapShape& shape, const Mind& mind, double price)
    : MapAgent(shape, mind),
      price_(price),
      costs_(depth_costs(shape, mind)),
      best_(static_cast<std::size_t>(map_.latents())),
      trial_(all_depths(mind), map_.latents(), map_.outputs(), *kernels().value()) {}

void OracleDepthAgent::begin(const Task& task) {
  MapAgent::begin(task);
  expert_.begin(task);
}

int OracleDepthAgent::act(const Sight& sight) {
  see(sight);
  expert_.see(sight);
  double least = kNoWay;
  int chosen = 0;
  trial_.run(map_, objective_, map_.z(), memory_.data(),
             [&](int depth, std::span<const double> z, std::span<const double>) {
               const double loss = loss_ahead({map_, mind_.head, *walk_, expert_, sight}, z) +
                                   price_ * costs_[static_cast<std::size_t>(depth)];
               if (loss >= least) return;
               least = loss;
               chosen = depth;
               std::ranges::copy(z, best_.begin());
             });
  std::ranges::copy(best_, map_.z().begin());
  map_.commit();
  report_ = {};
  report_.depth = report_.accepted = chosen;
  report_.macs[static_cast<int>(Stage::solve)] =
      static_cast<std::int64_t>(costs_[static_cast<std::size_t>(chosen)] * kCostUnit);
  return decide(sight);
}

}  // namespace elastane::maze
