#include "elastane/core/network/block_summary.h"

#include <sstream>

#include "elastane/core/network/network.h"

namespace elastane {
namespace {

std::string settings_of(const S4dConfig& c) {
  const char* rule = c.discretisation == Discretisation::zoh ? "zero-order hold" : "bilinear";
  return "state " + std::to_string(c.state) + ", " + rule;
}
std::string settings_of(const MambaConfig& c) {
  return "state " + std::to_string(c.state) + ", conv " + std::to_string(c.conv) + ", expand " +
         std::to_string(c.expand);
}
std::string settings_of(const GruConfig&) { return ""; }
std::string settings_of(const LstmConfig&) { return ""; }
std::string modes_of(const AttentionConfig& c) {
  const char* words[kHeadModes] = {"full", "stream", "blocks"};
  std::string text;
  for (const HeadMode mode : c.modes)
    text += std::string(text.empty() ? ", modes " : " ") + words[static_cast<int>(mode)];
  return text;
}
std::string settings_of(const AttentionConfig& c) {
  std::string text =
      "heads " + std::to_string(c.heads) + ", window " + std::to_string(c.window) + (c.rotary ? ", rotary" : "");
  if (c.sink > 0) text += ", sink " + std::to_string(c.sink);
  if (c.local > 0) text += ", local " + std::to_string(c.local) + ", block " + std::to_string(c.block) + modes_of(c);
  return text + (c.bfloat16_cache ? ", bfloat16 cache" : "");
}
std::string settings_of(const MlpConfig& c) { return c.gated ? "gated" : ""; }
std::string settings_of(const SelectiveConfig&) { return ""; }
std::string settings_of(const RecursionConfig& c) {
  const char* forms[] = {"contraction", "damped", "literal"};
  const char* rules[] = {"certificate", "margin", "learned", "ranking", "uniform"};
  std::ostringstream text;
  text << forms[static_cast<int>(c.form)];
  if (c.shape == RecursionShape::grid) text << " on a grid of " << c.rows << " x " << c.cols;
  if (c.shape == RecursionShape::line) text << " on a line of " << c.cols;
  text << ", depth at most " << c.depth << ", halts by " << rules[static_cast<int>(c.halt)];
  if (c.form != RecursionForm::literal) {
    text << ", declared constant " << c.lipschitz << " in the "
         << (c.lipschitz_norm == LipschitzNorm::two ? "2-norm" : "sup-norm");
  }
  return text.str();
}
std::string settings_of(const DeltaConfig& c) {
  std::ostringstream text;
  text << "heads " << c.heads << ", taps " << c.taps << (c.decay ? ", decay" : "");
  if (c.form == DeltaForm::published) text << ", published form";
  if (c.gated) text << ", gated";
  if (c.rule == WriteRule::least_squares) {
    text << ", least squares, noise " << c.noise << ", relax " << c.relax << ", inflate " << c.inflate;
  }
  if (c.write == WritePolicy::always) return text.str();
  text << ", writes on surprise above " << c.threshold;
  if (c.write == WritePolicy::budget) text << ", in " << c.share << " of steps, burst " << c.burst;
  if (c.write == WritePolicy::seen_twice) text << ", on the second of " << c.sightings << " sightings";
  return text.str();
}
std::string settings_of(const CustomConfig& c) {
  std::ostringstream text;
  for (const CustomSetting& setting : c.kind->settings()) {
    text << (text.tellp() > 0 ? ", " : "") << setting.name << ' ' << setting.value;
  }
  return text.str();
}

// what the weights prove beyond the settings
template <class Block>
std::string proven_of(const Block&) {
  return "";
}
std::string proven_of(const Recursion& r) {
  std::ostringstream text;
  if (!(r.lipschitz < 1)) return ", nothing is certified";
  text << ", an iteration contracts by " << r.lipschitz << ", from a distance of 1 it is within " << r.config.tolerance
       << " after " << r.worst_depth(1) << " iterations";
  return text.str();
}

}  // namespace

std::vector<BlockSummary> summarise_blocks(const Model& model) {
  std::vector<BlockSummary> blocks;
  for (std::size_t i = 0; i < model.network().layers.size(); ++i) {
    const BlockConfig& config = model.config().blocks[i];
    BlockSummary summary{.kind = std::string(block_name(config)), .settings = {}};
    summary.settings = std::visit([](const auto& kind) { return settings_of(kind); }, config.kind);
    visit_block(model.network().layers[i].block, [&](const auto& block) {
      const StateClasses state = block.state();
      summary.macs = block.macs();
      summary.dense = sizeof(float) * static_cast<std::size_t>(state.dense);
      summary.ring = sizeof(float) * static_cast<std::size_t>(state.ring);
      summary.slow = sizeof(float) * static_cast<std::size_t>(state.slow.floats());
      summary.latents = block.latents();
      summary.settings += proven_of(block);
    });
    blocks.push_back(std::move(summary));
  }
  return blocks;
}

std::string cost_text(const BlockSummary& block) {
  std::string text = std::to_string(block.macs) + " multiply-adds";
  const std::size_t bytes[] = {block.dense, block.ring, block.slow};
  const char* classes[] = {"dense", "ring", "slow"};
  const char* before = "; state ";
  for (int i = 0; i < 3; ++i) {
    if (bytes[i] == 0) continue;
    text += before + std::to_string(bytes[i]) + (before[0] == ';' ? " bytes " : " ") + classes[i];
    before = ", ";
  }
  return text;
}

}  // namespace elastane
