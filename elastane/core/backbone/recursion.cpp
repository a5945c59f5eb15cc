// Real-time code only.
#include "elastane/core/backbone/recursion.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "elastane/core/backbone/recursion_cells.h"
#include "elastane/core/base/clock.h"
#include "elastane/core/math/inner.h"

namespace elastane {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// relative error of one evaluation of Φ in float32: sums of up to some thousand products in partial sums
constexpr double kRounding = 1e-6;

// what a row of a flat recursion carries from iteration to iteration
struct Live {
  int row;                 // of the tile
  double previous_change;  // of the iteration before; infinite at first
};

// scratch of one call
struct FlatScratch {
  Rows drive;   // λ^H Bu + b₂
  Rows h;       // of live rows, side by side
  Rows next;    // where they go
  Rows inner;   // gelu(W₁h + b₁)
  Rows logits;  // of the classes
  Live* live;
};

int live_floats(int rows) { return rows * static_cast<int>(sizeof(Live) / sizeof(float)); }

FlatScratch scratch_of(const Recursion& b, float* scratch, int rows) {
  Carver carve(scratch, rows);
  return {.drive = carve.take(b.hidden),
          .h = carve.take(b.hidden),
          .next = carve.take(b.hidden),
          .inner = carve.take(b.inner),
          .logits = carve.take(std::max(1, b.config.classes)),
          .live = reinterpret_cast<Live*>(carve.array(live_floats(rows)))};
}

// how many iterations a row may take: those whose predicted cost fits into the budget
class DepthBudget {
 public:
  DepthBudget(const Budget& budget, std::int64_t iteration, int rows)
      : budget_(budget), iteration_(static_cast<double>(iteration)), rows_(rows) {
    if (budget_.clock == Budget::Clock::wall) begun_ = last_ = now_micros();
  }
  // one more after `done`? An iteration on a wall clock is expected to take as long as the one before
  bool affords(int done) {
    if (budget_.clock == Budget::Clock::none) return true;
    if (budget_.clock == Budget::Clock::counted) return (done + 1) * iteration_ <= budget_.limit;
    const double now = now_micros(), took = now - last_;
    last_ = now;
    return now - begun_ + took <= budget_.limit * rows_;
  }

