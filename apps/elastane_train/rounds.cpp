#include "apps/elastane_train/rounds.h"

#include <algorithm>
#include <cstring>

namespace elastane::app {

at::Tensor rows(const std::vector<float>& values, int columns) {
  const at::Tensor tensor = at::empty({static_cast<std::int64_t>(values.size()) / columns, columns});
  std::memcpy(tensor.data_ptr<float>(), values.data(), values.size() * sizeof(float));
  return tensor;
}

void share_out(const std::vector<train::Dataset>& rounds, Task& task) {
  constexpr std::size_t kHeldOut = 32;
  for (const train::Dataset& round : rounds) {
    const auto learned = static_cast<std::ptrdiff_t>(round.size() - round.size() / kHeldOut);
    task.learn.insert(task.learn.end(), round.begin(), round.begin() + learned);
    task.held_out.insert(task.held_out.end(), round.begin() + learned, round.end());
  }
  // held-out series of equal length are judged together if they are neighbours
  std::ranges::stable_sort(task.held_out, {}, &train::Series::length);
}

}  // namespace elastane::app
