#include "elastane/train/gate_losses.h"

#include <cmath>

#include "elastane/train/choice.h"

namespace elastane::train {
namespace {

using at::Tensor;

Tensor objective(const DepthCosts& costs) { return costs.losses + costs.priced; }  // J

Tensor expected(const Tensor& p, const Tensor& values) { return (p * values).sum(1).mean(); }

Tensor marginal_loss(const Tensor& o, const Tensor& j, double entropy) {
  return expected(at::softmax(o, 1), j + entropy * at::log_softmax(o, 1));
}

Tensor oracle_loss(const Tensor& o, const Tensor& j) {
  return -at::log_softmax(o, 1).gather(1, j.argmin(1, /*keepdim=*/true)).mean();
}

Tensor gumbel_loss(const Tensor& o, const Tensor& j, double temperature, Random& random) {
  return expected(gumbel_choice(o, temperature, random), j);
}

// the share that halts at each depth: h_k Π(1 − h_j); at the last depth all that is left
Tensor halting_shares(const Tensor& o) {
  const Tensor on = at::log_sigmoid(-o).cumsum(1);  // log Π_{j≤k}(1 − h_j)
  const std::int64_t last = o.size(1) - 1;
  const Tensor before = at::constant_pad_nd(on.narrow(1, 0, last), {1, 0});
  const Tensor halts = at::constant_pad_nd(at::log_sigmoid(o.narrow(1, 0, last)), {0, 1});
  return (before + halts).exp();
}

Tensor ponder_loss(const Tensor& o, const Tensor& j, const GateLossOptions& options) {
  const Tensor p = halting_shares(o);
  const double logit = std::log(options.halting / (1 - options.halting));
  const Tensor prior = halting_shares(at::full({1, o.size(1)}, logit, o.options()));
  const Tensor divergence = (p * ((p + 1e-12).log() - prior.log())).sum(1).mean();
  return expected(p, j) + options.divergence * divergence;
}

Tensor act_loss(const Tensor& o, const DepthCosts& costs) {
  constexpr double kSummed = 0.99;
  const Tensor h = at::sigmoid(o), sum = h.cumsum(1);
  const std::int64_t last = o.size(1) - 1;
  // N: the first depth by which enough have halted; the last one takes all that is left
  const Tensor reached = at::cat({sum.narrow(1, 0, last) >= kSummed, at::ones({o.size(0), 1}, at::kBool)}, 1);
  const Tensor n = reached.to(at::kByte).argmax(1, /*keepdim=*/true);
  const Tensor remainder = 1 - (sum - h).gather(1, n);  // R
  const Tensor before = at::arange(o.size(1)).unsqueeze(0) < n;
  const Tensor p = (h * before).scatter_add(1, n, remainder);
  const double tau = (costs.priced[last] - costs.priced[0]).item<double>() / static_cast<double>(last);
  return expected(p, costs.losses) + tau * (n + remainder).mean();
}

}  // namespace

std::string_view name(GateMethod method) {
  constexpr std::string_view kNames[] = {"marginal", "oracle", "gumbel", "ponder", "act"};
  return kNames[static_cast<int>(method)];
}

GateReadout readout_of(GateMethod method) {
  switch (method) {
    case GateMethod::ponder: return GateReadout::ponder;
    case GateMethod::act: return GateReadout::act;
    default: return GateReadout::argmax;
  }
}

Tensor gate_loss(const Tensor& o, const DepthCosts& costs, const GateLossOptions& options, Random& random) {
  const Tensor j = objective(costs);
  switch (options.method) {
    case GateMethod::marginal: return marginal_loss(o, j, options.entropy);
    case GateMethod::oracle: return oracle_loss(o, j);
    case GateMethod::gumbel: return gumbel_loss(o, j, options.temperature, random);
    case GateMethod::ponder: return ponder_loss(o, j, options);
    case GateMethod::act: return act_loss(o, costs);
  }
  return {};
}

}  // namespace elastane::train
