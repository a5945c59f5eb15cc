// The published runs of both plants: plant/rlc and plant/cstr in the folder of public data.
#pragma once

#include <string>
#include <vector>

#include "elastane/core/base/result.h"
#include "lab/plant/record.h"

namespace elastane::plant {

class PublishedRuns {
 public:
  explicit PublishedRuns(const std::string& data) : folder_(data + "/plant") {}

  const std::string& folder() const { return folder_; }
  bool found() const;

  // split: train, test, transfer or eval
  Result<std::vector<Record>> circuit(const std::string& split) const;
  // Outputs of the reactor's transfer and eval have other units than those of train and test: the source's program divides
  // them by their own deviations in train, and the others by the inputs' deviations. `as_in_training` undoes that.
  Result<std::vector<Record>> reactor(const std::string& split, bool as_in_training) const;

 private:
  std::string folder_;
};

}  // namespace elastane::plant
