// A step of a prompt as a model sees it: one vector, with a place for each thing that a step may carry.
//
//   value, key       one of n                       marker, needle, query   flags
//   x                bumps around fixed centres     y                       between the two nearest cells
//
// What is asked for has places of its own, so that a query is not taken for a record.
#pragma once

#include <span>

#include "lab/recall/episode.h"

namespace elastane::recall {

inline constexpr int kCentres = 8;
inline constexpr int kInputs = kValues + 2 * kKeys + kTasks + 2 + 2 * kCentres + kValues;

void observe(const Step& step, std::span<float> x);  // kInputs numbers

}  // namespace elastane::recall