 private:
  Budget budget_;
  double iteration_, begun_ = 0, last_ = 0;
  int rows_;
};

void add_row(const Recursion& b, BlockReport& report, int depth, double bound, bool proven) {
  report.depth += depth;
  report.bound = std::max(report.bound, bound);
  report.certified += proven || bound <= b.config.tolerance ? 1 : 0;
}

// the two best classes; `proven`: no class can overtake the best one while h moves by at most `bound`
struct Margin {
  double margin = kInfinity;
  bool proven = false;
};
Margin margin_of(const Recursion& b, const float* logits, double bound) {
  const int n = b.config.classes, stride = padded(n);
  const int best = static_cast<int>(std::max_element(logits, logits + n) - logits);
  Margin m{.proven = std::isfinite(bound)};
  for (int other = 0; other < n; ++other) {
    if (other == best) continue;
    const double apart = static_cast<double>(logits[best]) - logits[other];
    m.margin = std::min(m.margin, apart);
    m.proven = m.proven && apart > b.class_pull[best * stride + other] * bound + kRounding * std::fabs(logits[best]);
  }
  return m;
}

// one row after an iteration
struct Moved {
  const float *next, *logits;
  double change, size, previous_change, bound;
  int depth;
};

bool wants_logits(const Recursion& b) { return b.config.halt == Halt::margin || b.config.halt == Halt::learned; }

// may the row stop here? `proven` is set where its class is that of infinite depth
bool halts(const Recursion& b, const Moved& m, bool& proven) {
  switch (b.config.halt) {
    case Halt::uniform: return false;
    case Halt::certificate: return m.bound <= b.config.tolerance;
    case Halt::margin: {
      const Margin margin = margin_of(b, m.logits, m.bound);
      proven = margin.proven;
      return b.lipschitz < 1 ? margin.proven : margin.margin > b.config.threshold;
    }
    case Halt::learned: {
      double f[kHaltFeatures], a[kHaltHidden], score = 0;
      const Margin margin = margin_of(b, m.logits, m.bound);
      proven = margin.proven;
      halt_features({margin.margin, m.change, m.size, m.previous_change, m.depth, b.config.depth}, f);
      b.halting.score(f, a, &score);
      return score > b.config.threshold;
    }
    case Halt::ranking: return dot<double>(b.ranking, m.next, b.hidden) + b.ranking_bias > b.ranking_threshold;
  }
  return false;
}

// next ← αh + λ(W₂ gelu(W₁h + b₁) + drive) for the live rows
void iterate(const Recursion& b, const BlockCall& call, const FlatScratch& s, int live) {
  const int n = padded(b.hidden), inner = padded(b.inner);
  call.k.linear(b.up, b.up_bias, s.h.slice(0, live), s.inner.slice(0, live));
  for (int i = 0; i < live; ++i) call.k.activate(Activation::gelu, s.inner[i], inner);
  call.k.linear(b.down, nullptr, s.inner.slice(0, live), s.next.slice(0, live));
  const auto keep = static_cast<float>(b.keep), gain = static_cast<float>(b.gain);
  for (int i = 0; i < live; ++i) {
    float* next = s.next[i];
    const float *h = s.h[i], *drive = s.drive[s.live[i].row];
    if (b.config.form == RecursionForm::contraction) {
      for (int j = 0; j < n; ++j) next[j] += drive[j];
    } else {
      for (int j = 0; j < n; ++j) next[j] = keep * h[j] + gain * (next[j] + drive[j]);
    }
    if (b.config.form == RecursionForm::literal) call.k.bound(kStateLimit, next, n);
  }
  if (wants_logits(b)) call.k.linear(b.classes, b.class_bias, s.next.slice(0, live), s.logits.slice(0, live));
}

// ‖a − b‖², in as many partial sums as dot has; n is padded
double distance_squares(const float* a, const float* b, int n) {
  float sums[kLane] = {};
  for (int i = 0; i < n; i += kLane) {
    for (int j = 0; j < kLane; ++j) sums[j] += (a[i + j] - b[i + j]) * (a[i + j] - b[i + j]);
  }
  double total = 0;
  for (const float sum : sums) total += static_cast<double>(sum);
  return total;
}

Moved moved_of(const Recursion& b, const FlatScratch& s, int i, int depth) {
  const int n = padded(b.hidden);
  const double change = std::sqrt(distance_squares(s.next[i], s.h[i], n));
  const double size = std::sqrt(static_cast<double>(dot<float>(s.next[i], s.next[i], n)));
  return {s.next[i], s.logits[i], change, size, s.live[i].previous_change, b.bound(change, size), depth};
}

// h ← h + M(Φ(h) − h) where the residual still falls, otherwise Φ(h)
void step_row(const Recursion& b, const BlockCall& call, const FlatScratch& s, int from, int to, const Moved& m) {
  const int n = padded(b.hidden);
  float* h = s.h[to];
  s.live[to] = {s.live[from].row, m.change};
  if (b.config.chord && m.change < m.previous_change) {
    float* apart = s.next[from];
    for (int j = 0; j < n; ++j) apart[j] -= s.h[from][j];
    if (from != to) std::memcpy(h, s.h[from], sizeof(float) * static_cast<std::size_t>(n));
    call.k.linear(b.chord, h, {apart, 1, n}, {h, 1, n});
    return;
  }
  std::memcpy(h, m.next, sizeof(float) * static_cast<std::size_t>(n));
}

void advance_flat(const Recursion& b, const BlockCall& call, int first, int count) {
  const FlatScratch s = scratch_of(b, call.scratch, call.u.count);
  const std::size_t bytes = sizeof(float) * static_cast<std::size_t>(padded(b.hidden));
  DepthBudget budget(call.elastic.depth, b.iteration_macs(), count);
  if (!budget.affords(0)) {
    for (int r = 0; r < count; ++r) add_row(b, call.report, 0, kInfinity, false);
    return;
  }
  int live = count;
  for (int i = 0; i < live; ++i) {
    s.live[i] = {first + i, kInfinity};
    if (b.config.start == RecursionStart::warm) {
      std::memcpy(s.h[i], call.rows[first + i].dense + b.slot.dense, bytes);
    } else {
      std::memset(s.h[i], 0, bytes);
    }
  }
  for (int depth = 1; live > 0; ++depth) {
    iterate(b, call, s, live);
    const bool last = depth == b.config.depth || !budget.affords(depth);
    int kept = 0;
    for (int i = 0; i < live; ++i) {
      const Moved m = moved_of(b, s, i, depth);
      bool proven = false;
      if (halts(b, m, proven) || last) {
        std::memcpy(call.rows[s.live[i].row].dense + b.slot.dense, m.next, bytes);
        add_row(b, call.report, depth, m.bound, proven);
      } else {
        step_row(b, call, s, i, kept++, m);
      }
    }
    live = kept;
  }
}

void advance_cells(const Recursion& b, const BlockCall& call, int r) {
  const CellScratch s = cell_scratch(b, call.scratch);
  float* h = call.rows[r].dense + b.slot.dense;
  DepthBudget budget(call.elastic.depth, b.iteration_macs(), 1);
  if (!budget.affords(0)) return add_row(b, call.report, 0, kInfinity, false);
  drive_cells(b, call.u[r], s);
  if (b.config.start == RecursionStart::cold) {
    std::memset(h, 0, sizeof(float) * static_cast<std::size_t>(b.state().dense));
  }
  for (int depth = 1;; ++depth) {
    const CellChange moved = iterate_cells(b, s, h);
    const double bound = b.bound(moved.change, moved.size);
    const bool within = b.config.halt != Halt::uniform && bound <= b.config.tolerance;
    const bool proven = within && b.config.halt == Halt::margin && classes_are_certain(b, h, bound);
    const bool done = within && (proven || b.config.halt == Halt::certificate);
    if (!done && depth < b.config.depth && budget.affords(depth)) continue;
    return add_row(b, call.report, depth, bound, proven);
  }
}

}  // namespace

