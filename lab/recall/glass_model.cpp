#include "lab/recall/glass_model.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "elastane/core/math/kernels.h"
#include "elastane/io/model_file.h"
#include "lab/recall/glass_attention.h"

namespace elastane::recall {
namespace {

using Rows = std::vector<double>;  // [step][channel]

// y = Wx + b, row by row; b may be empty
Rows linear(const Rows& x, const std::vector<float>& w, const std::vector<float>& b, int in) {
  const int out = static_cast<int>(w.size()) / in, steps = static_cast<int>(x.size()) / in;
  Rows y(static_cast<std::size_t>(steps) * static_cast<std::size_t>(out));
  for (int t = 0; t < steps; ++t) {
    for (int o = 0; o < out; ++o) {
      double sum = b.empty() ? 0 : b[o];
      for (int i = 0; i < in; ++i)
        sum += w[static_cast<std::size_t>(o) * in + i] * x[static_cast<std::size_t>(t) * in + i];
      y[static_cast<std::size_t>(t) * out + o] = sum;
    }
  }
  return y;
}

Rows rms_norm(const Rows& h, const std::vector<float>& weight) {
  const std::size_t width = weight.size();
  Rows u(h.size());
  for (std::size_t row = 0; row < h.size(); row += width) {
    double squares = 0;
    for (std::size_t i = 0; i < width; ++i) squares += h[row + i] * h[row + i];
    const double scale = 1 / std::sqrt(squares / static_cast<double>(width) + kNormEpsilon);
    for (std::size_t i = 0; i < width; ++i) u[row + i] = weight[i] * h[row + i] * scale;
  }
  return u;
}

void add(const Rows& o, Rows& h) {
  for (std::size_t i = 0; i < h.size(); ++i) h[i] += o[i];
}

bool is_plain(const BlockConfig& block) {
  const auto* mlp = std::get_if<MlpConfig>(&block.kind);
  const bool known = std::holds_alternative<AttentionConfig>(block.kind) ||
                     (mlp != nullptr && !mlp->gated && mlp->activation == Activation::gelu);
  return known && block.norm == Norm::rms && block.post == Activation::none && block.mix == Mix::none && block.residual;
}

}  // namespace

Result<GlassModel> GlassModel::load(const std::string& path) {
  auto file = read_model(path);
  if (!file) return Error{file.error()};
  return create(file->config, std::move(file->tensors));
}

Result<GlassModel> GlassModel::create(const ModelConfig& config, std::vector<Tensor> tensors) {
  const bool plain = std::ranges::all_of(config.blocks, is_plain) && config.norm == Norm::rms &&
                     config.head.hidden.empty() && config.normaliser.kind == NormaliserKind::none && !config.mask_input;
  if (!plain) {
    return Error{
        "[model] expected attention and plain MLP blocks with RMS norms and a linear head, found another network; "
        "use a model of `elastane train recall`"};
  }
  if (Status fits = check_tensors(tensor_specs(config), tensors, "the given tensors"); !fits)
    return Error{fits.error()};
  GlassModel model;
  model.config_ = config, model.tensors_ = std::move(tensors);
  model.attentions_ = static_cast<int>(std::ranges::count_if(
      config.blocks, [](const BlockConfig& b) { return std::holds_alternative<AttentionConfig>(b.kind); }));
  return model;
}

int GlassModel::heads() const {
  for (const BlockConfig& block : config_.blocks) {
    if (const auto* a = std::get_if<AttentionConfig>(&block.kind)) return a->heads;
  }
  return 0;
}

const std::vector<float>& GlassModel::tensor(const std::string& name) const {
  static const std::vector<float> kNone;
  const auto at = std::ranges::find(tensors_, name, &Tensor::name);
  return at == tensors_.end() ? kNone : at->values;
}

Seen GlassModel::look(const std::vector<float>& x, const Look& look) const {
  Seen seen;
  Rows h = linear(Rows(x.begin(), x.end()), tensor("encoder.weight"), tensor("encoder.bias"), config_.inputs);
  for (std::size_t i = 0; i < config_.blocks.size(); ++i) {
    const std::string scope = "blocks." + std::to_string(i) + ".";
    const Rows u = rms_norm(h, tensor(scope + "norm.weight"));
    if (const auto* a = std::get_if<AttentionConfig>(&config_.blocks[i].kind)) {
      const auto project = [&](const char* name) {
        return linear(u, tensor(scope + "attention." + name + "_proj.weight"), {}, config_.width);
      };
      GlassAttention attention(*a, config_.width, look, seen.readings);
      const Rows o = attention.attend(project("q"), project("k"), project("v"));
      add(linear(o, tensor(scope + "attention.o_proj.weight"), {}, config_.width), h);
      seen.blocks_read +=
          std::accumulate(attention.reading().read.begin(), attention.reading().read.end(), std::int64_t{0});
      seen.readings.push_back(attention.reading());
    } else {
      Rows inner = linear(u, tensor(scope + "mlp.up.weight"), tensor(scope + "mlp.up.bias"), config_.width);
      for (double& v : inner) v = 0.5 * v * (1 + std::erf(v / std::sqrt(2.0)));
      const int hidden = static_cast<int>(tensor(scope + "mlp.up.bias").size());
      add(linear(inner, tensor(scope + "mlp.down.weight"), tensor(scope + "mlp.down.bias"), hidden), h);
    }
  }
  seen.y = linear(rms_norm(h, tensor("norm.weight")), tensor("head.0.weight"), tensor("head.0.bias"), config_.width);
  return seen;
}

int answer_at(const Seen& seen, int outputs, int step) {
  const auto row = seen.y.begin() + std::ptrdiff_t{step} * outputs;
  return static_cast<int>(std::max_element(row, row + outputs) - row);
}

}  // namespace elastane::recall
