// Where the files that tests read lie. One source holds the paths: as arguments of the compiler they would make every new
// clone compile every test again.
#pragma once

namespace elastane {

extern const char* const kGoldensPath;  // tests/parity/goldens
extern const char* const kModelsPath;   // models

}  // namespace elastane

#define ELASTANE_GOLDENS ::elastane::kGoldensPath
#define ELASTANE_MODELS ::elastane::kModelsPath