std::int64_t Recursion::drive_macs() const {
  return flat() ? std::int64_t{hidden} * width : 2 * std::int64_t{hidden} * features * cells;
}
std::int64_t Recursion::iteration_macs() const {
  if (!flat()) return std::int64_t{taps()} * hidden * hidden * cells;
  return 2 * std::int64_t{hidden} * inner + (config.chord ? std::int64_t{hidden} * hidden : 0) +
         std::int64_t{config.classes} * hidden;
}
std::int64_t Recursion::readout_macs() const {
  return flat() ? 0 : std::int64_t{kCellHidden} * (2 * hidden + features) * cells;
}

double Recursion::bound(double change, double size) const {
  if (!(lipschitz < 1)) return kInfinity;
  return (lipschitz * change + kRounding * size) / (1 - lipschitz);  // ‖h⁺ − h*‖ ≤ L‖h⁺ − h‖/(1 − L)
}

void halt_features(const HaltView& v, double* f) {
  constexpr double kTiny = 1e-9;
  const double margin = std::isfinite(v.margin) ? v.margin : 1e6;
  f[0] = margin / (1 + std::fabs(margin));
  f[1] = 0.1 * std::log(kTiny + std::fmin(v.change, 1e12) / (kTiny + std::fmin(v.size, 1e12)));
  f[2] = static_cast<double>(v.depth) / v.most;
  f[3] = std::isfinite(v.previous_change) ? std::fmin(2.0, v.change / (kTiny + v.previous_change)) : 2.0;
}

std::size_t scratch_floats(const Recursion& b, int rows) {
  if (!b.flat()) return static_cast<std::size_t>(cell_scratch_floats(b));
  return static_cast<std::size_t>(rows) *
             (3 * padded(b.hidden) + padded(b.inner) + padded(std::max(1, b.config.classes))) +
         static_cast<std::size_t>(padded(live_floats(rows)));
}

// drive = λ^H Bu + b₂
void project(const Recursion& b, const BlockCall& call) {
  if (!b.flat()) return;
  const FlatScratch s = scratch_of(b, call.scratch, call.u.count);
  const int n = padded(b.hidden);
  call.k.linear(b.input, nullptr, call.u, s.drive);
  for (int r = 0; r < call.u.count; ++r) {
    float* drive = s.drive[r];
    call.k.bound(kDriveLimit, drive, n);
    for (int i = 0; i < n; ++i) drive[i] = static_cast<float>(b.drive_gain) * drive[i] + b.offset[i];
  }
}

void advance(const Recursion& b, const BlockCall& call, int first, int count) {
  if (b.flat()) return advance_flat(b, call, first, count);
  for (int r = first; r < first + count; ++r) advance_cells(b, call, r);
}

void read(const Recursion& b, const BlockCall& call, int first, int count) {
  for (int r = first; r < first + count; ++r) {
    const float* h = call.rows[r].dense + b.slot.dense;
    if (b.flat()) {
      std::memcpy(call.out[r], h, sizeof(float) * static_cast<std::size_t>(padded(b.hidden)));
    } else {
      read_cells(b, h, cell_scratch(b, call.scratch), call.out[r]);
      for (int i = b.width; i < call.out.stride; ++i) call.out[r][i] = 0;
    }
  }
}

void finish(const Recursion&, const BlockCall&) {}

void charge(const Recursion& b, const BlockCall& call) {
  call.report.macs += call.u.count * (b.drive_macs() + b.readout_macs()) + call.report.depth * b.iteration_macs();
}

}  // namespace elastane
