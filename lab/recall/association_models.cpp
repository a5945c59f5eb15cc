#include "lab/recall/association_models.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "elastane/core/base/random.h"

namespace elastane::recall {
namespace {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr int kWidth = 64;
constexpr int kPart = 64, kAttentionWidth = 4 * kPart;
// Channels of attention models: symbols, queries, keys, answers. Letters are few, and leave room for features. The more
// features, the fewer places where three letters agree are taken for the one where five do.
struct Parts {
  int symbols = kPart, features = kPart;
  int queries() const { return symbols; }
  int keys() const { return symbols + features; }
  int answers() const { return symbols + 2 * features; }
};
Parts parts_of(AssociationTask task) {
  return task == AssociationTask::copy ? Parts{.symbols = 32, .features = 96} : Parts{};
}
// above it, the sum over 256 channels drowns what the start says
constexpr float kStartNoise = 0.002F;
constexpr int kStates = 16;  // of two Mamba blocks: channels of a key

struct NamedModel {
  std::string name;
  std::vector<BlockConfig> blocks;
};

BlockConfig ssm_block() { return {.kind = SelectiveConfig{}}; }
BlockConfig delta_block(int key, int taps) { return {.kind = DeltaConfig{.key = key, .value = kWidth, .taps = taps}}; }
BlockConfig squares_block(int key, int taps) {
  return {.kind =
              DeltaConfig{.key = key, .value = kWidth, .taps = taps, .decay = false, .rule = WriteRule::least_squares}};
}
BlockConfig attention_block(int window) {
  return {.kind = AttentionConfig{.heads = 1, .window = window, .rotary = false}};
}
BlockConfig mamba_block(int state, int taps) {
  return {.kind = MambaConfig{.state = state, .conv = taps + 1, .expand = 1, .dt_rank = 4}};
}

std::vector<NamedModel> named_models(int taps, int longest) {
  return {{"ssm_delta16", {ssm_block(), delta_block(16, taps)}},
          {"ssm_delta32", {ssm_block(), delta_block(32, taps)}},
          {"ssm_delta64", {ssm_block(), delta_block(64, taps)}},
          {"ssm_delta128", {ssm_block(), delta_block(128, taps)}},
          {"delta16_x2", {delta_block(16, taps), delta_block(16, taps)}},
          {"delta32_x2", {delta_block(32, taps), delta_block(32, taps)}},
          {"delta64_x2", {delta_block(64, taps), delta_block(64, taps)}},
          {"ssm_squares24", {ssm_block(), squares_block(24, taps)}},
          {"ssm_squares48", {ssm_block(), squares_block(48, taps)}},
          {"squares32_x2", {squares_block(32, taps), squares_block(32, taps)}},
          {"ssm_attention", {mamba_block(4, taps), attention_block(longest)}},
          {"ssm_window32", {mamba_block(4, taps), attention_block(32)}},
          {"ssm_x2", {ssm_block(), ssm_block()}},
          {"mamba_x2", {mamba_block(kStates, 4), mamba_block(kStates, 4)}},
          {"lstm_x2", {{.kind = LstmConfig{}}, {.kind = LstmConfig{}}}},
          // key and value in one step: the rules alone
          {"delta32", {delta_block(32, 1)}},
          {"squares32", {squares_block(32, 1)}},
          {"attention", {attention_block(longest)}}};
}

bool has_attention(const ModelConfig& config) { return config.width == kAttentionWidth; }
bool is_mamba_alone(const ModelConfig& config) { return config.width == 2 * kPart; }

Matrix normal_matrix(Random& random, int rows, int cols) {
  Matrix m(rows, cols);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < cols; ++j) m(i, j) = static_cast<float>(random.normal());
  }
  return m;
}

// orthonormal rows, or columns where there are more rows
Matrix orthogonal(Random& random, int rows, int cols) {
  const int large = std::max(rows, cols), small = std::min(rows, cols);
  const Eigen::HouseholderQR<Matrix> qr(normal_matrix(random, large, small));
  const Matrix q = qr.householderQ() * Matrix::Identity(large, small);
  return rows >= cols ? q : Matrix(q.transpose());
}

Matrix unit_columns(Random& random, int rows, int cols) {
  Matrix m = normal_matrix(random, rows, cols);
  m.colwise().normalize();
  return m;
}

class StartingWeights {
 public:
  StartingWeights(const ModelConfig& config, std::uint64_t seed)
      : config_(config), random_(seed), tensors_(random_tensors(config, seed)) {}

