#include "elastane/core/latent/stack_description.h"

#include <Eigen/Eigenvalues>
#include <algorithm>

#include "elastane/core/decoder/head_description.h"
#include "elastane/core/network/network.h"

namespace elastane {
namespace {

// persistent coordinates on the tape; a register that the layout does not ask for does not exist
struct PersistentRegisters {
  Register output_gain, output_bias, readout, input_gain, input_bias, time_scale;
};

// the index of the last layer with a recurrent state
std::size_t top_layer(const Network& network) {
  std::size_t top = 0;
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    visit_block(network.layers[i].block, [&](const auto& block) { top = block.latents() > 0 ? i : top; });
  }
  return top;
}

// Directions of the outputs in which the read-out adapts: all of them, or the leading left singular vectors of W
void fill_directions(const PackedMatrix& w, int outputs, int rank, float* directions) {
  Eigen::MatrixXd basis = Eigen::MatrixXd::Identity(outputs, outputs);
  if (rank < outputs) {
    Eigen::MatrixXd weight(outputs, w.cols);
    for (int i = 0; i < outputs; ++i) {
      for (int j = 0; j < w.cols; ++j) weight(i, j) = element(w, i, j);
    }
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(weight * weight.transpose());
    basis = solver.eigenvectors().rowwise().reverse();  // largest first
  }
  for (int j = 0; j < rank; ++j) {
    for (int i = 0; i < outputs; ++i) directions[j * padded(outputs) + i] = static_cast<float>(basis(i, j));
  }
}

int adapted_inputs(const ModelConfig& config, const PersistentLayout& layout) {
  return layout.adapted_inputs > 0 ? layout.adapted_inputs : config.inputs;
}

// writes one of the two programs
class StackWriter {
 public:
  StackWriter(const Network& network, const StackOptions& options, bool steps)
      : network_(network), options_(options), ops_(!steps), description_(ops_, steps) {}

  // fills the parts of a carried row in their order; returns the view
  StackView write(std::vector<StackPart>& parts);

 private:
  void take_inputs();
  void take_persistent();
  Register encode();
  Register describe_layer(const Layer& layer, Register h);
  Register adapt_output(const HeadRegisters& head);
  void list_parts(std::vector<StackPart>& parts);

