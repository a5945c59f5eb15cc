#include "lab/recall/streams_by_key.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>

#include "elastane/core/base/random.h"
#include "lab/recall/memory_rule.h"

namespace elastane::recall {
namespace {

// what is known of a device before its row, and the row itself
struct DeviceModel {
  std::string name;
  std::size_t bytes;
  int touched;
  std::function<double(int device, double seen)> step;  // returns the estimate before
  double error = 0;
};

DeviceModel table_model(const std::string& name, const HashedMemory& memory) {
  auto table = std::make_shared<std::vector<float>>(static_cast<std::size_t>(memory.floats()));
  memory.start(table->data());
  return {.name = name,
          .bytes = sizeof(float) * table->size(),
          .touched = memory.touched_floats(),
          .step = [=](int device, double seen) {
            const auto value = static_cast<float>(seen);
            float estimate = 0;
            memory.write(static_cast<std::uint64_t>(device), &value, table->data(), &estimate);
            return static_cast<double>(estimate);
          }};
}

// every device has a random unit key
DeviceModel dense_model(const std::string& name, int keys, int devices, std::shared_ptr<MemoryRule> rule) {
  auto key = std::make_shared<std::vector<std::vector<float>>>();
  Random random(77);
  for (int i = 0; i < devices; ++i) {
    key->emplace_back(static_cast<std::size_t>(keys));
    for (float& x : key->back()) x = static_cast<float>(random.sign() / std::sqrt(keys));
  }
  return {.name = name, .bytes = rule->bytes(), .touched = 2 * keys, .step = [=](int device, double seen) {
            const std::vector<float>& own = (*key)[static_cast<std::size_t>(device)];
            float estimate = 0;
            const auto value = static_cast<float>(seen);
            rule->recall(own, {&estimate, 1});
            rule->write(own, {&value, 1});
            return static_cast<double>(estimate);
          }};
}

std::vector<DeviceModel> device_models(const DeviceOptions& o) {
  const double noise = o.noise * o.noise;
  const HashedMemory table{.slots = o.devices, .touched = 1, .noise = noise, .alarm = 4, .exact = true};
  std::vector<DeviceModel> all = {{"none", 0, 0, [](int, double) { return 0.0; }}, table_model("exact table", table)};
  for (const int slots : {256, 1024, 4096, 16384}) {
    all.push_back(table_model("hashed, 4 of " + std::to_string(slots),
                              {.slots = slots, .touched = 4, .noise = noise, .alarm = 4}));
  }
  for (const int keys : {64, 256, 1024}) {
    const std::string name = ", " + std::to_string(keys) + " dense";
    all.push_back(
        dense_model("delta" + name, keys, o.devices, library_rule(writing_always(keys, 1), keys < 1024 ? 0.02 : 0.1)));
    all.push_back(dense_model("hebb" + name, keys, o.devices, hebb_rule(keys, 1, 0.9997)));
  }
  return all;
}

// ways to predict y from φ and a context
struct RegimeModel {
  std::string name;
  RulePointer rule;
  bool sees_context;
  double first = 0, rest = 0;
  int writes = 0;
};

// least squares over φ with forgetting: plain doubles, the whole square of P made symmetric
class ForgettingSquares : public MemoryRule {
 public:
  ForgettingSquares(int n, double forget, double noise)
      : n_(as_size(n)), forget_(forget), noise_(noise), p_(n_ * n_), w_(n_) {
    for (std::size_t i = 0; i < n_; ++i) p_[i * (n_ + 1)] = 10;
  }
  bool write(std::span<const float> key, std::span<const float> value) override {
    std::vector<double> pk(n_);
    double spread = forget_ * noise_, known = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t j = 0; j < n_; ++j) pk[i] += p_[i * n_ + j] * key[j];
      spread += pk[i] * key[i];
      known += w_[i] * key[i];
    }
    for (std::size_t i = 0; i < n_; ++i) {
      w_[i] += pk[i] / spread * (value[0] - known);
      for (std::size_t j = 0; j <= i; ++j) {
        p_[i * n_ + j] = p_[j * n_ + i] = std::clamp((p_[i * n_ + j] - pk[i] * pk[j] / spread) / forget_, -1e6, 1e6);
      }
    }
    return true;
  }
  void recall(std::span<const float> key, std::span<float> value) override {
    double sum = 0;
    for (std::size_t i = 0; i < n_; ++i) sum += w_[i] * key[i];
    value[0] = static_cast<float>(sum);
  }
  std::size_t bytes() const override { return sizeof(double) * (p_.size() + w_.size()); }
  double macs(bool) const override { return 3.0 * static_cast<double>(p_.size()); }

 private:
  std::size_t n_;
  double forget_, noise_;
  std::vector<double> p_, w_;
};

