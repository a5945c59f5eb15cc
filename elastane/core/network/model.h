// Weights and sizes, constant, shared by any number of streams and threads.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "elastane/core/network/network.h"

namespace elastane {

struct ModelOptions {
  Isa isa = Isa::automatic;
  bool bfloat16 = false;  // keep matrices in bfloat16, whatever the configuration says
};

class Model {
 public:
  // from a file; defined in elastane::io, so link that
  static Result<Model> load(const std::string& path, const ModelOptions& options = {});

  // from tensors in memory; `source` is named in messages
  static Result<Model> create(const ModelConfig& config, std::span<const Tensor> tensors,
                              const ModelOptions& options = {}, std::string_view source = "the given tensors");

  const ModelConfig& config() const { return network_->config; }
  int inputs() const { return config().inputs; }
  int outputs() const { return config().outputs; }
  Isa isa() const { return network_->k->isa; }

  std::int64_t parameters() const { return network_->parameters; }
  // multiply-adds of one step, at most; what a step took is in its AdvanceReport
  std::int64_t macs() const { return network_->macs; }
  std::size_t weight_bytes() const { return network_->weights.size(); }  // in memory, read once per step
  std::size_t state_bytes() const { return network_->layout.size; }      // of one stream
  std::uint64_t fingerprint() const { return network_->fingerprint; }    // of configuration and weights

  const Network& network() const { return *network_; }

 private:
  explicit Model(std::shared_ptr<const Network> network) : network_(std::move(network)) {}

  std::shared_ptr<const Network> network_;
};

}  // namespace elastane
