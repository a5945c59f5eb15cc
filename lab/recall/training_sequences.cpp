#include "lab/recall/training_sequences.h"

namespace elastane::recall {

train::Series series_of(const Episode& episode) {
  const at::Tensor x = at::empty({episode.length(), kInputs}), target = at::full({episode.length(), kValues}, NAN);
  for (int t = 0; t < episode.length(); ++t) {
    observe(episode.steps[t], {x.data_ptr<float>() + std::ptrdiff_t{t} * kInputs, kInputs});
    const int label = episode.steps[t].label;
    if (label < 0) continue;
    target[t].zero_();
    target.data_ptr<float>()[t * kValues + label] = 1;
  }
  return {x, target, {}};
}

}  // namespace elastane::recall
