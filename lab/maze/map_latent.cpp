#include "lab/maze/map_latent.h"

#include <algorithm>
#include <cmath>

namespace elastane::maze {
namespace {

// A residual that is smaller relative to its value is rounding. Values near the goal are so much larger than at the
// agent that their rounding errors would outweigh the residuals that matter to it.
constexpr double kRounding = 1e-12;

}  // namespace

LatentCost MapLatent::cost() const {
  const std::int64_t n = cells_, moves = n * move_count(moves_);
  return {
      .read = moves + kViewCells, .jvp = n, .vjp = n, .solve = 3 * moves + n};  // choose, attach, evaluate, subtract
}

void MapLatent::linearise(std::span<const double> z, std::span<double> y) {
  point_ = z;
  has_policy_ = false;
  stocked_ = false;  // a caller that reads the map as a whole may change it; take_stock follows
  output(z, y);
}

// u_c − γ max u_n
double MapLatent::residual_of(const double* u, std::size_t c) const {
  if (c == goal_) return u[c] - 1;
  const auto stride = static_cast<std::size_t>(stride_);
  double best = std::max(std::max(u[c - 1], u[c + 1]), std::max(u[c - stride], u[c + stride])) * discount_;
  if (moves_ == Moves::eight) {
    for (std::size_t k = 0; k < 4; ++k) {
      const Cell step = kMoveSteps[4 + k];
      const auto to = static_cast<std::size_t>(static_cast<int>(c) + step.y * stride_ + step.x);
      best = std::max(best, diagonal_discount_ * corner_[k * free_.size() + c] * u[to]);
    }
  }
  const double residual = u[c] - free_[c] * best;
  return std::fabs(residual) <= kRounding * u[c] ? 0 : residual;
}

void MapLatent::output(std::span<const double> z, std::span<double> y) {
  const double* u = z.data();
  std::copy_n(u, cells_, y.begin());
  for (int row = 1; row <= height_; ++row) {
    const int first = row * stride_ + 1;
    for (int c = first; c < first + width_; ++c) {
      y[static_cast<std::size_t>(c)] = residual_of(u, static_cast<std::size_t>(c));
    }
  }
  std::copy_n(u + cells_, kViewCells, y.begin() + cells_);
}

bool MapLatent::known_point(const Objective& /*objective*/, KnownPoint& known) const {
  known = known_;
  known.settled = unsettled_.empty() && known_.loss == 0;
  return stocked_;
}

double MapLatent::residual_squares() const {
  double sum = 0;
  for (const int c : unsettled_) sum += residual_[static_cast<std::size_t>(c)] * residual_[static_cast<std::size_t>(c)];
  return sum;
}

int MapLatent::best_move(const double* u, std::size_t c) const {
  int best = kStay;
  double most = 0;
  for (int move = 0; move < move_count(moves_); ++move) {
    const Cell step = kMoveSteps[static_cast<std::size_t>(move)];
    const auto to = static_cast<std::size_t>(static_cast<int>(c) + step.y * stride_ + step.x);
    const double open = move < 4 ? free_[to] : corner_[static_cast<std::size_t>(move - 4) * free_.size() + c];
    const double value = open * discount(move) * u[to];
    if (value > most) most = value, best = move;
  }
  return best;
}

// P at the point
void MapLatent::choose_policy() {
  if (has_policy_) return;
  has_policy_ = true;
  constexpr double kNoMoveYet = -1;  // as a rate: no move has been chosen yet
  queued_ = 0;
  frontier_value_ = 0;
  for (int c = 0; c < cells_; ++c) {
    const auto i = static_cast<std::size_t>(c);
    next_[i] = c;
    rate_[i] = 0;
    if (free_[i] == 0 || i == goal_) continue;
    const int move = best_move(point_.data(), i);
    if (move == kStay) {
      rate_[i] = kNoMoveYet;
      continue;
    }
    const Cell step = kMoveSteps[static_cast<std::size_t>(move)];
    next_[i] = c + step.y * stride_ + step.x;
    rate_[i] = discount(move);
    if (point_[i] > 0) continue;
    frontier_value_ = std::max(frontier_value_, rate_[i] * point_[static_cast<std::size_t>(next_[i])]);
    queue_[static_cast<std::size_t>(queued_++)] = c;
  }
  for (int first = 0; first < queued_; ++first) attach_neighbours(queue_[static_cast<std::size_t>(first)]);
  for (double& rate : rate_) rate = std::max(rate, 0.0);
}

// neighbours without a move go to this cell
void MapLatent::attach_neighbours(int c) {
  for (int move = 0; move < move_count(moves_); ++move) {
    const Cell step = kMoveSteps[static_cast<std::size_t>(move)];
    const auto from = static_cast<std::size_t>(c + step.y * stride_ + step.x);
    if (rate_[from] >= 0) continue;
    if (move >= 4 && corner_[static_cast<std::size_t>((move - 4) * cells_ + c)] == 0) continue;
    next_[from] = c;
    rate_[from] = discount(move);
    queue_[static_cast<std::size_t>(queued_++)] = static_cast<int>(from);
  }
}

// the value of following P: it solves (I − γP)u = 1 at the goal, 0 elsewhere. From the goal backwards along P; cells
// whose moves end in a cycle, or nowhere, are never reached and have value 0
void MapLatent::evaluate_policy() {
  choose_policy();
  std::ranges::fill(policy_value_, 0.0);
  policy_value_[goal_] = 1;
  queue_[0] = static_cast<int>(goal_);
  for (int first = 0, last = 1; first < last; ++first) {
    const int c = queue_[static_cast<std::size_t>(first)];
    for (int move = 0; move < move_count(moves_); ++move) {
      const Cell step = kMoveSteps[static_cast<std::size_t>(move)];
      const auto from = static_cast<std::size_t>(c + step.y * stride_ + step.x);
      if (next_[from] != c || rate_[from] <= 0) continue;
      policy_value_[from] = rate_[from] * policy_value_[static_cast<std::size_t>(c)];
      queue_[static_cast<std::size_t>(last++)] = static_cast<int>(from);
    }
  }
}

void MapLatent::jvp(ConstDoubleRows q, DoubleRows jq) {
  choose_policy();
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
  choose_policy();
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

// a map has no dynamics
void MapLatent::roll(std::span<const double> z, DoubleRows y) {
  for (int h = 0; h < y.count; ++h) output(z, {y[h], static_cast<std::size_t>(outputs())});
}

void MapLatent::roll_tangent(std::span<const double> v, DoubleRows dy) {
  for (int h = 0; h < dy.count; ++h) jvp({v.data(), 1, 0}, {dy[h], 1, 0});
}

bool MapLatent::solve(const Objective& /*objective*/, std::span<const double> /*y*/,
                      std::span<const double> /*gradient*/, std::span<double> v) {
  evaluate_policy();
  for (std::size_t i = 0; i < policy_value_.size(); ++i) v[i] = policy_value_[i] - point_[i];
  // W is diagonal, so each cell in view takes the observed value
  for (std::size_t k = 0; k < kViewCells; ++k) {
    const std::size_t i = policy_value_.size() + k;
    v[i] = view_[k] == CellState::hidden ? 0 : (view_[k] == CellState::wall ? 1.0 : 0.0) - point_[i];
  }
  return true;
}

}  // namespace elastane::maze
