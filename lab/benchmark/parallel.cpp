#include "lab/benchmark/parallel.h"

#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace elastane::benchmark {

void in_parallel(int threads, const std::function<void(int)>& work) {
  std::mutex mutex;
  std::exception_ptr thrown;
  const auto guarded = [&](int index) {
    try {
      work(index);
    } catch (...) {  // an exception must not leave a thread
      const std::lock_guard lock(mutex);
      thrown = std::current_exception();
    }
  };
  std::vector<std::thread> others;
  for (int i = 1; i < threads; ++i) others.emplace_back(guarded, i);
  guarded(0);
  for (std::thread& thread : others) thread.join();
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace elastane::benchmark
