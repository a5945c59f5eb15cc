#include "elastane/train/choice.h"

#include <cmath>

namespace elastane::train {

using at::Tensor;

Tensor gumbel_noise(const Tensor& scores, Random& random) {
  Tensor noise = at::empty(scores.sizes(), at::kDouble);
  double* at = noise.data_ptr<double>();
  for (std::int64_t i = 0; i < noise.numel(); ++i) at[i] = -std::log(-std::log(random.uniform(1e-12, 1)));
  return noise;
}

Tensor gumbel_choice(const Tensor& scores, double temperature, Random& random) {
  const Tensor soft = at::softmax((scores + gumbel_noise(scores, random)) / temperature, -1);
  const Tensor hard = at::one_hot(soft.argmax(-1), scores.size(-1)).to(scores.scalar_type());
  return straight_through(hard, soft);
}

}  // namespace elastane::train
