#include "lab/recall/memory_rule.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "elastane/core/base/buffer.h"
#include "elastane/core/base/random.h"

namespace elastane::recall {
namespace {

// floats on a cache line, zero at the start
class Aligned {
 public:
  explicit Aligned(int n) : buffer_(sizeof(float) * as_size(std::max(n, 1))) {}
  float* data() { return reinterpret_cast<float*>(buffer_.data()); }
  void set(std::span<const float> from) { std::ranges::copy(from, data()); }

 private:
  Buffer buffer_;
};

class LibraryRule : public MemoryRule {
 public:
  LibraryRule(const AssociativeMemory& memory, double strength)
      : memory_(memory),
        k_(*kernels().value()),
        store_(memory.floats()),
        aside_(memory.aside_floats()),
        work_(memory.work_floats()),
        key_(memory.key_floats()),
        value_(memory.value_floats()),
        out_(memory.value_floats()),
        other_(memory.value_floats()),
        strength_(static_cast<float>(strength)) {
    memory_.start(store_.data(), aside_.data());
  }

  bool write(std::span<const float> key, std::span<const float> value) override {
    key_.set(key);
    value_.set(value);
    const float keep = 1;
    return memory_
        .advance({.k = k_,
                  .key = key_.data(),
                  .query = key_.data(),
                  .value = value_.data(),
                  .strength = &strength_,
                  .keep = &keep,
                  .store = store_.data(),
                  .slow = nullptr,
                  .aside = aside_.data(),
                  .work = work_.data(),
                  .out = out_.data()})
        .wrote;
  }
  void recall(std::span<const float> key, std::span<float> value) override {
    key_.set(key);
    k_.memory_read(key_.data(), key_.data(), memory_.keys, memory_.value_floats(), store_.data(), out_.data(),
                   other_.data());
    std::copy_n(out_.data(), value.size(), value.begin());
  }
  std::size_t bytes() const override { return sizeof(float) * as_size(memory_.floats() + memory_.gate.floats()); }
  double macs(bool wrote) const override {
    return static_cast<double>(memory_.read_macs() / 2 + (wrote ? memory_.write_macs() : 0));
  }
  std::span<const float> gate_state() override {
    return {aside_.data() + memory_.heads * memory_.pending_floats(), as_size(memory_.gate.floats())};
  }

 private:
  AssociativeMemory memory_;
  const Kernels& k_;
  Aligned store_, aside_, work_, key_, value_, out_, other_;
  float strength_;
};

class RandomRule : public LibraryRule {
 public:
  RandomRule(const AssociativeMemory& memory, double strength, double share, std::uint64_t seed)
      : LibraryRule(memory, strength), share_(share), random_(seed) {}
  bool write(std::span<const float> key, std::span<const float> value) override {
    return random_.uniform() < share_ && LibraryRule::write(key, value);
  }

 private:
  double share_;
  Random random_;
};

class HeadsRule : public MemoryRule {
 public:
  HeadsRule(int heads, const AssociativeMemory& memory, double strength)
      : keys_(as_size(memory.keys)), values_(as_size(memory.values)), key_(keys_) {
    for (int i = 0; i < heads; ++i) heads_.push_back(library_rule(memory, strength));
  }
  bool write(std::span<const float> key, std::span<const float> value) override {
    bool wrote = false;
    for (std::size_t i = 0; i < heads_.size(); ++i) wrote |= heads_[i]->write(unit(key, i), part(value, i));
    return wrote;
  }
  void recall(std::span<const float> key, std::span<float> value) override {
    for (std::size_t i = 0; i < heads_.size(); ++i) {
      heads_[i]->recall(unit(key, i), value.subspan(i * values_, values_));
    }
  }
  std::size_t bytes() const override { return heads_.size() * heads_[0]->bytes(); }
  double macs(bool wrote) const override { return static_cast<double>(heads_.size()) * heads_[0]->macs(wrote); }

