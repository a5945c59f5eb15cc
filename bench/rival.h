// Programs beside this one that do the same with another library. Each answers with one JSON object.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "bench/bench.h"
#include "elastane/core/network/model.h"

namespace elastane::bench {

// the input of a rival: a file that is removed with this object
class RivalFile {
 public:
  RivalFile(const ModelConfig& config, std::span<const Tensor> tensors);
  explicit RivalFile(const Json& json);
  RivalFile(const RivalFile&) = delete;
  RivalFile& operator=(const RivalFile&) = delete;
  ~RivalFile();

  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

bool rival_exists(const std::string& name);

// its answer; nothing if the program does not exist; throws if the answer cannot be read
std::optional<Json> ask_rival(const std::string& name, const std::string& arguments);

// max|found − expected| over max|expected|
double deviation(std::span<const float> found, std::span<const float> expected);

}  // namespace elastane::bench
