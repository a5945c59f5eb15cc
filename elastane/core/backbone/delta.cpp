// Real-time code only.
#include "elastane/core/backbone/delta.h"

#include <algorithm>

namespace elastane {
namespace {

// scratch of one call
struct DeltaScratch {
  Rows raw;     // [q | k | v] before the convolutions
  Rows qkv;     // after them; q and k are unit vectors
  Rows gates;   // [β | α]
  Rows o;       // [head][value], normalised by read
  float* work;  // of the memory
};
DeltaScratch scratch_of(const Delta& d, const BlockCall& call) {
  Carver carve(call.scratch, call.u.count);
  return {.raw = carve.take(d.qkv.rows),
          .qkv = carve.take(d.qkv.rows),
          .gates = carve.take(2 * padded(d.memory.heads)),
          .o = carve.take(d.memory.heads * d.memory.value_floats()),
          .work = carve.array(d.memory.work_floats())};
}

int key_rows(const Delta& d) { return d.memory.heads * d.memory.key_floats(); }

// β = σ(·), α = σ(·)^dt
void open_gates(const Delta& d, const Kernels& k, float dt, float* gates) {
  const int n = padded(d.memory.heads);
  k.activation_jet(Curve::sigmoid, gates, n, gates, nullptr, nullptr);
  float* alpha = gates + n;
  if (!d.decays) {
    std::fill_n(alpha, n, 1.0F);
    return;
  }
  k.activation_jet(Curve::log_sigmoid, alpha, n, alpha, nullptr, nullptr);
  for (int i = 0; i < n; ++i) alpha[i] *= dt;
  k.activation_jet(Curve::exponential, alpha, n, alpha, nullptr, nullptr);
}

}  // namespace

std::size_t scratch_floats(const Delta& d, int rows) {
  const int row = 2 * d.qkv.rows + 2 * padded(d.memory.heads) + d.memory.heads * d.memory.value_floats();
  return static_cast<std::size_t>(rows) * row + static_cast<std::size_t>(padded(d.memory.work_floats()));
}

void start(const Delta& d, float* dense, float* slow) {
  d.memory.start(d.is_slow() ? slow : dense + d.store_at(), dense + d.aside_at());
}

void project(const Delta& d, const BlockCall& call) {
  const DeltaScratch s = scratch_of(d, call);
  call.k.linear(d.qkv, nullptr, call.u, s.raw);
  call.k.linear(d.gates, d.gate_bias, call.u, s.gates);
  for (int r = 0; r < call.u.count; ++r) {
    const int newest = static_cast<int>(call.rows[r].position % static_cast<unsigned>(d.taps));
    call.k.convolve_linear(d.conv_weight, d.taps, newest, s.raw[r], d.qkv.rows, call.rows[r].dense + d.slot.dense,
                           s.qkv[r]);
    // q and k lie in heads, one after the other
    for (int head = 0; head < 2 * d.memory.heads; ++head) {
      float* x = s.qkv[r] + head * d.memory.key_floats();
      call.k.bound(kDriveLimit, x, d.memory.key_floats());
      call.k.rms_norm(x, d.unit, d.memory.keys, x);
    }
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
  }
}

void finish(const Delta& d, const BlockCall& call) {
  call.k.linear(d.out_proj, nullptr, scratch_of(d, call).o, call.out);
}

// what the writes took was counted when they were made
void charge(const Delta& d, const BlockCall& call) { call.report.macs += call.u.count * d.read_macs(); }

}  // namespace elastane