  std::vector<Tensor> make(const AssociationOptions& task) {
    const bool attends = has_attention(config_);
    const bool parts = attends || is_mamba_alone(config_);
    parts_ = attends ? parts_of(task.task) : Parts{};
    const int size = parts ? parts_.symbols : config_.width, at = attends ? parts_.answers() : 0;  // where answers lie
    Matrix symbols = unit_columns(random_, size, config_.inputs);
    if (task.task == AssociationTask::rebind) symbols *= std::sqrt(0.5F);  // two symbols in a step
    if (task.task == AssociationTask::copy && attends) {
      symbols = orthogonal(random_, size, config_.inputs);
      symbols.col(kLetters) *= 2;  // the bar alone says where a copy begins
    }
    Matrix encoder = Matrix::Zero(config_.width, config_.inputs), head = Matrix::Zero(config_.outputs, config_.width);
    encoder.topRows(size) = symbols;
    // inputs of rebind: keys, then values, which are the outputs
    const int first = task.task == AssociationTask::rebind ? task.pairs : 0;
    head.middleCols(at, size) = symbols.middleCols(first, config_.outputs).transpose();
    set("encoder.weight", encoder);
    fill("encoder.bias", 0);
    set("head.0.weight", head);
    fill("head.0.bias", 0);
    if (parts) *find("encoder.bias", config_.width - 1) = 1;  // what a constant gate needs
    for (std::size_t i = 0; i < config_.blocks.size(); ++i) {
      const std::string prefix = "blocks." + std::to_string(i) + ".";
      if (const auto* d = std::get_if<DeltaConfig>(&config_.blocks[i].kind)) start_delta(prefix + "delta.", *d);
      if (is_mamba_alone(config_)) start_mamba_memory(prefix + "mamba.", i == 0);
      if (!attends) continue;
      if (const auto* m = std::get_if<MambaConfig>(&config_.blocks[i].kind)) start_mamba(prefix + "mamba.", *m, task);
      if (std::holds_alternative<AttentionConfig>(config_.blocks[i].kind)) {
        const float sharp = task.task == AssociationTask::copy ? 2 : 6;  // 2 to 6 copy alike
        start_attention(prefix + "attention.", config_.blocks.size() > 1, symbols.col(config_.inputs - 1), sharp);
      }
    }
    return tensors_;
  }

 private:
  float* find(const std::string& name, int at = 0) {
    for (Tensor& tensor : tensors_) {
      if (tensor.name == name) return tensor.values.data() + at;
    }
    return nullptr;
  }
  void set(const std::string& name, const Matrix& m) { std::copy_n(m.data(), m.size(), find(name)); }
  void fill(const std::string& name, float value) {
    for (Tensor& tensor : tensors_) {
      if (tensor.name == name) std::ranges::fill(tensor.values, value);
    }
  }
  void scale(const std::string& name, float by) {
    for (Tensor& tensor : tensors_) {
      if (tensor.name != name) continue;
      for (float& value : tensor.values) value *= by;
    }
  }

  void start_delta(const std::string& at, const DeltaConfig& d) {
    const Matrix keys = orthogonal(random_, d.key, config_.width), values = orthogonal(random_, d.value, config_.width);
    set(at + "q_proj.weight", keys);
    set(at + "k_proj.weight", keys);
    set(at + "v_proj.weight", values);
    set(at + "o_proj.weight", values.transpose());
    scale(at + "b_proj.weight", 0.1F);
    if (d.decay) scale(at + "a_proj.weight", 0.1F);
    // keys are those of the step before, where key and value come one after the other
    for (int i = 0; d.taps > 1 && i < d.key; ++i) {
      float* taps = find(at + "k_conv1d.weight", i * d.taps);
      std::swap(taps[d.taps - 1], taps[d.taps - 2]);
    }
  }

  // Features of the last symbols: for copies of several, by random signs, older ones smaller, so that the first letters,
  // before which there is little, are found as well; otherwise of one symbol. Small, where silu is nearly linear.
  void start_mamba(const std::string& at, const MambaConfig& m, const AssociationOptions& task) {
    const int inner = m.expand * config_.width;
    Matrix in = kStartNoise * normal_matrix(random_, 2 * inner, config_.width), taps = Matrix::Zero(inner, m.conv);
    const Matrix mix = orthogonal(random_, parts_.features, parts_.symbols);
    for (int first : {parts_.queries(), parts_.keys()}) {
      in.block(first, 0, parts_.features, parts_.symbols) = 0.1F * mix;
    }
    in.bottomRows(inner).col(config_.width - 1).array() += 0.4F;  // silu of it is nearly constant
    for (int i = 0; i < parts_.features; ++i) {
      for (int lag = 0; lag + 1 < m.conv; ++lag) {
        const bool copy = task.task == AssociationTask::copy;
        const float size = std::pow(0.7F, 0.5F * static_cast<float>(lag));
        const float c = copy ? size * static_cast<float>(random_.sign()) : lag == 0 ? 1.0F : 0.0F;
        taps(parts_.queries() + i, m.conv - 1 - lag) = c;
        taps(parts_.keys() + i, m.conv - 2 - lag) = c;
      }
    }
    set(at + "in_proj.weight", in);
    set(at + "conv1d.weight", taps);
    fill(at + "conv1d.bias", 0);
    scale(at + "x_proj.weight", 0.1F);
    Matrix out = kStartNoise * normal_matrix(random_, config_.width, inner);
    for (int i = parts_.queries(); i < parts_.answers(); ++i) out(i, i) += 0.5F;
    set(at + "out_proj.weight", out);
  }

