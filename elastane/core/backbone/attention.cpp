// Real-time code only.
#include "elastane/core/backbone/attention.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "elastane/core/backbone/attention_scratch.h"
#include "elastane/core/backbone/chosen_blocks.h"
#include "elastane/core/backbone/head_router.h"

namespace elastane {
namespace {

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

// rows of one stream in one query block, from `first` on and below `end`
int rows_together(const Attention& a, const Row* rows, int first, int end) {
  const auto block = static_cast<unsigned>(a.shape.block);
  int n = 1;
  while (first + n < end && rows[first + n].ring == rows[first].ring &&
         rows[first + n].position / block == rows[first].position / block) {
    ++n;
  }
  return n;
}

// neighbouring key heads in the same mode, from `head` on
int heads_alike(const Attention& a, const Row& row, int head) {
  if (!a.elastic()) return a.shape.kv_heads;
  int n = 1;
  while (head + n < a.shape.kv_heads && mode_of(a, row.dense, head + n) == mode_of(a, row.dense, head)) ++n;
  return n;
}

// query heads [first, first + heads) of rows in one query block, all of which read the same panels
void attend(const Attention& a, const BlockCall& call, const AttentionScratch& s, int row, int rows, int first,
            int heads, HeadMode mode) {
  const KeyValueWindow window = a.window();
  const float* panels = call.rows[row].ring + window.begin;
  if (rows >= kTileRows) {
    const int count = list_blocks(window, mode, call.rows[row].position, s.list);
    for (int head = first; head < first + heads; ++head) {
      call.k.attend_rows(a.shape, panels, s.list, count, head, s.qkv.slice(row, rows), s.work, s.y.slice(row, rows));
    }
    return;
  }
  for (int r = row; r < row + rows; ++r) {
    const int count = list_blocks(window, mode, call.rows[r].position, s.list);
    call.k.attend_start(a.shape, s.qkv[r], first, heads, s.work);
    call.k.attend_blocks(a.shape, panels, s.list, count, first, heads, s.work);
    call.k.attend_finish(a.shape, first, heads, s.work, s.y[r]);
  }
}

// what rows in one query block read with these heads
void count_reads(const Attention& a, const BlockCall& call, int row, int rows, int heads, HeadMode mode) {
  if (mode == HeadMode::full) call.report.heads_full += std::int64_t{rows} * heads;
  for (int r = row; r < row + rows; ++r) {
    call.report.blocks_read += std::int64_t{heads} * count_blocks(a.window(), mode, call.rows[r].position);
  }
}

void read_together(const Attention& a, const BlockCall& call, const AttentionScratch& s, int row, int rows) {
  const int group = a.shape.group();
  for (int head = 0, n = 0; head < a.shape.kv_heads; head += n) {
    n = heads_alike(a, call.rows[row], head);
    const HeadMode mode = mode_of(a, call.rows[row].dense, head);
    if (mode == HeadMode::blocks) continue;
    count_reads(a, call, row, rows, n * group, mode);
    attend(a, call, s, row, rows, head * group, n * group, mode);
  }
  for (int r = row; a.chooses && r < row + rows; ++r) read_chosen(a, call, s, r);
}

}  // namespace

RingPart Attention::summaries() const {
  RingPart part = window().keys();
  part.begin = slot.ring + padded(window().floats());
  part.slot_stride = 0;
  part.stride = 1;
  part.count = part.panel_stride = 2 * shape.kv_heads * padded(shape.size);
  return part;
}

void decide(const Attention& a, const RoutedBlock& routed, const AttentionScratch& s, float* dense) {
  const KeyPools pools = a.pools();
  double *before = s.features + pools.features(), *logits = before + routed.codes, *scratch = logits + a.shape.kv_heads;
  pools.read(dense, s.features);
  for (int i = 0; i < routed.codes; ++i) before[i] = static_cast<double>(dense[routed.code_begin + i]);
  const double* code = head_logits(*routed.router, s.features, scratch, logits);
  const int kept = std::min(routed.router->task.scores(), kRouterCode);
  for (int i = 0; i < kept; ++i) {
    pools.code(dense)[i] = static_cast<float>(std::clamp(code[i], -double{kStateLimit}, double{kStateLimit}));
  }
  for (int head = 0; head < a.shape.kv_heads; ++head) {
    pools.modes(dense)[head] = static_cast<float>(logits[head] > 0 ? HeadMode::full : HeadMode::stream);
  }
}

std::size_t scratch_floats(const Attention& a, int rows) { return AttentionScratch::floats(a, rows); }

int together(const Attention& a, const BlockCall& call, int first) {
  return rows_together(a, call.rows, first, call.u.count);
}

void project(const Attention& a, const BlockCall& call) {
  const AttentionScratch s(a, call.scratch, call.u.count);
  call.k.linear(a.qkv, nullptr, call.u, s.qkv);
  const int half = a.shape.size / 2;
  for (int r = 0; r < call.u.count; ++r) {
    float* key = s.qkv[r] + padded(a.width);
    for (int i = 0; a.elastic() && i < a.kv; ++i) s.raw[r][i] = key[i];
    if (a.frequency == nullptr) continue;
    float *cosine = s.turn[r], *sine = cosine + half;
    for (int i = 0; i < half; ++i) {
      // angles in double: after 10⁷ steps a float would not know its position in the turn
      const double angle = std::remainder((call.rows[r].time + call.rows[r].dt) * a.frequency[i], 2 * std::numbers::pi);
      cosine[i] = std::cos(static_cast<float>(angle));
      sine[i] = std::sin(static_cast<float>(angle));
    }
    rotate(cosine, sine, a.shape.heads, a.shape.size, s.qkv[r]);
    rotate(cosine, sine, a.shape.kv_heads, a.shape.size, key);
  }
}

void advance(const Attention& a, const BlockCall& call, int first, int count) {
  const AttentionScratch s(a, call.scratch, call.u.count);
  for (int r = first; r < first + count; ++r) {
    const Row& row = call.rows[r];
    const float* key = s.qkv[r] + padded(a.width);
    a.window().write(key, key + padded(a.kv), row.position, row.ring);
    if (!a.elastic()) continue;
    const bool begins = row.position > 0 && row.position % static_cast<unsigned>(a.shape.block) == 0;
    if (begins && call.elastic.routed.router != nullptr) {
      decide(a, call.elastic.routed, s, row.dense);
      call.report.macs += call.elastic.routed.router->macs();
    }
    a.pools().add(s.raw[r], row.position, row.dense);
    if (a.chooses) summarise(a, key, row.position, row.ring);
  }
}

void read(const Attention& a, const BlockCall& call, int first, int count) {
  const AttentionScratch s(a, call.scratch, call.u.count);
  for (int r = first, n = 0; r < first + count; r += n) {
    n = rows_together(a, call.rows, r, first + count);
    read_together(a, call, s, r, n);
  }
  for (int r = first; r < first + count; ++r) {
    for (int i = a.width; i < s.y.stride; ++i) s.y[r][i] = 0.0F;  // padding holds zeros
  }
}

void finish(const Attention& a, const BlockCall& call) {
  const AttentionScratch s(a, call.scratch, call.u.count);
  call.k.linear(a.out_proj, nullptr, s.y, call.out);
}

void charge(const Attention& a, const BlockCall& call) {
  BlockReport& report = call.report;
  report.macs +=
      a.elastic() ? call.u.count * a.projection_macs() + report.blocks_read * a.block_macs() : call.u.count * a.macs();
  for (int r = 0; r < call.u.count; ++r) {
    report.slots_read += a.window().filled(call.rows[r].position);
    report.blocks_seen += std::int64_t{a.shape.heads} * count_blocks(a.window(), HeadMode::full, call.rows[r].position);
  }
}

}  // namespace elastane
