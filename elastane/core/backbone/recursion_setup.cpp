// How a recursion gets its weights, and what they contract by.
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "elastane/core/allocation/quantile_threshold.h"
#include "elastane/core/backbone/recursion.h"

namespace elastane {
namespace {

constexpr double kSlack = 1e-5;  // of a declared constant: what rounding to float may add

// ‖W‖₂; NaN where an element is not finite
double largest_singular_value(const PackedMatrix& w, int rows) {
  if (w.data == nullptr) return 0;
  Eigen::MatrixXd m(rows, w.cols);
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < w.cols; ++c) m(r, c) = element(w, r, c);
  }
  if (!m.allFinite()) return std::numeric_limits<double>::quiet_NaN();
  const Eigen::MatrixXd gram = rows < w.cols ? Eigen::MatrixXd(m * m.transpose()) : Eigen::MatrixXd(m.transpose() * m);
  const double most =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(gram, Eigen::EigenvaluesOnly).eigenvalues().maxCoeff();
  return std::sqrt(std::max(0.0, most)) * (1 + 1e-7);
}

// fresh values with which any draw keeps the norm below `most`
Initialiser within_norm(double most, int rows, int cols) {
  return uniform(most / std::sqrt(static_cast<double>(rows) * cols));
}

double scalar_of(std::span<const float> tensor, double absent) { return tensor.empty() ? absent : tensor[0]; }

std::vector<double> doubles_of(std::span<const float> tensor) { return {tensor.begin(), tensor.end()}; }

// the pairwise distances of the rows of W
const float* pulls(const PackedMatrix& w, int classes, Binder& binder) {
  return binder.planes(classes, classes, [&](int a, int b) {
    double sum = 0;
    for (int i = 0; i < w.cols; ++i) {
      const double apart = static_cast<double>(element(w, a, i)) - element(w, b, i);
      sum += apart * apart;
    }
    return std::sqrt(sum) * (1 + 1e-6);
  });
}

void bind_halting(Recursion& r, Binder& binder) {
  const RecursionConfig& c = r.config;
  if (c.classes > 0) {
    r.classes = binder.matrix("class.weight", {c.classes}, r.hidden);
    r.class_bias = binder.vector("class.bias", {c.classes}, constant(0.0));
    r.class_pull = pulls(r.classes, c.classes, binder);
  }
  if (c.halt == Halt::learned) {
    const auto small = uniform(0.5);
    r.halting.hidden_weight = doubles_of(binder.tensor("halt.hidden.weight", {kHaltHidden, kHaltFeatures}, small));
    r.halting.hidden_bias = doubles_of(binder.tensor("halt.hidden.bias", {kHaltHidden}, small));
    r.halting.score_weight = doubles_of(binder.tensor("halt.score.weight", {1, kHaltHidden}, small));
    r.halting.score_bias = doubles_of(binder.tensor("halt.score.bias", {1}, small));
  }
  if (c.halt == Halt::ranking) {
    r.ranking = binder.vector("halt.weight", {r.hidden}, uniform(0.1));
    r.ranking_bias = scalar_of(binder.tensor("halt.bias", {1}, constant(0.0)), 0);
    const std::vector<double> quantiles =
        doubles_of(binder.tensor("halt.quantiles", {kHaltQuantiles}, [](Random&, std::size_t i) {
          return -0.1F + 0.2F * static_cast<float>(i) / (kHaltQuantiles - 1);
        }));
    r.ranking_threshold = quantiles.empty() ? 0 : threshold_for_share(quantiles, 1 - c.quantile);
  }
}

void bind_flat(Recursion& r, Binder& binder) {
  const RecursionConfig& c = r.config;
  const bool literal = c.form == RecursionForm::literal;
  r.input = binder.matrix("input.weight", {r.hidden}, r.width);
  r.offset = binder.vector("offset", {r.hidden}, constant(0.0));
  const Initialiser free_up = uniform(1 / std::sqrt(static_cast<double>(r.hidden)));
  const Initialiser up = literal ? free_up : within_norm(1 / kGeluSlope, r.inner, r.hidden);
  const Initialiser down =
      literal ? uniform(1 / std::sqrt(static_cast<double>(r.inner))) : within_norm(c.lipschitz, r.hidden, r.inner);
  r.up = binder.matrix("up.weight", {r.inner}, r.hidden, up);
  r.up_bias = binder.vector("up.bias", {r.inner}, constant(0.0));
  r.down = binder.matrix("down.weight", {r.hidden}, r.inner, down);
  if (c.chord) r.chord = binder.matrix("chord.weight", {r.hidden}, r.hidden);
  bind_halting(r, binder);
  r.measured = kGeluSlope * largest_singular_value(r.up, r.inner) * largest_singular_value(r.down, r.hidden);
}

// c·softmax(6P) ⊙ S of one channel
std::vector<double> mixed_row(std::span<const float> p, std::span<const float> s, int row, int count, double c) {
  std::vector<double> weights(static_cast<std::size_t>(count));
  const float* logits = p.data() + static_cast<std::ptrdiff_t>(row) * count;
  const double most = *std::max_element(logits, logits + count);
  double sum = 0;
  for (int j = 0; j < count; ++j)
    sum += weights[static_cast<std::size_t>(j)] = std::exp(kCellSharpness * (logits[j] - most));
  for (int j = 0; j < count; ++j) {
    const double sign =
        s.empty() ? 1 : std::clamp(static_cast<double>(s[static_cast<std::size_t>(row) * count + j]), -1.0, 1.0);
    weights[static_cast<std::size_t>(j)] *= c * (1 - 1e-6) * sign / sum;
  }
  return weights;
}

