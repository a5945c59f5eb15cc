#include "lab/maze/map_latent.h"

#include <algorithm>
#include <cmath>

namespace elastane::maze {
namespace {

// a residual that is smaller against its value is rounding: near the goal values are so much larger than where the
// walker is that their rounding would outweigh all that matters to it
constexpr double kRounding = 1e-12;

}  // namespace

LatentCost MapLatent::cost() const {
  const std::int64_t n = cells_, moves = n * way_count(moves_);
  return {.read = moves + kViewCells,
          .jvp = n,
          .vjp = n,
          .solve = 2 * moves + 2 * n * doublings_ + n};  // choose, follow hope, double, subtract
}

void MapLatent::linearise(std::span<const double> z, std::span<double> y) {
  point_ = z;
  chosen_ = false;
  output(z, y);
}

void MapLatent::output(std::span<const double> z, std::span<double> y) {
  const double *u = z.data(), straight = discount_, diagonal = diagonal_discount_;
  std::copy_n(u, cells_, y.begin());
  for (int row = 1; row <= height_; ++row) {
    const int first = row * stride_ + 1;
    for (int c = first; c < first + width_; ++c) {
      double best = std::max(std::max(u[c - 1], u[c + 1]), std::max(u[c - stride_], u[c + stride_])) * straight;
      if (moves_ == Moves::eight) {
        for (int k = 0; k < 4; ++k) {
          const Cell step = kWays[static_cast<std::size_t>(4 + k)];
          const double open = corner_[static_cast<std::size_t>(k * cells_ + c)];
          best = std::max(best, diagonal * open * u[c + step.y * stride_ + step.x]);
        }
      }
      const double wrong = u[c] - free_[static_cast<std::size_t>(c)] * best;  // u_c − γ max u_n
      y[static_cast<std::size_t>(c)] = std::fabs(wrong) <= kRounding * u[c] ? 0 : wrong;
    }
  }
  y[goal_] = u[goal_] - 1;
  std::copy_n(u + cells_, kViewCells, y.begin() + cells_);
}

int MapLatent::best_move(const double* u, std::size_t c) const {
  int best = kStay;
  double most = 0;
  for (int way = 0; way < way_count(moves_); ++way) {
    const Cell step = kWays[static_cast<std::size_t>(way)];
    const auto to = static_cast<std::size_t>(static_cast<int>(c) + step.y * stride_ + step.x);
    const double open = way < 4 ? free_[to] : corner_[static_cast<std::size_t>(way - 4) * free_.size() + c];
    const double worth = open * discount(way) * u[to];
    if (worth > most) most = worth, best = way;
  }
  return best;
}

// P at the point
void MapLatent::choose() {
  if (chosen_) return;
  chosen_ = true;
  constexpr double kHopeless = -1;  // a rate, until somebody says where to go
  queued_ = 0;
  new_hope_ = 0;
  for (int c = 0; c < cells_; ++c) {
    const auto i = static_cast<std::size_t>(c);
    next_[i] = c;
    rate_[i] = 0;
    if (free_[i] == 0 || i == goal_) continue;
    const int way = best_move(point_.data(), i);
    if (way == kStay) {
      rate_[i] = kHopeless;
      continue;
    }
    const Cell step = kWays[static_cast<std::size_t>(way)];
    next_[i] = c + step.y * stride_ + step.x;
    rate_[i] = discount(way);
    if (point_[i] > 0) continue;
    new_hope_ = std::max(new_hope_, rate_[i] * point_[static_cast<std::size_t>(next_[i])]);
    queue_[static_cast<std::size_t>(queued_++)] = c;
  }
  for (int first = 0; first < queued_; ++first) follow_hope(queue_[static_cast<std::size_t>(first)]);
  for (double& rate : rate_) rate = std::max(rate, 0.0);
}

// neighbours without hope go to one that has it
void MapLatent::follow_hope(int c) {
  for (int way = 0; way < way_count(moves_); ++way) {
    const Cell step = kWays[static_cast<std::size_t>(way)];
    const auto from = static_cast<std::size_t>(c + step.y * stride_ + step.x);
    if (rate_[from] >= 0) continue;
    if (way >= 4 && corner_[static_cast<std::size_t>((way - 4) * cells_ + c)] == 0) continue;
    next_[from] = c;
    rate_[from] = discount(way);
    queue_[static_cast<std::size_t>(queued_++)] = static_cast<int>(from);
  }
}

// what following P is worth, which solves (I − γP)u = 1 at the goal, 0 elsewhere
void MapLatent::evaluate() {
  choose();
  std::ranges::copy(next_, jump_.begin());
  std::ranges::copy(rate_, worth_.begin());
  worth_[goal_] = 1;
  for (int round = 0; round < doublings_; ++round) {
    for (std::size_t i = 0; i < jump_.size(); ++i) {
      // in place: who is doubled already is only further ahead
      const auto there = static_cast<std::size_t>(jump_[i]);
      worth_[i] *= worth_[there];
      jump_[i] = jump_[there];
    }
  }
  for (std::size_t i = 0; i < jump_.size(); ++i) {
    if (static_cast<std::size_t>(jump_[i]) != goal_) worth_[i] = 0;  // it goes round in a circle, or nowhere
  }
}

void MapLatent::jvp(ConstDoubleRows q, DoubleRows jq) {
  choose();
  for (int r = 0; r < q.count; ++r) {
    const double* in = q[r];
    double* out = jq[r];
    for (int c = 0; c < cells_; ++c) {
      const auto i = static_cast<std::size_t>(c);
      out[c] = in[c] - rate_[i] * in[next_[i]];  // (I − γP)q
    }
    std::copy_n(in + cells_, kViewCells, out + cells_);
  }
}

void MapLatent::vjp(ConstDoubleRows w, DoubleRows jtw) {
  choose();
  for (int r = 0; r < w.count; ++r) {
    const double* in = w[r];
    double* out = jtw[r];
    std::copy_n(in, latents(), out);
    for (int c = 0; c < cells_; ++c) {
      const auto i = static_cast<std::size_t>(c);
      out[next_[i]] -= rate_[i] * in[c];  // (I − γP)ᵀw
    }
  }
}

void MapLatent::second(std::span<const double> /*q*/, std::span<double> d2) { std::ranges::fill(d2, 0.0); }

// a map has no dynamics of its own
void MapLatent::roll(std::span<const double> z, DoubleRows y) {
  for (int h = 0; h < y.count; ++h) output(z, {y[h], static_cast<std::size_t>(outputs())});
}

void MapLatent::roll_tangent(std::span<const double> v, DoubleRows dy) {
  for (int h = 0; h < dy.count; ++h) jvp({v.data(), 1, 0}, {dy[h], 1, 0});
}

bool MapLatent::solve(const Objective& /*objective*/, std::span<const double> /*y*/,
                      std::span<const double> /*gradient*/, std::span<double> v) {
  evaluate();
  for (std::size_t i = 0; i < worth_.size(); ++i) v[i] = worth_[i] - point_[i];
  // W is diagonal, so that each cell in view goes to what it is seen to be
  for (std::size_t k = 0; k < kViewCells; ++k) {
    const std::size_t i = worth_.size() + k;
    v[i] = view_[k] == Seen::hidden ? 0 : (view_[k] == Seen::wall ? 1.0 : 0.0) - point_[i];
  }
  return true;
}

}  // namespace elastane::maze
