// What this core could do at best: the bandwidth of a working set, and multiply-adds a second.
#pragma once

#include <cstddef>

namespace elastane::app {

double read_micros(
    std::size_t bytes);            // to read that many bytes once, again and again, so from the cache that holds them
double multiply_adds_per_micro();  // float32, on registers alone

}  // namespace elastane::app
