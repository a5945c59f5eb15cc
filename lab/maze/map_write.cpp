// The map at the start of an episode, and its selective recurrence, which changes only the cells in view.
#include <algorithm>
#include <cmath>

#include "lab/maze/map_latent.h"

namespace elastane::maze {
namespace {

constexpr double kMaxSurprise = 4;  // surprise saturates at this many cells
// lower bound for the value of the farthest cell of a plan; squares of much smaller values underflow
constexpr double kSmallestPlanValue = 1e-100;

}  // namespace

MapLatent::MapLatent(int width, int height, Moves moves, const MapOptions& options)
    : options_(options),
      width_(width),
      height_(height),
      stride_(width + 2),
      cells_((width + 2) * (height + 2)),
      moves_(moves) {
  const auto n = static_cast<std::size_t>(cells_);
  z_.resize(n + kViewCells);
  for (auto* each : {&occupancy_, &trace_, &free_, &rate_, &policy_value_, &residual_, &pulled_}) each->resize(n);
  move_.resize(n, kStay);
  touched_.resize(n);
  affected_.reserve(n);
  before_.reserve(n);
  for (auto* each : {&seeds_, &straight_, &diagonal_}) each->reserve(n);
  listed_.reserve(n + kViewCells);
  weighed_.resize(n + kViewCells);
  for (auto* each : {&next_, &queue_, &steps_, &listed_at_}) each->resize(n);
  unsettled_.reserve(n);
  changed_.reserve(kViewCells);
  corner_.resize(moves == Moves::eight ? 4 * n : 0);
  set_discount(options.discount);
}

void MapLatent::begin(const Grid& plan, Cell goal) {
  goal_ = at(goal);
  for (auto* each : {&z_, &trace_, &free_, &corner_}) std::ranges::fill(*each, 0.0);
  std::ranges::fill(occupancy_, 1.0);
  for (int i = 0; i < plan.cells(); ++i) {
    if (plan.is_wall(i)) continue;
    occupancy_[at(plan.cell(i))] = 0;
    set_free(at(plan.cell(i)), true);
  }
  z_[goal_] = 1;
  set_discount(std::max(options_.discount, std::pow(kSmallestPlanValue, 1.0 / std::max(1, farthest_in_moves()))));
  frontier_value_ = 0;
  known_ = {};
  searched_ = queued_;
  if (moves_ == Moves::four) return plan_distances();
  // With a value at the goal only, one step of policy iteration reaches the whole plan. Diagonals take some more, since
  // neighbours are attached as if all moves had the same length.
  for (int step = 0; step < plan_steps(); ++step) {
    point_ = z_;
    has_policy_ = false;
    evaluate_policy();
    std::ranges::copy(policy_value_, z_.begin());
  }
  std::vector<double> y(z_.size());
  output(z_, y);
  take_stock(y);
}

// all moves have the same length, so the search that found the farthest cell has found every value, u = γ^d, and the best
// move of every cell: no residual is left
void MapLatent::plan_distances() {
  std::ranges::fill(move_, static_cast<std::int8_t>(kStay));
  for (int i = 1; i < queued_; ++i) {
    const auto c = static_cast<std::size_t>(queue_[static_cast<std::size_t>(i)]);
    z_[c] = z_[static_cast<std::size_t>(next_[c])] * discount_;
    move_[c] = static_cast<std::int8_t>(move_of(c));
  }
  std::ranges::fill(residual_, 0.0);
  std::ranges::fill(listed_at_, -1);
  unsettled_.clear();
  has_moves_ = stocked_ = true;
}

// A search from the goal, which looks at all neighbours of what it reaches, and its values. With diagonals also steps of
// policy iteration, then a look at every cell
std::int64_t MapLatent::begin_macs() const {
  const std::int64_t search = std::int64_t{searched_} * move_count(moves_);
  return search + (moves_ == Moves::four ? searched_ : plan_steps() * cost().solve + cost().read);
}

void MapLatent::take_stock(std::span<const double> y) {
  unsettled_.clear();
  std::ranges::fill(listed_at_, -1);
  for (int c = 0; c < cells_; ++c) list(static_cast<std::size_t>(c), y[static_cast<std::size_t>(c)]);
  stocked_ = true;
  has_moves_ = false;
}

// keeps the residual of one cell, and the cell on the list if it is not 0
void MapLatent::list(std::size_t c, double residual) {
  residual_[c] = residual;
  const int at = listed_at_[c];
  if (residual_[c] != 0 && at < 0) {
    listed_at_[c] = static_cast<int>(unsettled_.size());
    unsettled_.push_back(static_cast<int>(c));
  } else if (residual_[c] == 0 && at >= 0) {
    listed_at_[static_cast<std::size_t>(unsettled_.back())] = at;
    unsettled_[static_cast<std::size_t>(at)] = unsettled_.back();
    unsettled_.pop_back();
    listed_at_[c] = -1;
  }
}

void MapLatent::look_around(std::size_t c) {
  const int x = static_cast<int>(c) % stride_, y = static_cast<int>(c) / stride_;
  for (int row = std::max(1, y - 1); row <= std::min(height_, y + 1); ++row) {
    for (int col = std::max(1, x - 1); col <= std::min(width_, x + 1); ++col) {
      const auto cell = static_cast<std::size_t>(row * stride_ + col);
      look(cell);
      known_.macs += move_count(moves_);
    }
  }
}

void MapLatent::set_discount(double discount) {
  discount_ = discount;
  diagonal_discount_ = std::pow(discount, move_length(4));
}

// number of moves from the farthest cell to the goal
int MapLatent::farthest_in_moves() {
  std::ranges::fill(steps_, -1);
  steps_[goal_] = 0;
  queue_[0] = static_cast<int>(goal_);
  int farthest = 0;
  queued_ = 1;
  for (int first = 0; first < queued_; ++first) {
    const int c = queue_[static_cast<std::size_t>(first)];
    farthest = steps_[static_cast<std::size_t>(c)];
    for (int move = 0; move < move_count(moves_); ++move) {
      const Cell step = kMoveSteps[static_cast<std::size_t>(move)];
      const auto from = static_cast<std::size_t>(c + step.y * stride_ + step.x);
      const bool open = move < 4 ? free_[from] > 0 : corner_[static_cast<std::size_t>((move - 4) * cells_ + c)] > 0;
      if (!open || steps_[from] >= 0) continue;
      steps_[from] = farthest + 1;
      next_[from] = c;
      queue_[static_cast<std::size_t>(queued_++)] = static_cast<int>(from);
    }
  }
  return farthest;
}

void MapLatent::write(const Observation& observation) {
  position_ = observation.position;
  view_ = observation.view;
  const int planned = best_move(z_.data(), at(position_));
  double surprise = 0;
  known_ = {};
  changed_.clear();
  for (std::size_t k = 0; k < kViewCells; ++k) {
    const std::size_t c = at(position_ + view_step(static_cast<int>(k)));
    double& wall = occupancy_[c];
    if (view_[k] != CellState::hidden) {
      const double error = (view_[k] == CellState::wall ? 1.0 : 0.0) - wall;
      surprise += std::fabs(error);
      wall += options_.write * error;
      const bool free = wall < 0.5;
      const bool turned = free != (free_[c] > 0);
      if (turned) set_free(c, free);
      if (turned || (!free && z_[c] != 0)) changed_.push_back(static_cast<int>(c));
      if (!free) {
        known_.moved += z_[c] * z_[c];
        z_[c] = 0;
      }
    }
    double& seen = z_[static_cast<std::size_t>(cells_) + k];
    known_.moved += (wall - seen) * (wall - seen);
    seen = wall;
  }
  for (const int c : changed_) look_around(static_cast<std::size_t>(c));
  known_.macs += unsettled();
  trace_[at(position_)] += 1;

  const double here = z_[at(position_)];
  const int best = best_move(z_.data(), at(position_));
  const double there =
      best == kStay ? 0 : discount(best) * value(position_ + kMoveSteps[static_cast<std::size_t>(best)]);
  const double lost = at(position_) == goal_ || !(here > 0) ? 0 : std::clamp((here - there) / here, -1.0, 1.0);
  gate_features_ = {std::min(surprise, kMaxSurprise), planned != kStay && !can_move(position_, planned) ? 1.0 : 0.0,
                    here > 0 ? 0.0 : 1.0, lost};
}

void MapLatent::commit() {
  for (std::size_t k = 0; k < kViewCells; ++k) {
    const std::size_t c = at(position_ + view_step(static_cast<int>(k)));
    occupancy_[c] = z_[static_cast<std::size_t>(cells_) + k];
  }
}

void MapLatent::set_free(std::size_t c, bool free) {
  free_[c] = free ? 1 : 0;
  if (moves_ == Moves::four) return;
  // diagonals from this cell and from its neighbours
  for (int y = -1; y <= 1; ++y) {
    for (int x = -1; x <= 1; ++x) {
      const int from = static_cast<int>(c) + y * stride_ + x;
      for (int k = 0; k < 4; ++k) {
        const Cell step = kMoveSteps[static_cast<std::size_t>(4 + k)];
        const auto is_open = [&](int dx, int dy) {
          const int to = from + dy * stride_ + dx;
          return to >= 0 && to < cells_ && free_[static_cast<std::size_t>(to)] > 0;
        };
        if (from < 0 || from >= cells_) continue;
        corner_[static_cast<std::size_t>(k * cells_ + from)] =
            is_open(step.x, step.y) && is_open(step.x, 0) && is_open(0, step.y) ? 1 : 0;
      }
    }
  }
}

bool MapLatent::can_move(Cell from, int move) const {
  if (move >= 4) return corner_[static_cast<std::size_t>(move - 4) * free_.size() + at(from)] > 0;
  return is_free(from + kMoveSteps[static_cast<std::size_t>(move)]);
}
}  // namespace elastane::maze
