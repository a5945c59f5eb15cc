// The page of `elastane evaluate series --report`: errors of all methods, by step of the horizon and over time.
#pragma once

#include <string>
#include <vector>

#include "lab/series/comparison.h"

namespace elastane::app {

struct EvaluatedTable {
  std::string data;
  int horizon = 1;
  std::vector<series::MethodResult> results;
};

std::string evaluation_page(const std::vector<EvaluatedTable>& tables);

}  // namespace elastane::app
