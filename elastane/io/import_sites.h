// Where the blocks of a file are: the prefixes of their tensors, in the order of their numbers.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "elastane/io/placer.h"

namespace elastane {

// the prefix of the tensors of a block: backbone.layers.3.mixer.
struct Site {
  std::string prefix;
  std::string stem;          // the prefix with # for its number
  std::optional<int> index;  // its number, if it has one
};

// Blocks with tensors that end in one of these names. Records a fault if they are not a plain stack; `kind` is named in it.
std::vector<Site> sites_of(Placer& placer, std::span<const std::string_view> signs, const std::string& kind);

// none, rms or (with a bias) layer; `from` ends in a dot
Norm place_norm(Placer& placer, const std::string& from, const std::string& to, int width);

// a network gated by silu, as behind attention: gate_proj, up_proj, down_proj; its hidden units, or 0 after a fault
int place_gated_mlp(Placer& placer, const std::string& from, const std::string& to, int width);

// what is around the blocks of a language model: embedding, last norm and head
void place_ends(Placer& placer, const ImportOptions& options, ModelConfig& config);

}  // namespace elastane
