#include "bench/scan_rivals.h"

#include <array>
#include <vector>

namespace elastane::bench {

using at::Tensor;

Tensor scan_by_loop(const Tensor& a, const Tensor& b) {
  const auto decays = a.unbind(1), drives = b.unbind(1);
  std::vector<Tensor> states = {drives[0]};
  for (std::size_t t = 1; t < drives.size(); ++t) {
    states.push_back(at::addcmul(drives[t], decays[t], states.back()));
  }
  return at::stack(states, 1);
}

Tensor scan_in_parallel(const Tensor& a, const Tensor& b) {
  const std::int64_t length = b.size(1), half = length / 2;
  if (length == 1) return b;
  if (length % 2 != 0) {
    const Tensor begun = scan_in_parallel(a.narrow(1, 0, length - 1), b.narrow(1, 0, length - 1));
    const Tensor last = at::addcmul(b.select(1, length - 1), a.select(1, length - 1), begun.select(1, length - 2));
    return at::cat({begun, last.unsqueeze(1)}, 1);
  }
  const auto every_second = [&](const Tensor& v, std::int64_t first) { return v.slice(1, first, length, 2); };
  const std::array<Tensor, 2> decays = {every_second(a, 0), every_second(a, 1)};
  const std::array<Tensor, 2> drives = {every_second(b, 0), every_second(b, 1)};
  // two steps as one, of which there are half as many
  const Tensor odd = scan_in_parallel(decays[1] * decays[0], at::addcmul(drives[1], decays[1], drives[0]));
  const Tensor rest =
      at::addcmul(drives[0].narrow(1, 1, half - 1), decays[0].narrow(1, 1, half - 1), odd.narrow(1, 0, half - 1));
  const Tensor even = at::cat({drives[0].narrow(1, 0, 1), rest}, 1);
  return at::stack({even, odd}, 2).flatten(1, 2);
}

}  // namespace elastane::bench
