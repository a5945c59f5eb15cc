#include "apps/elastane_train/peptide_lessons.h"

#include <algorithm>
#include <future>
#include <thread>

namespace elastane::app {

std::vector<peptide::Lesson> give_lessons(std::uint64_t seed, int first, int count, const DriverMaker& maker) {
  const auto workers = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  std::vector<peptide::Lesson> lessons(static_cast<std::size_t>(count));
  const auto work = [&](int worker) {
    const std::unique_ptr<peptide::Driver> driver = maker ? maker() : nullptr;
    for (int n = worker; n < count; n += workers) {
      lessons[static_cast<std::size_t>(n)] = peptide::teach(seed, first + n, driver.get());
    }
  };
  std::vector<std::future<void>> running;
  for (int w = 0; w < workers; ++w) running.push_back(std::async(std::launch::async, work, w));
  for (auto& one : running) one.get();
  return lessons;
}

}  // namespace elastane::app
