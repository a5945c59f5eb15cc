// Lessons of the peptide world, given on all cores.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "lab/peptide/lesson.h"

namespace elastane::peptide {

inline constexpr std::uint64_t kHeldOutLessons = 1ULL << 40U;  // the seed of lessons that are not learned from

// makes one driver for each thread, or none: then the expert moves the chain
using DriverMaker = std::function<std::unique_ptr<Driver>()>;

// lessons first … first + count − 1 of a seed; what one holds does not depend on which thread gives it
std::vector<Lesson> give_lessons(std::uint64_t seed, int first, int count, const DriverMaker& maker = {});

}  // namespace elastane::peptide
