// Models of a service by name, as files: what a log says was used must be there when it is replayed.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "elastane/core/forecast/forecast_model.h"

namespace elastane::serve {

// sixteen digits: a hash of the file
std::string model_name(std::span<const std::byte> file);

class ModelStore {
 public:
  explicit ModelStore(std::string folder) : folder_(std::move(folder)) {}

  Result<std::string> add(std::span<const std::byte> file) const;  // its name; it is on the disk then
  Result<SharedForecastModel> load(const std::string& name) const;
  std::vector<std::string> names() const;

  Result<std::string> current() const;  // the one to use; "": none was chosen yet
  Status set_current(const std::string& name) const;

 private:
  std::string folder_;
};

}  // namespace elastane::serve
