#include "lab/peptide/training_lessons.h"

#include "lab/training/on_all_cores.h"

namespace elastane::peptide {

std::vector<Lesson> give_lessons(std::uint64_t seed, int first, int count, const DriverMaker& maker) {
  return lab::on_all_cores<Lesson>(count, [&] {
    return [&, driver = maker ? maker() : nullptr](int n) { return teach(seed, first + n, driver.get()); };
  });
}

}  // namespace elastane::peptide
