// The same work many times, on all cores. The outcome does not depend on which core did it.
#pragma once

#include <algorithm>
#include <future>
#include <thread>
#include <vector>

namespace elastane::lab {

// make_worker() is called once per thread; the workers it returns are called with 0 … count − 1, each number once
template <class Outcome, class MakeWorker>
std::vector<Outcome> on_all_cores(int count, MakeWorker make_worker) {
  const auto workers = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  std::vector<Outcome> outcomes(static_cast<std::size_t>(count));
  const auto work = [&](int first) {
    auto worker = make_worker();
    for (int n = first; n < count; n += workers) outcomes[static_cast<std::size_t>(n)] = worker(n);
  };
  std::vector<std::future<void>> running;
  for (int w = 0; w < workers; ++w) running.push_back(std::async(std::launch::async, work, w));
  for (auto& one : running) one.get();
  return outcomes;
}

}  // namespace elastane::lab
