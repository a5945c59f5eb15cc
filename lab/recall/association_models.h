// The models that learn associations: which blocks they have, and weights to start from with which they train in seconds.
//
// Delta models start as an associative memory: W_k = W_q and W_o = W_vᵀ, all orthogonal, keys of the step before, and a head
// that is the encoder's inverse. Attention models start as an induction head (arXiv 2402.01032, theorem 2.3): Mamba's
// convolution makes a feature of the last symbols for queries, and of the symbols before for keys.
#pragma once

#include <string>
#include <vector>

#include "elastane/core/network/model_config.h"
#include "lab/recall/associations.h"

namespace elastane::recall {

// names of all models
const std::vector<std::string>& association_models();

// `longest`: steps of the longest sequence, which a whole attention must see
Result<ModelConfig> association_config(const std::string& model, const AssociationOptions& task, int longest);
std::vector<Tensor> association_start(const ModelConfig& config, const AssociationOptions& task, std::uint64_t seed);

}  // namespace elastane::recall
