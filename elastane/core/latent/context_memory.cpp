// Real-time code only.
#include "elastane/core/latent/context_memory.h"

#include <cmath>
#include <utility>

namespace elastane {
namespace {

// x/‖x‖; false if there is no such vector
bool make_unit(float* x, int n) {
  double squares = 0;
  for (int i = 0; i < n; ++i) squares += static_cast<double>(x[i]) * x[i];
  if (!(squares > 0 && squares < 1e30)) return false;
  for (int i = 0; i < n; ++i) x[i] = static_cast<float>(x[i] / std::sqrt(squares));
  return true;
}

}  // namespace

float* ContextMemory::part(int index) const {
  return reinterpret_cast<float*>(const_cast<std::byte*>(all_.data())) + starts_[as_size(index)];
}

void ContextMemory::reset() {
  visits_ = steps_ = 0;
  memory_.start(store(), part(1));
}

void ContextMemory::advance(double strength) {
  const auto beta = static_cast<float>(strength);
  const float keep = 1;
  memory_.advance({.k = *k_,
                   .key = part(3),
                   .query = part(3),
                   .value = part(4),
                   .strength = &beta,
                   .keep = &keep,
                   .store = store(),
                   .slow = nullptr,
                   .aside = part(1),
                   .work = part(2),
                   .out = part(5)});
}

// is the key near the mean of this visit?
bool ContextMemory::is_same() const {
  const float *key = part(3), *sum = part(6);
  double product = 0, squares = 0;
  for (int i = 0; i < memory_.keys; ++i) {
    product += static_cast<double>(key[i]) * sum[i];
    squares += static_cast<double>(sum[i]) * sum[i];
  }
  return product >= options_.same * std::sqrt(squares);
}

// kᵀPk: 1 where nothing is known about the key, near 0 where it was seen
double ContextMemory::spread_of_key() const {
  float *key = part(3), *product = part(2);
  k_->triangle_multiply(store() + memory_.matrix_floats(), key, memory_.keys, product);
  double spread = 0;
  for (int i = 0; i < memory_.keys; ++i) spread += static_cast<double>(key[i]) * product[i];
  return std::fmin(std::fmax(spread, 0.0), 1.0);
}

// what is known under the key, and as far as nothing is, the coordinates with which the context was entered
void ContextMemory::recall(std::span<double> recalled) {
  float *key = part(3), *entered = part(4), *out = part(5);
  k_->memory_read(key, key, memory_.keys, memory_.value_floats(), store(), out, part(2));
  const double doubt = spread_of_key();
  for (std::size_t i = 0; i < recalled.size(); ++i) recalled[i] = out[i] + doubt * entered[i];
}

bool ContextMemory::enter(std::span<const float> context, std::span<const double> now, std::span<double> recalled) {
  const int n = memory_.keys;
  float *key = part(3), *value = part(4), *sum = part(6);
  for (int i = 0; i < n; ++i) key[i] = as_size(i) < context.size() ? context[as_size(i)] : 0.0F;
  if (!make_unit(key, n)) return false;
  if (visits_ > 0 && is_same()) {
    for (int i = 0; i < n; ++i) sum[i] += key[i];
    if (++steps_ >= options_.settle) return false;
    for (int i = 0; i < n; ++i) key[i] = sum[i];
    if (!make_unit(key, n)) return false;
    recall(recalled);
    return true;
  }
  for (int i = 0; i < memory_.values; ++i)
    value[i] = as_size(i) < now.size() ? static_cast<float>(now[as_size(i)]) : 0.0F;
  if (visits_ > 0 && make_unit(sum, n)) {
    // write what was learned, under the mean context
    for (int i = 0; i < n; ++i) std::swap(key[i], sum[i]);
    advance(1);
    for (int i = 0; i < n; ++i) key[i] = sum[i];
  }
  recall(recalled);
  for (int i = 0; i < n; ++i) sum[i] = key[i];
  ++visits_;
  steps_ = 0;
  return true;
}

}  // namespace elastane
