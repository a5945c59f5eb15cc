// Real-time code only.
#include "elastane/core/backbone/chosen_blocks.h"

#include <algorithm>
#include <cmath>

#include "elastane/core/base/clock.h"

namespace elastane {
namespace {

constexpr float kMostBound = 1e30F;  // a bound that is not finite counts as this

// one key head of one row, on its way
struct Reading {
  const Attention& a;
  const BlockCall& call;
  const AttentionScratch& s;
  int row, head;  // of queries, of keys
  KeyValueWindow window;
  std::uint64_t position, oldest;  // of the row; the first block that may be chosen
  int candidates = 0, read = 0;    // of them
  double micros_per_block = 0;     // the longest so far

  int first() const { return head * a.shape.group(); }  // its first query head
  const float* panels() const { return call.rows[row].ring + window.begin; }
  std::int64_t block_macs() const { return a.shape.group() * a.block_macs(); }
};

void attend(Reading& r, int count) {
  const double begun = r.call.elastic.budget.clock == Budget::Clock::wall ? now_micros() : 0;
  r.call.k.attend_blocks(r.a.shape, r.panels(), r.s.list, count, r.first(), r.a.shape.group(), r.s.work);
  r.call.report.blocks_read += std::int64_t{count} * r.a.shape.group();
  if (begun > 0) r.micros_per_block = std::fmax(r.micros_per_block, (now_micros() - begun) / count);
}

// the best score that a query of the group can have in a panel
float bound_of(const Reading& r, int panel) {
  const int n = padded(r.a.shape.size);
  const RingPart part = r.a.summaries();
  const float* low = r.call.rows[r.row].ring + part.begin + std::ptrdiff_t{panel} * part.panel_stride + 2 * n * r.head;
  float bound = -kMostBound;
  for (int i = 0; i < r.a.shape.group(); ++i) {
    const float* q = r.s.work + (r.first() + i) * attend_floats(r.a.shape.size);
    bound = std::fmax(bound, r.call.k.bound_score(q, low, low + n, n));
  }
  return std::fabs(bound) <= kMostBound ? bound : kMostBound;
}

// all blocks that a full head would read besides, with their bounds
void find_candidates(Reading& r, int listed) {
  const std::uint64_t end = r.position / static_cast<unsigned>(r.a.shape.block) + 1;
  const auto sink = std::min(static_cast<std::uint64_t>(r.a.shape.sink), end);
  const std::uint64_t local = end - (static_cast<std::uint64_t>(listed) - sink);
  for (std::uint64_t b = r.oldest; b < local; ++b, ++r.candidates) {
    r.s.choices[r.candidates] = {bound_of(r, r.window.panel(b)), static_cast<int>(b - r.oldest)};
  }
  r.call.report.macs += 2 * std::int64_t{r.candidates} * r.a.shape.group() * r.a.shape.size;
}

// how many more blocks a counted budget admits for this head, of `heads` that share it
int admitted(const Reading& r, int listed, int index, int heads) {
  const Budget& budget = r.call.elastic.budget;
  if (budget.clock != Budget::Clock::counted) return r.candidates;
  const double bounds = 2.0 * r.candidates * r.a.shape.group() * r.a.shape.size;
  const double left = budget.limit - heads * (bounds + static_cast<double>(listed * r.block_macs()));
  if (!(left > 0)) return 0;
  const double total = std::fmin(std::floor(left / static_cast<double>(r.block_macs())), 1e9);
  const int blocks = static_cast<int>(total);
  return std::min(r.candidates, blocks / heads + (index < blocks % heads ? 1 : 0));
}

void read_best(Reading& r, int most, double deadline) {
  const auto better = [](const Candidate& x, const Candidate& y) {
    return x.bound > y.bound || (x.bound == y.bound && x.block < y.block);
  };
  std::partial_sort(r.s.choices, r.s.choices + most, r.s.choices + r.candidates, better);
  const bool timed = r.call.elastic.budget.clock == Budget::Clock::wall;
  for (; r.read < most; ++r.read) {
    if (timed && now_micros() + r.micros_per_block > deadline) return;
    const auto block = static_cast<std::uint64_t>(r.s.choices[r.read].block);
    r.s.list[0] = key_block(r.window, r.oldest + block, r.position);
    attend(r, 1);
  }
}

// Σ over blocks that were not read of block·2^(bound − peak), as a share of all weights, the largest of the group
double left_out(const Reading& r) {
  double largest = 0;
  for (int i = 0; i < r.a.shape.group(); ++i) {
    const float* sums =
        r.s.work + (r.first() + i) * attend_floats(r.a.shape.size) + 2 * padded(r.a.shape.size) + kMostBlock;
    double mass = 0;
    for (int c = r.read; c < r.candidates; ++c) {
      mass += r.a.shape.block * std::exp2(std::fmin(static_cast<double>(r.s.choices[c].bound) - sums[0], 100.0));
    }
    largest = std::fmax(largest, mass / (mass + sums[1]));
  }
  return largest;
}

// which of the heads that share the budget, and when they began
struct Share {
  int index, heads;
  double begun;
};

void read_head(const Attention& a, const BlockCall& call, const AttentionScratch& s, int row, int head, Share share) {
  const KeyValueWindow window = a.window();
  const std::uint64_t position = call.rows[row].position;
  const Budget& budget = call.elastic.budget;
  const bool all = budget.clock == Budget::Clock::none;
  Reading r{a, call, s, row, head, window, position, oldest_block(window, position)};
  const int listed = list_blocks(window, all ? HeadMode::full : HeadMode::blocks, position, s.list);
  call.k.attend_start(a.shape, s.qkv[row], r.first(), a.shape.group(), s.work);
  attend(r, listed);
  if (!all) {
    find_candidates(r, listed);
    read_best(r, admitted(r, listed, share.index, share.heads),
              share.begun + budget.limit * (share.index + 1) / share.heads);
    call.report.left_out = std::max(call.report.left_out, static_cast<std::int64_t>(std::ceil(1e6 * left_out(r))));
  }
  call.k.attend_finish(a.shape, r.first(), a.shape.group(), s.work, s.y[row]);
}

}  // namespace

void summarise(const Attention& a, const float* key, std::uint64_t position, float* ring) {
  const int n = padded(a.shape.size);
  const bool begins = position % static_cast<unsigned>(a.shape.block) == 0;
  float* low = ring + a.summaries().first(position);
  for (int head = 0; head < a.shape.kv_heads; ++head, low += 2 * n, key += a.shape.size) {
    float* high = low + n;
    for (int i = 0; i < a.shape.size; ++i) {
      // as the window holds it
      float value = std::fabs(key[i]) <= kStateLimit ? key[i] : 0.0F;
      if (a.shape.bfloat16) value = from_bfloat16(to_bfloat16(value));
      low[i] = begins || value < low[i] ? value : low[i];
      high[i] = begins || value > high[i] ? value : high[i];
    }
  }
}

void read_chosen(const Attention& a, const BlockCall& call, const AttentionScratch& s, int row) {
  const Budget& budget = call.elastic.budget;
  const double begun = budget.clock == Budget::Clock::wall ? now_micros() : 0;
  int heads = 0, index = 0;
  for (int head = 0; head < a.shape.kv_heads; ++head)
    heads += mode_of(a, call.rows[row].dense, head) == HeadMode::blocks;
  for (int head = 0; head < a.shape.kv_heads; ++head) {
    if (mode_of(a, call.rows[row].dense, head) != HeadMode::blocks) continue;
    read_head(a, call, s, row, head, {index++, heads, begun});
  }
}

}  // namespace elastane
