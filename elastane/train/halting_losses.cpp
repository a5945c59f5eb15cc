#include "elastane/train/halting_losses.h"

#include <algorithm>

namespace elastane::train {
namespace {

using at::Tensor;

Tensor ranking_loss(const Tensor& o, const Tensor& losses, const HaltLossOptions& options) {
  const Tensor flat = o.flatten(), order = losses.detach().flatten().argsort();
  const std::int64_t n = flat.numel();
  const std::int64_t count =
      std::max<std::int64_t>(1, static_cast<std::int64_t>(options.share * static_cast<double>(n)));
  const Tensor easy = flat.index_select(0, order.narrow(0, 0, count));
  const Tensor hard = flat.index_select(0, order.narrow(0, n - count, count));
  const Tensor apart = at::sigmoid(hard).unsqueeze(0) - at::sigmoid(easy).unsqueeze(1) + options.distance;
  const Tensor relative = at::relu(apart).mean();
  const Tensor absolute = -(at::log_sigmoid(easy).mean() + at::log_sigmoid(-hard).mean());
  return options.relative * relative + options.absolute * absolute;
}

}  // namespace

std::string_view name(HaltLoss loss) {
  constexpr std::string_view kNames[] = {"ranking", "stay", "marginal", "ponder", "act"};
  return kNames[static_cast<int>(loss)];
}

Tensor stays(const Tensor& answers) {
  const Tensor last = answers.narrow(1, answers.size(1) - 1, 1);
  // the smallest of what follows, from the end
  return (answers == last).to(at::kLong).flip(1).cumprod(1).flip(1).to(at::kBool);
}

Tensor halt_loss(const Tensor& o, const DepthOutcomes& outcomes, const HaltLossOptions& options, Random& random) {
  const Tensor losses = options.joint ? outcomes.losses : outcomes.losses.detach();
  if (options.kind == HaltLoss::ranking) return ranking_loss(o, losses, options);
  if (options.kind == HaltLoss::stay) {
    return at::binary_cross_entropy_with_logits(o, stays(outcomes.answers).to(o.scalar_type()));
  }
  const Tensor priced = options.price * at::arange(1, o.size(1) + 1, o.options().requires_grad(false));
  const GateMethod methods[] = {GateMethod::marginal, GateMethod::ponder, GateMethod::act};
  const GateLossOptions gate{.method = methods[static_cast<int>(options.kind) - static_cast<int>(HaltLoss::marginal)],
                             .entropy = 0};
  return gate_loss(o, {losses, priced}, gate, random);
}

}  // namespace elastane::train
