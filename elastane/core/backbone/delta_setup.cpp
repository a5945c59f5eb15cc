#include <cmath>

#include "elastane/core/backbone/delta.h"
#include "elastane/core/backbone/description.h"

namespace elastane {
namespace {

// how many taps back the start of a convolution looks: at this step alone, with a little of the others
Initialiser newest_tap(int taps) {
  return [taps](Random& random, std::size_t i) {
    const bool newest = i % as_size(taps) == as_size(taps) - 1;
    return static_cast<float>((newest ? 1.0 : 0.0) + random.uniform(-0.05, 0.05));
  };
}

AssociativeMemory memory_of(const DeltaConfig& c, int width) {
  return {
      .heads = c.heads,
      .keys = c.key > 0 ? c.key : width / c.heads,
      .values = c.value > 0 ? c.value : width / c.heads,
      .rule = c.rule,
      .noise = c.noise,
      .relax = c.relax,
      .inflate = c.inflate,
      .gate = {
          .policy = c.write, .threshold = c.threshold, .share = c.share, .burst = c.burst, .sightings = c.sightings}};
}

}  // namespace

Delta bind(const DeltaConfig& config, int width, bool /*learned_start: M begins empty*/, Binder& binder) {
  Delta d{};
  d.width = width;
  d.taps = config.taps;
  d.decays = config.decay;
  d.is_published = config.form == DeltaForm::published;
  d.is_gated = config.gated;
  d.memory = memory_of(config, width);
  const int heads = d.memory.heads, keys = heads * d.memory.keys, values = heads * d.memory.values;
  d.qkv = binder.matrix_of({"q_proj.weight", "k_proj.weight", "v_proj.weight"}, {keys, keys, values}, width);
  const auto q = binder.tensor("q_conv1d.weight", {keys, 1, d.taps}, newest_tap(d.taps));
  const auto k = binder.tensor("k_conv1d.weight", {keys, 1, d.taps}, newest_tap(d.taps));
  const auto v = binder.tensor("v_conv1d.weight", {values, 1, d.taps}, newest_tap(d.taps));
  d.conv_weight = binder.planes(d.taps, d.qkv.rows, [&](int tap, int i) {
    const int at = i % padded(keys), part = i / padded(keys);
    const auto& own = part == 0 ? q : part == 1 ? k : v;
    const int channel = part < 2 ? at : i - 2 * padded(keys), size = part < 2 ? keys : values;
    return channel < size ? own[as_size((channel + 1) * d.taps - 1 - tap)] : 0.0F;
  });
  // without decay there is no α to learn
  d.gates = d.decays ? binder.matrix_of({"b_proj.weight", "a_proj.weight"}, {heads, heads}, width)
                     : binder.matrix_of({"b_proj.weight"}, {heads}, width);
  const auto strength = binder.tensor("b_proj.bias", {heads}, constant(0.0));
  const auto keep = d.decays ? binder.tensor("a_proj.bias", {heads}, constant(5.0)) : std::span<const float>();
  d.gate_bias = binder.planes(2, heads, [&](int part, int i) {
    return part == 0 ? strength[as_size(i)] : keep.empty() ? 0.0F : keep[as_size(i)];
  });
  if (d.is_published) d.conv_bias = binder.planes(1, d.qkv.rows, [](int, int) { return 0.0; });
  if (d.is_published && d.decays) {
    const auto rate = binder.tensor("A_log", {heads}, constant(0.0));
    d.rate = binder.planes(1, heads, [&](int, int i) { return std::exp(static_cast<double>(rate[as_size(i)])); });
  }
  d.unit = binder.planes(1, d.memory.keys, [&](int, int) { return 1.0 / std::sqrt(d.memory.keys); });
  d.unit_query = d.unit;
  if (d.is_published) d.unit_query = binder.planes(1, d.memory.keys, [&](int, int) { return 1.0 / d.memory.keys; });
  if (d.is_gated) d.gate_proj = binder.matrix("g_proj.weight", {values}, width);
  d.norm_weight = binder.vector("o_norm.weight", {d.memory.values}, constant(1.0));
  d.out_proj = binder.matrix("o_proj.weight", {width}, values);
  return d;
}

// never called: is_described says so, and a stream with a corrector refuses the model
Register describe(const Delta&, Register u, Description&) { return u; }

}  // namespace elastane