 private:
  std::span<const float> part(std::span<const float> value, std::size_t i) const {
    return value.subspan(i * values_, values_);
  }
  std::span<const float> unit(std::span<const float> key, std::size_t i) {
    double squares = 0;
    for (std::size_t j = 0; j < keys_; ++j) {
      key_[j] = key[i * keys_ + j];
      squares += static_cast<double>(key_[j]) * key_[j];
    }
    for (float& x : key_) x = static_cast<float>(x / std::sqrt(std::max(squares, 1e-30)));
    return key_;
  }

  std::size_t keys_, values_;
  std::vector<float> key_;
  std::vector<RulePointer> heads_;
};

// M [keys][values] of the plain rules
class PlainMatrix : public MemoryRule {
 public:
  PlainMatrix(int keys, int values, int more_floats)
      : m_(as_size(keys) * as_size(values)), error_(as_size(values)), more_(more_floats) {}
  void recall(std::span<const float> key, std::span<float> value) override {
    std::ranges::fill(value, 0.0F);
    for (std::size_t i = 0; i < key.size(); ++i) {
      for (std::size_t j = 0; j < value.size(); ++j) value[j] += key[i] * m_[i * value.size() + j];
    }
  }
  std::size_t bytes() const override { return sizeof(float) * (m_.size() + as_size(more_)); }
  double macs(bool) const override { return 2.0 * static_cast<double>(m_.size() + as_size(more_)); }

 protected:
  // e = v − Mᵀk
  const std::vector<float>& residual(std::span<const float> key, std::span<const float> value) {
    recall(key, error_);
    for (std::size_t j = 0; j < value.size(); ++j) error_[j] = value[j] - error_[j];
    return error_;
  }
  std::vector<float> m_, error_;

 private:
  int more_;
};

class HebbRule : public PlainMatrix {
 public:
  HebbRule(int keys, int values, double keep) : PlainMatrix(keys, values, 0), keep_(static_cast<float>(keep)) {}
  bool write(std::span<const float> key, std::span<const float> value) override {
    for (std::size_t i = 0; i < m_.size(); ++i) {
      m_[i] = keep_ * m_[i] + key[i / value.size()] * value[i % value.size()];
    }
    return true;
  }

 private:
  float keep_;
};

class MomentumRule : public PlainMatrix {
 public:
  MomentumRule(int keys, int values, const MomentumOptions& options)
      : PlainMatrix(keys, values, keys * values), o_(options), s_(as_size(keys) * as_size(values)) {}
  bool write(std::span<const float> key, std::span<const float> value) override {
    const std::vector<float>& e = residual(key, value);
    for (std::size_t i = 0; i < m_.size(); ++i) {
      s_[i] = static_cast<float>(o_.momentum * s_[i] + key[i / value.size()] * e[i % value.size()]);
      m_[i] = static_cast<float>(o_.keep * m_[i] + o_.rate * s_[i]);
    }
    return true;
  }

 private:
  MomentumOptions o_;
  std::vector<float> s_;
};

// P ← diagonal of what the whole P would be
class DiagonalRule : public PlainMatrix {
 public:
  DiagonalRule(int keys, int values, double noise)
      : PlainMatrix(keys, values, keys), p_(as_size(keys), 1.0F), noise_(noise) {}
  bool write(std::span<const float> key, std::span<const float> value) override {
    const std::vector<float>& e = residual(key, value);
    double spread = noise_;
    for (std::size_t i = 0; i < key.size(); ++i) spread += static_cast<double>(p_[i]) * key[i] * key[i];
    for (std::size_t i = 0; i < key.size(); ++i) {
      const double gain = p_[i] * key[i] / spread;
      for (std::size_t j = 0; j < value.size(); ++j) m_[i * value.size() + j] += static_cast<float>(gain * e[j]);
      p_[i] = static_cast<float>(p_[i] * (1 - gain * key[i]));
    }
    return true;
  }

