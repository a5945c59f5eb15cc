// Real-time code only.
// What a model tells about itself. How it is built is in model.cpp.
#include "elastane/core/network/model.h"
#include "elastane/core/network/network.h"

namespace elastane {

const ModelConfig& Model::config() const { return network_->config; }
Isa Model::isa() const { return network_->k->isa; }
std::int64_t Model::parameters() const { return network_->parameters; }
std::int64_t Model::macs() const { return network_->macs; }
std::size_t Model::weight_bytes() const { return network_->weights.size(); }
std::size_t Model::state_bytes() const { return network_->layout.size; }
std::uint64_t Model::fingerprint() const { return network_->fingerprint; }

}  // namespace elastane
