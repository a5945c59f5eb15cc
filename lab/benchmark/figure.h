// Figures of episodes: web/figure_panels.h, with the captions of a recording.
#pragma once

#include <string>
#include <utility>

#include "lab/benchmark/recording.h"
#include "web/figure_panels.h"

namespace elastane::benchmark {

inline web::Panel panel_of(const Caption& caption, std::string drawing) {
  return {caption.name, caption.success, caption.steps, std::move(drawing)};
}

}  // namespace elastane::benchmark
