#include "apps/elastane_train/scan_rivals.h"

#include <vector>

namespace elastane::app {

using at::Tensor;

Tensor scan_by_loop(const Tensor& a, const Tensor& b) {
  const auto decays = a.unbind(1), drives = b.unbind(1);
  std::vector<Tensor> states = {drives[0]};
  for (std::size_t t = 1; t < drives.size(); ++t) {
    states.push_back(at::addcmul(drives[t], decays[t], states.back()));
  }
  return at::stack(states, 1);
}

Tensor scan_by_doubling(Tensor a, Tensor b) {
  const std::int64_t length = b.size(1);
  for (std::int64_t reach = 1; reach < length; reach *= 2) {
    const std::int64_t rest = length - reach;
    // (a, b)_t ← (a_t a_{t−reach}, b_t + a_t b_{t−reach})
    const Tensor later = a.narrow(1, reach, rest);
    b = at::cat({b.narrow(1, 0, reach), at::addcmul(b.narrow(1, reach, rest), later, b.narrow(1, 0, rest))}, 1);
    a = at::cat({a.narrow(1, 0, reach), later * a.narrow(1, 0, rest)}, 1);
  }
  return b;
}

}  // namespace elastane::app
