#include "lab/language/stacks.h"

#include <algorithm>
#include <cmath>

#include "elastane/core/stream/stream.h"
#include "lab/language/text.h"

namespace elastane::language {
namespace {

constexpr int kStackWidth = 64, kStackHeads = 4, kWindow = 64;
constexpr int kHidden = 128;  // of the networks behind full attention
constexpr int kUnit = 8;      // hidden units are multiples of it

BlockConfig mixer(const std::string& stack, int layer, int piece) {
  const bool is_memory = stack == "delta" && layer == 1;
  if (is_memory) return {.kind = DeltaConfig{.key = 32, .value = kStackWidth}};
  if (stack == "ssm" || stack == "delta") return {.kind = MambaConfig{.state = 16, .conv = 4, .expand = 1}};
  return {.kind = AttentionConfig{.heads = kStackHeads, .window = stack == "window" ? kWindow : piece}};
}

ModelConfig stack_of(const std::string& stack, int hidden, int piece) {
  ModelConfig config{.inputs = kSymbols, .outputs = kSymbols, .width = kStackWidth};
  for (const int layer : {0, 1}) {
    config.blocks.push_back(mixer(stack, layer, piece));
    config.blocks.push_back({.kind = MlpConfig{.hidden = hidden}});
  }
  return config;
}

double size_of(const ModelConfig& config, const std::string& equal, int piece) {
  return equal == kEqualCompute ? macs_per_byte(config, piece) : static_cast<double>(parameters_of(config));
}

}  // namespace

const std::vector<std::string>& text_stacks() {
  static const std::vector<std::string> names = {"ssm", "delta", "window", "attention"};
  return names;
}

Result<ModelConfig> text_config(const std::string& stack, const std::string& equal, int piece) {
  if (std::ranges::find(text_stacks(), stack) == text_stacks().end()) {
    return Error{"[language] unknown stack \"" + stack + "\", expected one of ssm, delta, window, attention"};
  }
  if (equal != kEqualParameters && equal != kEqualCompute) {
    return Error{"[language] expected stacks of equal parameters or compute, found \"" + equal + "\""};
  }
  // both sizes are affine in the hidden units
  const double goal = size_of(stack_of("attention", kHidden, piece), equal, piece);
  const double few = size_of(stack_of(stack, kUnit, piece), equal, piece);
  const double slope = (size_of(stack_of(stack, 2 * kUnit, piece), equal, piece) - few) / kUnit;
  const int hidden = kUnit + static_cast<int>(std::lround((goal - few) / slope / kUnit)) * kUnit;
  return stack_of(stack, hidden, piece);
}

std::int64_t parameters_of(const ModelConfig& config) {
  std::int64_t count = 0;
  for (const Tensor& tensor : random_tensors(config, 1)) count += static_cast<std::int64_t>(tensor.values.size());
  return count;
}

double macs_per_byte(const ModelConfig& config, int piece) {
  const Model model = Model::create(config, random_tensors(config, 1)).value();
  Stream stream(model);
  std::vector<float> x(static_cast<std::size_t>(config.inputs));
  x[0] = 1;
  double macs = 0;
  for (int t = 0; t < piece; ++t) {
    const AdvanceReport report = stream.advance(x);
    macs += static_cast<double>(report.macs);
    for (std::size_t i = 0; i < config.blocks.size(); ++i) {
      const auto* attention = std::get_if<AttentionConfig>(&config.blocks[i].kind);
      if (attention == nullptr) continue;
      macs -= 2.0 * config.width * static_cast<double>(attention->window - report.blocks[i].slots_read);
    }
  }
  return macs / piece;
}

}  // namespace elastane::language
