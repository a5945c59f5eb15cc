// The same work many times over, on all cores; what comes out does not depend on which core did it.
#pragma once

#include <algorithm>
#include <future>
#include <thread>
#include <vector>

namespace elastane::lab {

// make_worker() is called once a thread, and what it makes is called with 0 … count − 1, each by one of them
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
