// Real-time code only.
#include "elastane/core/backbone/associative_memory.h"

#include <cmath>

namespace elastane {
namespace {

constexpr double kLeastSpread = 1e-6;  // of kᵀPk: below it P has no direction left that could be scaled up

// one head's part of the work, and what it brings
struct Head {
  Head(const AssociativeMemory& m, const MemoryStep& s, int head)
      : n(m.value_floats()),
        key(s.key + head * m.key_floats()),
        query(s.query + head * m.key_floats()),
        value(s.value + head * n),
        by_key(s.work + head * (2 * n + m.key_floats())),
        error(by_key + n),
        gain(error + n),
        out(s.out + head * n) {}
  int n;
  const float *key, *query, *value;
  float *by_key, *error, *gain;
  float* out;  // first Mᵀq before the write, which is the answer where there is none
};

double ratio(double error, double value) {
  const double surprise = error / value;
  return std::isnan(surprise) ? 0.0 : std::fmin(surprise, 1e12);
}

}  // namespace

void AssociativeMemory::fill_identity(float* p) const {
  for (int i = 0; i < keys; ++i) {
    for (int j = 0; j <= i; ++j) *p++ = i == j ? 1.0F : 0.0F;
  }
}

void AssociativeMemory::start(float* store, float* aside) const {
  for (int head = 0; head < heads; ++head) {
    float* m = store + head * head_floats();
    for (int i = 0; i < head_floats(); ++i) m[i] = 0;
    if (rule == WriteRule::least_squares) fill_identity(m + matrix_floats());
    float* later = pending(aside, head);
    for (int i = 0; i < pending_floats(); ++i) later[i] = i == 0 ? 1.0F : 0.0F;  // M ← 1·M + 0
  }
  gate.start(aside + heads * pending_floats());
}

// Mᵀk, Mᵀq and e; first the write of the step before, if it is still to be made
AssociativeMemory::Residual AssociativeMemory::read(const MemoryStep& step, int head) const {
  const Head h(*this, step, head);
  float* m = step.store + head * head_floats();
  if (writes_later()) {
    const float* later = pending(step.aside, head);
    const MemoryWrite write{.keep = later[0], .gain = later + kLane, .error = later + kLane + key_floats()};
    step.k.memory_fold(write, h.key, h.query, keys, h.n, m, h.by_key, h.out);
  } else {
    step.k.memory_read(h.key, h.query, keys, h.n, m, h.by_key, h.out);
  }
  const MemoryResidual squares = step.k.memory_residual(step.keep[head], h.value, h.by_key, h.n, h.error);
  return {squares.error, squares.value};
}

void AssociativeMemory::set_gain(const MemoryStep& step, int head, double surprise, float* p, float* g) const {
  const Head h(*this, step, head);
  const double beta = step.strength[head];
  if (rule == WriteRule::delta) return step.k.blend(step.strength[head], h.key, 0, h.key, key_floats(), g);
  step.k.triangle_multiply(p, h.key, keys, g);         // Pk
  double spread = step.k.dot(h.key, g, key_floats());  // kᵀPk
  if (!(spread >= 0 && spread < 1e6)) {                // rounding has destroyed P: start it again
    fill_identity(p);
    step.k.blend(1, h.key, 0, h.key, key_floats(), g);
    spread = step.k.dot(h.key, g, key_floats());
  }
  if (inflate > 0 && spread > kLeastSpread && spread < 1 && surprise > inflate * (noise + spread)) {
    // P ← P + a(Pk)(Pk)ᵀ, a such that kᵀPk = 1; then Pk is 1/kᵀPk of what it was
    const double a = (1 - spread) / (spread * spread);
    step.k.triangle_update(static_cast<float>(a), g, 1, keys, p);
    step.k.blend(static_cast<float>(1 / spread), g, 0, g, key_floats(), g);
    spread = 1;
  }
  const double factor = beta / (noise + beta * spread);
  step.k.triangle_update(static_cast<float>(-factor), g, static_cast<float>(1 - relax), keys, p);
  step.k.blend(static_cast<float>(factor), g, 0, g, key_floats(), g);
}

// o = αMᵀq + (g·q)e, and the write itself, now or later
void AssociativeMemory::write(const MemoryStep& step, int head, double surprise, float* store) const {
  const Head h(*this, step, head);
  float* m = store + head * head_floats();
  float *later = pending(step.aside, head), *g = writes_later() ? later + kLane : h.gain;
  set_gain(step, head, surprise, m + matrix_floats(), g);
  step.k.bound(kDriveLimit, g, key_floats());
  step.k.blend(step.keep[head], h.out, step.k.dot(g, h.query, key_floats()), h.error, h.n, h.out);
  if (writes_later()) {
    later[0] = step.keep[head];
    step.k.blend(1, h.error, 0, h.error, h.n, later + kLane + key_floats());
  } else {
    step.k.memory_write({.keep = step.keep[head], .gain = g, .error = h.error}, keys, h.n, m);
  }
}

MemoryReport AssociativeMemory::advance(const MemoryStep& step) const {
  Residual all, own;
  for (int head = 0; head < heads; ++head) {
    own = read(step, head);
    all.error += own.error, all.value += own.value;
  }
  MemoryReport report{.surprise = ratio(all.error, all.value)};
  float* kept = step.aside + heads * pending_floats();
  report.wrote = gate.opens(report.surprise, kept, [&] { return sign_hash(step.key, heads * key_floats()); });
  float* store = report.wrote && step.slow != nullptr ? step.slow->change(0) : step.store;
  for (int head = 0; report.wrote && head < heads; ++head) write(step, head, report.surprise, store);
  return report;
}

}  // namespace elastane