  const Network& network_;
  const StackOptions& options_;
  ProgramBuilder ops_;
  Description description_;
  PersistentRegisters c_;
  std::vector<StatePort> persistent_;
  StackView view_;
};

void StackWriter::take_inputs() {
  const bool steps = description_.steps;
  const ModelConfig& config = network_.config;
  view_.dt = ops_.input(1, false);
  // active where steps follow each other, so that the angles of a step do not count as fixed
  view_.elapsed = ops_.input(1, steps);
  if (options_.persistent.adapts_input()) {
    view_.normalised = ops_.input(network_.encoder.cols, false);
  } else {
    view_.encoded = ops_.input(config.width, false);
  }
}

void StackWriter::take_persistent() {
  const PersistentLayout& layout = options_.persistent;
  const ModelConfig& config = network_.config;
  // `width`: of the register, which may be longer than its coordinates
  const auto take = [&](bool wanted, int rows, int n, int width) -> Register {
    if (!wanted) return {};
    const Register r = ops_.input(rows == 1 ? width : rows * padded(n), true);
    persistent_.push_back({.part = {.rows = rows, .n = n}, .before = r, .after = r});
    return r;
  };
  const int m = config.outputs, seen = network_.encoder.cols, features = network_.head.layers.back().weight.cols;
  const int rank = std::min(layout.readout_rank, m);
  c_.output_gain = take(layout.output_gain, 1, m, m);
  c_.output_bias = take(layout.output_bias, 1, m, m);
  c_.readout = take(rank > 0, rank, features, features);
  const int adapted = adapted_inputs(config, layout);
  c_.input_gain = take(layout.input_gain, 1, adapted, seen);
  c_.input_bias = take(layout.input_bias, 1, adapted, seen);
  c_.time_scale = take(layout.time_scale, 1, 1, 1);
}

// h before the first block
Register StackWriter::encode() {
  if (!view_.normalised.exists()) return view_.encoded;
  Register x = view_.normalised;
  if (c_.input_gain.exists()) x = ops_.add(ops_.multiply(c_.input_gain, view_.normalised), x);
  if (c_.input_bias.exists()) x = ops_.add(c_.input_bias, x);
  return ops_.linear(network_.encoder, network_.encoder_bias, x, network_.config.width);
}

// h ← h + mix(post(block(norm(h))))
Register StackWriter::describe_layer(const Layer& layer, Register h) {
  const int width = network_.config.width;
  const Register u = ops_.norm(layer.norm.kind, layer.norm.weight, layer.norm.bias, h);
  Register o;
  visit_block(layer.block, [&](const auto& block) { o = describe(block, u, description_); });
  o = ops_.activate(layer.post, o);
  if (layer.mix == Mix::linear) o = ops_.linear(layer.mix_weight, layer.mix_bias, o, width);
  if (layer.mix == Mix::glu) {
    const Register both = ops_.linear(layer.mix_weight, layer.mix_bias, o, layer.mix_weight.rows);
    o = ops_.multiply(both.part(0, width), ops_.activate(Curve::sigmoid, both.part(padded(width), width)));
  }
  return layer.residual ? ops_.add(o, h) : o;
}

Register StackWriter::adapt_output(const HeadRegisters& head) {
  const int m = network_.config.outputs, rank = std::min(options_.persistent.readout_rank, m);
  Register y = head.output;
  if (c_.readout.exists()) {
    float* directions = ops_.constants(as_size(rank) * padded(m));
    fill_directions(network_.head.layers.back().weight, m, rank, directions);
    y = ops_.add(ops_.adapt(directions, c_.readout, head.features, rank, m), y);
  }
  if (c_.output_gain.exists()) y = ops_.add(ops_.multiply(c_.output_gain, y), y);
  if (c_.output_bias.exists()) y = ops_.add(c_.output_bias, y);
  return y;
}

// [ latents | persistent | given states | taps ]
void StackWriter::list_parts(std::vector<StackPart>& parts) {
  parts.clear();
  int offset = 0;
  const auto list = [&](const std::vector<StatePort>& ports, bool stored, auto wanted) {
    for (const StatePort& port : ports) {
      if (!wanted(port)) continue;
      parts.push_back({.offset = offset, .state = port.part, .stored = stored});
      offset += parts.back().count();
      view_.before.push_back({port.before, ops_.active(port.before), false});
      view_.after.push_back({port.after, ops_.active(port.after), false});
    }
  };
  int first = 0;  // float of the state where latents begin
  if (options_.top_block_only) {
    visit_block(network_.layers[top_layer(network_)].block, [&](const auto& block) { first = block.slot.dense; });
  }
  const auto latent = [&](const StatePort& port) { return port.part.dense >= first; };
  const auto any = [](const StatePort&) { return true; };
  list(description_.latents, true, latent);
  list(persistent_, false, any);
  list(description_.latents, true, [&](const StatePort& port) { return !latent(port); });
  list(description_.taps, true, any);
}

StackView StackWriter::write(std::vector<StackPart>& parts) {
  take_inputs();
  take_persistent();
  description_.dt = view_.dt;
  if (c_.time_scale.exists()) {
    description_.dt = ops_.multiply(view_.dt, ops_.activate(Curve::exponential, c_.time_scale));
  }
  description_.elapsed = description_.steps ? ops_.add(description_.dt, view_.elapsed) : view_.elapsed;
  view_.elapsed_after = description_.elapsed;

  Register h = encode();
  view_.hidden = {h, ops_.active(h), false};
  const std::size_t top = top_layer(network_);
  for (std::size_t i = 0; i < network_.layers.size(); ++i) {
    description_.latents_move = !options_.top_block_only || i == top;
    h = describe_layer(network_.layers[i], h);
  }
  view_.body = ops_.moving();
  h = ops_.norm(network_.norm.kind, network_.norm.weight, network_.norm.bias, h);
  const auto source = [&](Register r) { return Source{r, ops_.active(r), false}; };
  view_.output = source(adapt_output(describe(network_.head, h, network_.config.outputs, ops_)));
  list_parts(parts);
  for (const WindowPort& port : description_.windows) {
    view_.windows.push_back({port.window, source(port.key), source(port.value), port.modes});
  }
  const Register outputs[] = {view_.output};
  view_.program = ops_.finish(outputs);
  return std::move(view_);
}

}  // namespace

int moving_coordinates(const Model& model, const PersistentLayout& layout) {
  return adapted_inputs(model.config(), layout) * (layout.input_gain + layout.input_bias) + layout.time_scale;
}

int coordinate_count(const Model& model, const PersistentLayout& layout) {
  const int m = model.outputs(), features = model.network().head.layers.back().weight.cols;
  return m * (layout.output_gain + layout.output_bias) + std::min(layout.readout_rank, m) * features +
         moving_coordinates(model, layout);
}

StackDescription::StackDescription(const Model& of, const StackOptions& with)
    : model(of), options(with), judged(with.judged > 0 ? with.judged : of.outputs()) {
  const Network& network = model.network();
  decode = StackWriter(network, options, false).write(parts);
  roll = StackWriter(network, options, true).write(parts);
  for (const StackPart& part : parts) {
    carried += part.count();
    persistent += part.stored ? 0 : part.count();
  }
  // latents are what moves in decode
  for (std::size_t i = 0; i < parts.size(); ++i) {
    latents += decode.before[i].active ? parts[i].count() : 0;
  }
}

}  // namespace elastane
