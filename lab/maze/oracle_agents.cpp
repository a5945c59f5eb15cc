#include "lab/maze/oracle_agents.h"

#include <algorithm>

#include "elastane/core/math/kernels.h"

namespace elastane::maze {

OracleDepthAgent::OracleDepthAgent(const MapShape& shape, const AgentConfig& config, double price)
    : MapAgent(shape, config),
      price_(price),
      costs_(depth_costs(shape, config)),
      best_(static_cast<std::size_t>(map_.latents())),
      trial_(all_depths(config), map_.latents(), map_.outputs(), *kernels().value()) {}

void OracleDepthAgent::begin(const Episode& episode) {
  MapAgent::begin(episode);
  expert_.begin(episode);
}

int OracleDepthAgent::act(const Observation& observation) {
  observe(observation);
  expert_.observe(observation);
  double least = kUnreachable;
  int chosen = 0;
  trial_.run(map_, objective_, map_.z(), memory_.data(),
             [&](int depth, std::span<const double> z, std::span<const double>) {
               const double loss = loss_ahead({map_, config_.head, *environment_, expert_, observation}, z) +
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
  return decide(observation);
}

}  // namespace elastane::maze
