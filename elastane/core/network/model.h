// Weights and sizes, constant, shared by any number of streams and threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "elastane/core/network/model_config.h"

namespace elastane {

struct Network;

struct ModelOptions {
  Isa isa = Isa::automatic;
  std::optional<Precision> weights;  // of the matrices in memory, whatever the configuration says
};

class Model {
 public:
  // from a file; defined in elastane::io, so link that
  static Result<Model> load(const std::string& path, const ModelOptions& options = {});

  // from tensors in memory; `source` is named in messages
  static Result<Model> create(const ModelConfig& config, std::span<const Tensor> tensors,
                              const ModelOptions& options = {}, std::string_view source = "the given tensors");

  const ModelConfig& config() const;
  int inputs() const { return config().inputs; }
  int outputs() const { return config().outputs; }
  Isa isa() const;

  std::int64_t parameters() const;
  std::int64_t macs() const;          // multiply-adds of one step, at most; what a step took is in its AdvanceReport
  std::size_t weight_bytes() const;   // in memory, read once per step
  std::size_t state_bytes() const;    // of one stream
  std::uint64_t fingerprint() const;  // of configuration and weights

  const Network& network() const { return *network_; }  // as the hot path sees it: network/network.h, not installed

 private:
  explicit Model(std::shared_ptr<const Network> network) : network_(std::move(network)) {}

  std::shared_ptr<const Network> network_;
};

}  // namespace elastane