 private:
  std::vector<float> p_;
  double noise_;
};

// v̂ = W₂ᵀ silu(W₁ᵀk), both written by gradients with momentum
class NetworkRule : public MemoryRule {
 public:
  NetworkRule(int keys, int hidden, int values, const MomentumOptions& options, std::uint64_t seed)
      : o_(options), hidden_(as_size(hidden)), first_(as_size(keys) * hidden_), second_(hidden_ * as_size(values)) {
    Random random(seed);
    for (float& w : first_.w) w = static_cast<float>(random.normal());
    for (float& w : second_.w) w = static_cast<float>(random.normal() / std::sqrt(hidden));
  }
  bool write(std::span<const float> key, std::span<const float> value) override {
    std::vector<float> error(value.size()), back(hidden_);
    recall(key, error);
    for (std::size_t j = 0; j < value.size(); ++j) error[j] = value[j] - error[j];
    for (std::size_t h = 0; h < hidden_; ++h) {
      for (std::size_t j = 0; j < value.size(); ++j) back[h] += second_.w[h * value.size() + j] * error[j];
      back[h] *= slope_[h];
    }
    second_.step(active_, error, o_);
    first_.step(key, back, o_);
    return true;
  }
  void recall(std::span<const float> key, std::span<float> value) override {
    active_.assign(hidden_, 0.0F);
    slope_.assign(hidden_, 0.0F);
    for (std::size_t h = 0; h < hidden_; ++h) {
      float x = 0;
      for (std::size_t i = 0; i < key.size(); ++i) x += key[i] * first_.w[i * hidden_ + h];
      const float gate = 1 / (1 + std::exp(-x));
      active_[h] = x * gate;
      slope_[h] = gate * (1 + x * (1 - gate));
    }
    std::ranges::fill(value, 0.0F);
    for (std::size_t h = 0; h < hidden_; ++h) {
      for (std::size_t j = 0; j < value.size(); ++j) value[j] += active_[h] * second_.w[h * value.size() + j];
    }
  }
  std::size_t bytes() const override { return 2 * sizeof(float) * (first_.w.size() + second_.w.size()); }
  double macs(bool) const override { return 4.0 * static_cast<double>(first_.w.size() + second_.w.size()); }

 private:
  struct Layer {
    explicit Layer(std::size_t n) : w(n), s(n) {}
    void step(std::span<const float> in, std::span<const float> error, const MomentumOptions& o) {
      for (std::size_t i = 0; i < w.size(); ++i) {
        s[i] = static_cast<float>(o.momentum * s[i] + in[i / error.size()] * error[i % error.size()]);
        w[i] = static_cast<float>(o.keep * w[i] + o.rate * s[i]);
      }
    }
    std::vector<float> w, s;
  };
  MomentumOptions o_;
  std::size_t hidden_;
  Layer first_, second_;
  std::vector<float> active_, slope_;  // of the last recall
};

}  // namespace

RulePointer library_rule(const AssociativeMemory& memory, double strength) {
  return std::make_unique<LibraryRule>(memory, strength);
}
RulePointer random_rule(const AssociativeMemory& memory, double strength, double share, std::uint64_t seed) {
  return std::make_unique<RandomRule>(memory, strength, share, seed);
}
RulePointer heads_rule(int heads, const AssociativeMemory& memory, double strength) {
  return std::make_unique<HeadsRule>(heads, memory, strength);
}
RulePointer hebb_rule(int keys, int values, double keep) { return std::make_unique<HebbRule>(keys, values, keep); }
RulePointer momentum_rule(int keys, int values, const MomentumOptions& options) {
  return std::make_unique<MomentumRule>(keys, values, options);
}
RulePointer network_rule(int keys, int hidden, int values, const MomentumOptions& options, std::uint64_t seed) {
  return std::make_unique<NetworkRule>(keys, hidden, values, options, seed);
}
RulePointer diagonal_rule(int keys, int values, double noise) {
  return std::make_unique<DiagonalRule>(keys, values, noise);
}

// a threshold of 0: every residual is written, and at once, so that recall sees it
AssociativeMemory writing_always(int keys, int values, WriteRule rule) {
  return {.keys = keys, .values = values, .rule = rule, .gate = {.policy = WritePolicy::surprise, .threshold = 0}};
}
AssociativeMemory changing_squares(int keys, int values) {
  AssociativeMemory memory = writing_always(keys, values, WriteRule::least_squares);
  memory.noise = 0.05, memory.relax = 1e-3, memory.inflate = 4;
  return memory;
}

}  // namespace elastane::recall
