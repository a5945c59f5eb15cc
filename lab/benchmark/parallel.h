// The one place of the lab that starts threads.
#pragma once

#include <algorithm>
#include <functional>
#include <thread>
#include <vector>

namespace elastane::benchmark {

// Calls work(0) … work(threads − 1), each on a thread of its own but the first, which is the caller's. Returns when all
// have ended; if some threw, one of their exceptions is thrown again.
void in_parallel(int threads, const std::function<void(int)>& work);

// The same work many times, on all cores. make_worker() is called once per thread; the workers that it returns are called
// with 0 … count − 1, each number once. The outcomes do not depend on which core made them.
template <class Outcome, class MakeWorker>
std::vector<Outcome> on_all_cores(int count, MakeWorker make_worker) {
  const auto threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  std::vector<Outcome> outcomes(static_cast<std::size_t>(count));
  in_parallel(threads, [&](int first) {
    auto worker = make_worker();
    for (int n = first; n < count; n += threads) outcomes[static_cast<std::size_t>(n)] = worker(n);
  });
  return outcomes;
}

}  // namespace elastane::benchmark
