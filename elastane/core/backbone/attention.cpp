// Real-time code only.
#include "elastane/core/backbone/attention.h"

#include <cmath>
#include <numbers>

namespace elastane {
namespace {

struct Scratch {
  Rows qkv;     // [q; k; v]
  Rows y;       // weighted values
  Rows scores;  // of one head
  Rows turn;    // cos and sin of the step's angles
};
Scratch scratch_of(const Attention& a, float* scratch, int rows) {
  Carver carve(scratch, rows);
  return {.qkv = carve.take(a.qkv.rows),
          .y = carve.take(a.width + kLane),  // the last head may store past its end
          .scores = carve.take(a.shape.slots),
          .turn = carve.take(a.shape.size)};
}

// turn the pairs (i, i + size/2) of every head of x
void rotate(const float* cosine, const float* sine, int heads, int size, float* x) {
  const int half = size / 2;
  for (int head = 0; head < heads; ++head, x += size) {
    for (int i = 0; i < half; ++i) {
      const float p = x[i], q = x[i + half];
      x[i] = p * cosine[i] - q * sine[i];
      x[i + half] = q * cosine[i] + p * sine[i];
    }
  }
}

float admissible(float v) { return std::fabs(v) <= kStateLimit ? v : 0.0F; }

}  // namespace

std::size_t scratch_floats(const Attention& a, int rows) {
  return static_cast<std::size_t>(rows) * (a.qkv.rows + padded(a.width + kLane) + a.shape.slots + padded(a.shape.size));
}

void project(const Attention& a, const BlockCall& call) {
  const Scratch s = scratch_of(a, call.scratch, call.u.count);
  call.k.linear(a.qkv, nullptr, call.u, s.qkv);
  if (a.frequency == nullptr) return;
  const int half = a.shape.size / 2;
  for (int r = 0; r < call.u.count; ++r) {
    float *cosine = s.turn[r], *sine = cosine + half;
    for (int i = 0; i < half; ++i) {
      // angles in double: after 10⁷ steps a float would not know its position in the turn
      const double angle = std::remainder((call.rows[r].time + call.rows[r].dt) * a.frequency[i], 2 * std::numbers::pi);
      cosine[i] = std::cos(static_cast<float>(angle));
      sine[i] = std::sin(static_cast<float>(angle));
    }
    rotate(cosine, sine, a.shape.heads, a.shape.size, s.qkv[r]);
    rotate(cosine, sine, a.shape.kv_heads, a.shape.size, s.qkv[r] + padded(a.width));
  }
}

void advance(const Attention& a, const BlockCall& call, int first, int count) {
  const Scratch s = scratch_of(a, call.scratch, call.u.count);
  const KeyValueWindow window = a.window();
  for (int r = first; r < first + count; ++r) {
    const float* key = s.qkv[r] + padded(a.width);
    const float* value = key + padded(a.kv);
    float* keys = call.rows[r].ring + window.keys().first(call.rows[r].position);
    float* values = call.rows[r].ring + window.values().first(call.rows[r].position);
    for (int i = 0; i < a.kv; ++i) keys[i * a.shape.slots] = admissible(key[i]);
    for (int i = 0; i < a.kv; ++i) values[i] = admissible(value[i]);
  }
}

void read(const Attention& a, const BlockCall& call, int first, int count) {
  const Scratch s = scratch_of(a, call.scratch, call.u.count);
  const KeyValueWindow window = a.window();
  for (int r = first; r < first + count; ++r) {
    const float* keys = call.rows[r].ring + window.begin;
    call.k.attend(a.shape, s.qkv[r], keys, keys + window.key_floats(), window.filled(call.rows[r].position),
                  s.scores[r], s.y[r]);
    for (int i = a.width; i < s.y.stride; ++i) s.y[r][i] = 0.0F;  // padding holds zeros
  }
}

void finish(const Attention& a, const BlockCall& call) {
  const Scratch s = scratch_of(a, call.scratch, call.u.count);
  call.k.linear(a.out_proj, nullptr, s.y, call.out);
}

void charge(const Attention& a, const BlockCall& call) {
  call.report.macs += call.u.count * a.macs();
  call.report.heads_full += std::int64_t{call.u.count} * a.shape.heads;
  for (int r = 0; r < call.u.count; ++r) call.report.slots_read += a.window().filled(call.rows[r].position);
}

}  // namespace elastane