// a plain copy of a tensor's rows, not padded
const float* rows_of(Binder& binder, std::string_view name, int rows, int cols, const Initialiser& start) {
  const std::span<const float> values = binder.tensor(name, {rows, cols}, start);
  return binder.planes(1, rows * cols, [&](int, int i) { return values[static_cast<std::size_t>(i)]; });
}
const float* values_of(Binder& binder, std::string_view name, int n, const Initialiser& start) {
  const std::span<const float> values = binder.tensor(name, {n}, start);
  return binder.planes(1, n, [&](int, int i) { return values[static_cast<std::size_t>(i)]; });
}

void bind_cells(Recursion& r, Binder& binder) {
  const RecursionConfig& c = r.config;
  const int count = r.taps() * r.hidden;
  r.inject = rows_of(binder, "input.weight", r.hidden, r.features, uniform(0.7));
  r.inject_bias = values_of(binder, "input.bias", r.hidden, uniform(0.3));
  r.gate = rows_of(binder, "gate.weight", r.hidden, r.features, uniform(0.7));
  r.gate_bias = values_of(binder, "gate.bias", r.hidden, uniform(0.3));
  // What comes from the neighbours, or from the left, is passed on at first. Nothing comes from the cell itself: with some
  // of it h would not settle when the frontier has passed, but only approach its value.
  const auto passing = [hidden = r.hidden, count](Random& random, std::size_t i) {
    const int row = static_cast<int>(i) / count, column = static_cast<int>(i) % count;
    const double toward = column == hidden + row ? 1.0 : column < hidden ? -1.0 : 0.0;
    return static_cast<float>(toward + 0.05 * random.normal());
  };
  const std::span<const float> p = binder.tensor("mix.logits", {r.hidden, count}, passing);
  const std::span<const float> s =
      r.taps() == 3 ? binder.tensor("mix.signs", {r.hidden, count}, constant(1.0)) : std::span<const float>();
  r.measured = 0;
  std::vector<double> row;
  r.mix = binder.planes(1, r.hidden * count, [&](int, int i) {
    if (i % count == 0) {
      row = mixed_row(p, s, i / count, count, c.lipschitz);
      double sum = 0;
      for (const double weight : row) sum += std::fabs(weight);
      r.measured = sum > r.measured || std::isnan(sum) ? sum : r.measured;
    }
    return row[static_cast<std::size_t>(i % count)];
  });
  const std::span<const float> k = binder.tensor("soften", {r.hidden}, constant(std::log(0.02)));
  r.soften = binder.planes(1, r.hidden,
                           [&](int, int i) { return std::exp(static_cast<double>(k[static_cast<std::size_t>(i)])); });
  const double bound = 1 / std::sqrt(2.0 * r.hidden);
  r.read_up = rows_of(binder, "read.0.weight", kCellHidden, 2 * r.hidden, uniform(bound));
  r.read_up_bias = values_of(binder, "read.0.bias", kCellHidden, uniform(bound));
  r.read_down = rows_of(binder, "read.1.weight", r.features, kCellHidden, uniform(0.25));
  r.read_down_bias = values_of(binder, "read.1.bias", r.features, uniform(0.25));
}

Error refused(const std::string& what) { return Error{"[model] recursion." + what}; }

}  // namespace

Recursion bind(const RecursionConfig& config, int width, bool /*learned_start*/, Binder& binder) {
  Recursion r{};
  r.config = config;
  r.width = width;
  r.cells = config.shape == RecursionShape::flat ? 1 : config.rows * config.cols;
  r.features = width / std::max(1, r.cells);
  r.hidden = config.hidden > 0 ? config.hidden : (r.flat() ? width : 8);
  r.inner = config.inner > 0 ? config.inner : r.hidden;
  r.keep = 0, r.gain = 1, r.drive_gain = 1;
  if (config.form != RecursionForm::contraction) {
    const bool damped = config.form == RecursionForm::damped;
    const double l = scalar_of(binder.tensor("lambda", {1}, constant(damped ? 0.0 : std::log(0.5))), 0);
    r.gain = damped ? 1 / (1 + std::exp(-l)) : std::exp(l);
    r.keep = damped ? 1 - r.gain : 1;
    r.drive_gain = std::pow(r.gain, config.hurst);
  }
  if (r.flat()) {
    bind_flat(r, binder);
  } else {
    bind_cells(r, binder);
  }
  r.lipschitz = r.keep + r.gain * r.measured;
  return r;
}

Status check_weights(const Recursion& r) {
  const RecursionConfig& c = r.config;
  if (!std::isfinite(r.measured) || !std::isfinite(r.gain)) {
    return refused("weights: expected finite numbers, found one that is not; train it again");
  }
  if (c.form == RecursionForm::literal || r.measured <= c.lipschitz * (1 + kSlack)) return {};
  return refused("lipschitz: the file declares " + std::to_string(c.lipschitz) + ", its weights have " +
                 std::to_string(r.measured) + "; scale them when they are exported, or declare what they have");
}

int Recursion::worst_depth(double distance) const {
  if (!(lipschitz < 1) || !(distance >= 0)) return -1;
  if (distance <= config.tolerance || lipschitz <= 0) return 1;
  return static_cast<int>(std::ceil(std::log(config.tolerance / distance) / std::log(lipschitz)));
}

}  // namespace elastane