std::vector<RegimeModel> regime_models(const RegimeOptions& o) {
  std::vector<RegimeModel> all;
  for (const double forget : {0.8, 0.9, 0.95, 0.98, 0.99}) {
    all.push_back({"least squares, forgetting " + std::to_string(forget).substr(0, 4),
                   std::make_unique<ForgettingSquares>(o.features, forget, o.noise * o.noise), false});
  }
  const int keys = o.features * o.context;
  AssociativeMemory squares = writing_always(keys, 1, WriteRule::least_squares);
  squares.noise = o.noise * o.noise;
  all.push_back({"least squares by context", library_rule(squares, 1), true});
  squares.gate.threshold = 0.01;
  all.push_back({"least squares by context, on surprise", library_rule(squares, 1), true});
  all.push_back({"delta by context", library_rule(writing_always(keys, 1), 0.1), true});
  return all;
}

std::vector<std::vector<float>> random_vectors(Random& random, int count, int n, bool unit) {
  std::vector<std::vector<float>> all;
  for (int r = 0; r < count; ++r) {
    std::vector<float> x(as_size(n));
    double squares = 0;
    for (float& v : x) {
      v = static_cast<float>(random.normal());
      squares += static_cast<double>(v) * v;
    }
    for (float& v : x) v = static_cast<float>(unit ? v / std::sqrt(squares) : v);
    all.push_back(std::move(x));
  }
  return all;
}

}  // namespace

std::vector<DeviceResult> follow_devices(const DeviceOptions& o, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> offset(static_cast<std::size_t>(o.devices)), sums;
  for (double& x : offset) x = random.normal();
  for (int i = 0; i < o.devices; ++i) sums.push_back((i == 0 ? 0.0 : sums.back()) + (o.zipf ? 1.0 / (1 + i) : 1.0));
  std::vector<DeviceModel> models = device_models(o);
  for (int t = 0; t < o.rows; ++t) {
    const auto device = static_cast<int>(std::ranges::upper_bound(sums, random.uniform() * sums.back()) - sums.begin());
    double& truth = offset[static_cast<std::size_t>(device)];
    const double seen = truth + o.noise * random.normal();
    for (DeviceModel& model : models) {
      const double error = model.step(device, seen) - truth;
      if (t >= o.rows / 2) model.error += error * error / (o.rows - o.rows / 2);
    }
    if (random.uniform() < o.redraw) truth = random.normal();
  }
  std::vector<DeviceResult> results;
  for (const DeviceModel& m : models) results.push_back({m.name, m.bytes, m.touched, m.error});
  return results;
}

std::vector<RegimeResult> return_to_regimes(const RegimeOptions& o, std::uint64_t seed) {
  Random random(seed);
  const auto theta = random_vectors(random, o.regimes, o.features, false);
  const auto context = random_vectors(random, o.regimes, o.context, true);
  std::vector<RegimeModel> models = regime_models(o);
  std::vector<bool> visited(as_size(o.regimes));
  std::vector<float> phi(as_size(o.features)), key(as_size(o.features * o.context));
  int firsts = 0, rests = 0, regime = -1;
  for (int visit = 0; visit < o.visits; ++visit) {
    const int other = random.below(o.regimes - (regime < 0 ? 0 : 1));
    regime = regime >= 0 && other >= regime ? other + 1 : other;  // never the same twice
    const auto r = as_size(regime);
    for (int t = 0; t < o.visit; ++t) {
      double y = 0;
      for (std::size_t i = 0; i < phi.size(); ++i) {
        phi[i] = static_cast<float>(random.normal());
        y += phi[i] * theta[r][i];
      }
      for (std::size_t j = 0; j < as_size(o.context); ++j) {
        const auto u = static_cast<float>(context[r][j] + o.context_noise * random.normal());
        for (std::size_t i = 0; i < phi.size(); ++i) key[j * phi.size() + i] = u * phi[i];
      }
      const auto seen = static_cast<float>(y + o.noise * random.normal());
      const bool is_first = t < 10;
      if (visited[r]) (is_first ? firsts : rests) += 1;
      for (RegimeModel& model : models) {
        const std::span<const float> input = model.sees_context ? std::span<const float>(key) : phi;
        float estimate = 0;
        model.rule->recall(input, {&estimate, 1});
        const double error = std::pow(static_cast<double>(estimate) - seen, 2);
        if (visited[r]) (is_first ? model.first : model.rest) += error;
        model.writes += model.rule->write(input, {&seen, 1}) ? 1 : 0;
      }
    }
    visited[r] = true;
  }
  std::vector<RegimeResult> results;
  for (const RegimeModel& m : models) {
    results.push_back({m.name, m.rule->bytes(), m.first / firsts, m.rest / rests,
                       static_cast<double>(m.writes) / (o.visit * o.visits)});
  }
  return results;
}

}  // namespace elastane::recall
