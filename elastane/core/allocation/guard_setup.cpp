// What a guard does outside steps: creation and checks.
#include <cmath>
#include <string>

#include "elastane/core/allocation/guard.h"

namespace elastane {

Status validate(const LossGuardOptions& options) {
  const auto wrong = [](const char* what, const char* expected, double found) {
    return Error{"[guard] " + std::string(what) + ": expected " + expected + ", found " + std::to_string(found)};
  };
  const auto positive = [](double value) { return value > 0 && value < 1e12; };
  if (!(options.allowance >= 0 && options.allowance < 1e12)) {
    return wrong("allowance", "a share of at least 0", options.allowance);
  }
  if (!(options.credit >= 0 && options.credit < 1e12)) return wrong("credit", "at least 0", options.credit);
  if (!(options.earnings >= 0 && options.earnings < 1e12)) return wrong("earnings", "at least 0", options.earnings);
  if (!(options.handicap >= 0 && options.handicap < 1e12)) return wrong("handicap", "at least 0", options.handicap);
  if (!positive(options.rate)) return wrong("rate", "above 0", options.rate);
  if (!positive(options.cap)) return wrong("cap", "above 0", options.cap);
  if (!(options.share > 0 && options.share < 1)) return wrong("share", "between 0 and 1", options.share);
  if (!(options.patience >= 0 && options.patience <= 100)) return wrong("patience", "0 to 100", options.patience);
  return {};
}

// the odds at which as much is forgotten as nothing can outweigh
Guard::Guard(const LossGuardOptions& options) : options_(options), floor_(std::log(2 / options.share - 1)) {}

}  // namespace elastane
