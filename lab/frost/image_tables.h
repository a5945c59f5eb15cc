// Tables of what `elastane train images` found: halting at equal accuracy, and the tables of FROST's paper beside ours.
#pragma once

#include <string>
#include <vector>

#include "lab/benchmark/depth_rows.h"

namespace elastane::frost {

// the networks of a part; those before `rivals` are trained with every seed, the others with fewer
struct ImagePart {
  const char *part, *task;
  std::vector<const char*> methods;
  std::size_t rivals;
};
const std::vector<ImagePart>& image_parts();

// Markdown; empty where there are no rows of the part
std::string image_table(const std::string& part, const std::vector<benchmark::DepthRow>& rows);

}  // namespace elastane::frost
