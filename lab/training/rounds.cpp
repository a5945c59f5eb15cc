#include "lab/training/rounds.h"

#include <algorithm>
#include <cstring>

namespace elastane::lab {

at::Tensor rows(const std::vector<float>& values, int columns) {
  const at::Tensor tensor = at::empty({static_cast<std::int64_t>(values.size()) / columns, columns});
  std::memcpy(tensor.data_ptr<float>(), values.data(), values.size() * sizeof(float));
  return tensor;
}

void split(const std::vector<train::Dataset>& rounds, TrainingTask& task) {
  constexpr std::size_t kHeldOut = 32;
  for (const train::Dataset& round : rounds) {
    const auto learned = static_cast<std::ptrdiff_t>(round.size() - round.size() / kHeldOut);
    task.learn.insert(task.learn.end(), round.begin(), round.begin() + learned);
    task.held_out.insert(task.held_out.end(), round.begin() + learned, round.end());
  }
  // neighbours of equal length are validated as one batch
  std::ranges::stable_sort(task.held_out, {}, &train::Series::length);
}

}  // namespace elastane::lab
