#include "elastane/io/export_onnx.h"

#include <algorithm>

#include "elastane/core/math/packed_matrix.h"
#include "elastane/io/export_onnx_graph.h"

namespace elastane {
namespace {

constexpr const char* kDoc =
    "One step. States are zero before the first; give each NAME.next as NAME to the next step. Every channel must be "
    "present, and steps are evenly spaced.";

// the running level and scale of the inputs, where the model has them
struct LevelAndScale {
  std::string level, scale;
};

// x̂ = (x − level)/scale after both were updated; docs/model_format.md, step 1
std::string export_normaliser(const NormaliserConfig& config, int inputs, const std::string& x, LevelAndScale& found,
                              GraphBuilder& g) {
  const std::string count = g.state("normaliser.count", {inputs}), level = g.state("normaliser.level", {inputs});
  const std::string variance = g.state("normaliser.variance", {inputs}), one = g.constant(1);
  const std::string seen = g.add(count, one);
  const std::string a = g.op("Max", {g.constant(1 - config.decay), g.op("Div", {one, seen})});
  const std::string change = g.subtract(x, level), part = g.multiply(a, change);
  found.level = g.add(level, part);
  const std::string spread = g.multiply(g.subtract(one, a), g.add(variance, g.multiply(part, change)));
  found.scale = g.op("Sqrt", {g.add(spread, g.constant(config.epsilon))});
  g.next(count, seen);
  g.next(level, found.level);
  g.next(variance, spread);
  return g.op("Div", {g.subtract(x, found.level), found.scale});
}

// y ← level + scale·y of the outputs that get them back; the others are multiplied by 1
std::string export_restore(const std::vector<int>& restore, const std::string& y, const LevelAndScale& found,
                           GraphBuilder& g) {
  const auto outputs = static_cast<std::int64_t>(restore.size());
  std::vector<float> gets, keeps;
  for (const int channel : restore) {
    gets.push_back(channel >= 0 ? 1.0F : 0.0F);
    keeps.push_back(channel >= 0 ? 0.0F : 1.0F);
  }
  const std::string get = g.constant("restore.gets", {outputs}, gets);
  const std::string keep = g.constant("restore.keeps", {outputs}, keeps);
  const std::string scale = g.add(g.multiply(g.gather(found.scale, restore), get), keep);
  return g.add(g.multiply(scale, y), g.multiply(g.gather(found.level, restore), get));
}

// The mask of a model that has one is all ones, so its columns are part of the bias.
std::string export_encoder(const ModelConfig& config, const std::string& x, GraphBuilder& g) {
  if (!config.mask_input) return g.linear(x, "encoder.weight", "encoder.bias");
  const Tensor& w = g.tensor("encoder.weight");
  std::vector<float> weight, bias = g.tensor("encoder.bias").values;
  const auto inputs = static_cast<std::size_t>(config.inputs);
  for (std::size_t i = 0; i < bias.size(); ++i) {
    const float* row = w.values.data() + i * 2 * inputs;
    weight.insert(weight.end(), row, row + inputs);
    for (std::size_t j = inputs; j < 2 * inputs; ++j) bias[i] += row[j];
  }
  const std::string matrix = g.constant(w.name, {config.width, config.inputs}, std::move(weight));
  const std::string offset = g.constant("encoder.bias", {config.width}, std::move(bias));
  return g.op("Gemm", {x, matrix, offset}, {whole_attribute("transB", 1)});
}

// h ← h + mix(post(o)), or without h
std::string export_mix(const BlockConfig& block, int width, const std::string& prefix, const std::string& h,
                       std::string o, GraphBuilder& g) {
  o = g.activate(block.post, o);
  if (block.mix != Mix::none) o = g.linear(o, prefix + "mix.weight", prefix + "mix.bias");
  if (block.mix == Mix::glu) {
    const std::vector<std::string> halves = g.split(o, {width, width});
    o = g.multiply(halves[0], g.op("Sigmoid", {halves[1]}));
  }
  return block.residual ? g.add(h, o) : o;
}

std::string export_head(const HeadConfig& config, std::string y, GraphBuilder& g) {
  for (std::size_t i = 0; i <= config.hidden.size(); ++i) {
    const std::string layer = "head." + std::to_string(i) + ".";
    if (i > 0) y = g.activate(config.activation, y);
    y = g.linear(y, layer + "weight", layer + "bias");
  }
  return y;
}

// matrices as the engine keeps them
std::vector<Tensor> rounded(const ModelConfig& config, std::span<const Tensor> tensors) {
  std::vector<Tensor> out(tensors.begin(), tensors.end());
  for (const TensorSpec& spec : tensor_specs(config)) {
    const auto found = std::find_if(out.begin(), out.end(), [&](const Tensor& t) { return t.name == spec.name; });
    if (!spec.matrix || found == out.end()) continue;
    round_rows(config.weights, static_cast<int>(spec.shape.back()), found->values);
  }
  return out;
}

}  // namespace

Result<OnnxGraph> export_onnx(const ModelConfig& config, std::span<const Tensor> tensors, const std::string& source) {
  ELASTANE_TRY(validate(config));
  ELASTANE_TRY(check_tensors(tensor_specs(config), tensors, source));
  const auto refuse = [&](const std::string& why) { return Error{"[export] " + source + ": " + why}; };
  if (config.learned_start)
    return refuse("expected states that start at zero, found learned_start, which has no place in a graph");
  const std::vector<Tensor> kept = rounded(config, tensors);
  GraphBuilder graph(kept);
  graph.input("input", config.inputs);
  std::string h = "input";
  LevelAndScale found;
  if (config.normaliser.kind == NormaliserKind::running) {
    h = export_normaliser(config.normaliser, config.inputs, h, found, graph);
  }
  if (config.ends == Ends::dense) h = export_encoder(config, h, graph);
  for (std::size_t i = 0; i < config.blocks.size(); ++i) {
    const BlockConfig& block = config.blocks[i];
    const std::string prefix = "blocks." + std::to_string(i) + ".";
    const std::string o = export_block(block, config.width, prefix, graph.norm(block.norm, h, prefix), graph);
    if (o.empty()) {
      return refuse("blocks." + std::to_string(i) + ": expected gru, lstm, mlp, s4d, mamba or selective, found " +
                    std::string(block_name(block)) + ", which has no graph");
    }
    h = export_mix(block, config.width, prefix, h, o, graph);
  }
  h = graph.norm(config.norm, h, "");
  if (config.ends == Ends::dense) h = export_head(config.head, h, graph);
  if (!config.normaliser.restore.empty()) h = export_restore(config.normaliser.restore, h, found, graph);
  graph.output("output", config.outputs, h);
  OnnxGraph out = std::move(graph).finish();
  out.name = "step";
  out.doc = kDoc;
  return out;
}

}  // namespace elastane
