#include "apps/elastane_train/peptide_lessons.h"

#include "apps/elastane_train/on_all_cores.h"

namespace elastane::app {

std::vector<peptide::Lesson> give_lessons(std::uint64_t seed, int first, int count, const DriverMaker& maker) {
  return on_all_cores<peptide::Lesson>(count, [&] {
    return [&, driver = maker ? maker() : nullptr](int n) { return peptide::teach(seed, first + n, driver.get()); };
  });
}

}  // namespace elastane::app
