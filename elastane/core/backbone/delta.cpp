// Real-time code only.
#include "elastane/core/backbone/delta.h"

#include <algorithm>
#include <cmath>

namespace elastane {
namespace {

// scratch of one call
struct DeltaScratch {
  Rows raw;     // [q | k | v] before the convolutions
  Rows qkv;     // after them; q and k are unit vectors
  Rows gates;   // [β | α]
  Rows o;       // [head][value], normalised by read
  Rows open;    // silu(W_g u), the same; of a gated block
  float* work;  // of the memory
};
DeltaScratch scratch_of(const Delta& d, const BlockCall& call) {
  Carver carve(call.scratch, call.u.count);
  return {.raw = carve.take(d.qkv.rows),
          .qkv = carve.take(d.qkv.rows),
          .gates = carve.take(2 * padded(d.memory.heads)),
          .o = carve.take(d.memory.heads * d.memory.value_floats()),
          .open = carve.take(d.is_gated ? d.memory.heads * d.memory.value_floats() : 0),
          .work = carve.array(d.memory.work_floats())};
}

int key_rows(const Delta& d) { return d.memory.heads * d.memory.key_floats(); }

// β = σ(·), α = σ(·)^(dt·rate)
void open_gates(const Delta& d, const Kernels& k, float dt, float* gates) {
  const int n = padded(d.memory.heads);
  k.activation_jet(Curve::sigmoid, gates, n, gates, nullptr, nullptr);
  float* alpha = gates + n;
  if (!d.decays) {
    std::fill_n(alpha, n, 1.0F);
    return;
  }
  k.activation_jet(Curve::log_sigmoid, alpha, n, alpha, nullptr, nullptr);
  for (int i = 0; i < n; ++i) alpha[i] *= d.is_published ? dt * d.rate[i] : dt;
  k.activation_jet(Curve::exponential, alpha, n, alpha, nullptr, nullptr);
}

// q and k as unit vectors: they lie in heads, one after the other
void make_units(const Delta& d, const Kernels& k, float* heads) {
  // so that the norm's ε, of a mean, is the published 10⁻⁶ of a sum
  const float lift = std::sqrt(10.0F * static_cast<float>(d.memory.keys));
  for (int head = 0; head < 2 * d.memory.heads; ++head) {
    float* x = heads + head * d.memory.key_floats();
    k.bound(kDriveLimit, x, d.memory.key_floats());
    for (int i = 0; d.is_published && i < d.memory.key_floats(); ++i) x[i] *= lift;
    k.rms_norm(x, head < d.memory.heads ? d.unit_query : d.unit, d.memory.keys, x);
  }
}

}  // namespace

std::size_t scratch_floats(const Delta& d, int rows) {
  const int values = d.memory.heads * d.memory.value_floats();
  const int row = 2 * d.qkv.rows + 2 * padded(d.memory.heads) + (d.is_gated ? 2 : 1) * values;
  return static_cast<std::size_t>(rows) * row + static_cast<std::size_t>(padded(d.memory.work_floats()));
}

void start(const Delta& d, float* dense, float* slow) {
  d.memory.start(d.is_slow() ? slow : dense + d.store_at(), dense + d.aside_at());
}

void project(const Delta& d, const BlockCall& call) {
  const DeltaScratch s = scratch_of(d, call);
  call.k.linear(d.qkv, nullptr, call.u, s.raw);
  call.k.linear(d.gates, d.gate_bias, call.u, s.gates);
  if (d.is_gated) call.k.linear(d.gate_proj, nullptr, call.u, s.open);
  for (int r = 0; r < call.u.count; ++r) {
    const int newest = static_cast<int>(call.rows[r].position % static_cast<unsigned>(d.taps));
    float* ring = call.rows[r].dense + d.slot.dense;
    if (d.is_published) {
      call.k.convolve(d.conv_weight, d.conv_bias, d.taps, newest, s.raw[r], d.qkv.rows, ring, s.qkv[r]);
    } else {
      call.k.convolve_linear(d.conv_weight, d.taps, newest, s.raw[r], d.qkv.rows, ring, s.qkv[r]);
    }
    make_units(d, call.k, s.qkv[r]);
    if (d.is_gated) call.k.activation_jet(Curve::silu, s.open[r], d.gate_proj.rows, s.open[r], nullptr, nullptr);
    open_gates(d, call.k, call.rows[r].dt, s.gates[r]);
  }
}

void advance(const Delta& d, const BlockCall& call, int first, int count) {
  const DeltaScratch s = scratch_of(d, call);
  for (int r = first; r < first + count; ++r) {
    const Row& row = call.rows[r];
    float* dense = row.dense + d.slot.dense;
    const SlowShape shape = d.slow_shape();
    SlowState slow(row.slow + d.slot.slow, row.slow_log + d.slot.log, shape);
    const MemoryReport did = d.memory.advance({.k = call.k,
                                               .key = s.qkv[r] + key_rows(d),
                                               .query = s.qkv[r],
                                               .value = s.qkv[r] + 2 * key_rows(d),
                                               .strength = s.gates[r],
                                               .keep = s.gates[r] + padded(d.memory.heads),
                                               .store = d.is_slow() ? row.slow + d.slot.slow : dense + d.store_at(),
                                               .slow = d.is_slow() ? &slow : nullptr,
                                               .aside = dense + d.aside_at(),
                                               .work = s.work,
                                               .out = s.o[r]});
    call.report.tokens_written += did.wrote ? 1 : 0;
    call.report.macs += did.wrote ? d.memory.write_macs() : 0;
    call.report.surprise = std::max(call.report.surprise, static_cast<std::int64_t>(1e6 * did.surprise));
  }
}

void read(const Delta& d, const BlockCall& call, int first, int count) {
  const DeltaScratch s = scratch_of(d, call);
  for (int r = first; r < first + count; ++r) {
    for (int head = 0; head < d.memory.heads; ++head) {
      float* o = s.o[r] + head * d.memory.value_floats();
      call.k.bound(kDriveLimit, o, d.memory.value_floats());
      call.k.rms_norm(o, d.norm_weight, d.memory.values, o);
    }
    if (d.is_gated) call.k.multiply(s.open[r], s.o[r], d.gate_proj.rows);
  }
}

void finish(const Delta& d, const BlockCall& call) {
  call.k.linear(d.out_proj, nullptr, scratch_of(d, call).o, call.out);
}

// what the writes took was counted when they were made
void charge(const Delta& d, const BlockCall& call) { call.report.macs += call.u.count * d.read_macs(); }

}  // namespace elastane