  // Two Mamba blocks as a memory of kStates channels per key: the first puts the symbol before beside each symbol, the
  // second writes symbols (x) at the symbol before (B) and reads at the symbol (C), and hardly forgets.
  void start_mamba_memory(const std::string& at, bool first) {
    const int w = config_.width, taps = 5;
    Matrix in = kStartNoise * normal_matrix(random_, 2 * w, w), conv = Matrix::Zero(w, taps);
    in.bottomRows(w).col(w - 1).array() += 0.4F;  // silu of it is nearly constant
    for (int i = 0; i < kPart; ++i) {
      in(i, i) += 1;
      in(kPart + i, first ? i : kPart + i) += 1;
      conv(i, taps - 1) = 1;
      conv(kPart + i, first ? taps - 2 : taps - 1) = 1;
    }
    Matrix out = kStartNoise * normal_matrix(random_, w, w);
    for (int i = 0; i < kPart - 1; ++i) out(first ? kPart + i : i, first ? kPart + i : i) += first ? 0.06F : 1.0F;
    set(at + "in_proj.weight", in);
    set(at + "conv1d.weight", conv);
    fill(at + "conv1d.bias", 0);
    set(at + "out_proj.weight", out);
    if (first) return scale(at + "x_proj.weight", 0.1F);
    Matrix keys = kStartNoise * normal_matrix(random_, rank_of_mamba() + 2 * kStates, w);
    const Matrix mix = orthogonal(random_, kStates, kPart);
    keys.block(rank_of_mamba(), kPart, kStates, kPart) += mix;        // B
    keys.block(rank_of_mamba() + kStates, 0, kStates, kPart) += mix;  // C
    set(at + "x_proj.weight", keys);
    fill(at + "A_log", std::log(0.02F));
    fill(at + "dt_proj.bias", -2.2F);  // Δ = 0.1
    fill(at + "D", 0);
  }
  static int rank_of_mamba() { return std::get<MambaConfig>(mamba_block(kStates, 4).kind).dt_rank; }

  // Queries and keys from their parts, values from the symbols, answers into theirs. Alone, keys and queries are symbols,
  // and the last symbol, which marks a query, is turned round in keys: else a query would find itself.
  void start_attention(const std::string& at, bool behind_mamba, const Eigen::VectorXf& mark, float sharp) {
    const int w = config_.width;
    Matrix q = kStartNoise * normal_matrix(random_, w, w), k = q, v = q, o = q;
    const int queries = behind_mamba ? parts_.queries() : 0, keys = behind_mamba ? parts_.keys() : 0;
    for (int i = 0; i < (behind_mamba ? parts_.features : parts_.symbols); ++i) {
      q(i, queries + i) += sharp;
      k(i, keys + i) += sharp;
    }
    for (int i = 0; i < parts_.symbols; ++i) {
      v(i, i) += 1;
      o(parts_.answers() + i, i) += 4;  // above what Mamba added
    }
    if (!behind_mamba) {
      k.topLeftCorner(mark.size(), mark.size()) -= 2 * sharp * mark * mark.transpose() / mark.squaredNorm();
    }
    set(at + "q_proj.weight", q);
    set(at + "k_proj.weight", k);
    set(at + "v_proj.weight", v);
    set(at + "o_proj.weight", o);
  }

  ModelConfig config_;
  Parts parts_;
  Random random_;
  std::vector<Tensor> tensors_;
};

}  // namespace

const std::vector<std::string>& association_models() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const NamedModel& model : named_models(4, 1)) all.push_back(model.name);
    return all;
  }();
  return names;
}

Result<ModelConfig> association_config(const std::string& name, const AssociationOptions& task, int longest) {
  const std::vector<NamedModel> models = named_models(task.task == AssociationTask::copy ? 5 : 4, longest);
  const auto found = std::ranges::find(models, name, &NamedModel::name);
  if (found == models.end()) return Error{"[recall] unknown model \"" + name + "\""};
  ModelConfig config{.inputs = input_size(task), .outputs = output_size(task), .width = kWidth};
  config.blocks = found->blocks;
  for (const BlockConfig& block : config.blocks) {
    if (std::holds_alternative<AttentionConfig>(block.kind)) config.width = kAttentionWidth;
  }
  if (name == "mamba_x2") config.width = 2 * kPart;
  return config;
}

std::vector<Tensor> association_start(const ModelConfig& config, const AssociationOptions& task, std::uint64_t seed) {
  return StartingWeights(config, seed).make(task);
}

}  // namespace elastane::recall
