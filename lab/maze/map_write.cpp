// The map at the start of an episode, and its selective recurrence, which changes only the cells in view.
#include <algorithm>
#include <bit>
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
      doublings_(std::bit_width(static_cast<unsigned>(width * height))),  // no path is longer than the number of cells
      moves_(moves) {
  const auto n = static_cast<std::size_t>(cells_);
  z_.resize(n + kViewCells);
  for (auto* each : {&occupancy_, &trace_, &free_, &rate_, &policy_value_}) each->resize(n);
  for (auto* each : {&next_, &queue_, &jump_}) each->resize(n);
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
  // With a value at the goal only, one step of policy iteration reaches the whole plan. Diagonals take some more, since
  // neighbours are attached as if all moves had the same length.
  for (int step = 0; step < plan_steps(); ++step) {
    point_ = z_;
    has_policy_ = false;
    evaluate_policy();
    std::ranges::copy(policy_value_, z_.begin());
  }
  frontier_value_ = 0;
}

void MapLatent::set_discount(double discount) {
  discount_ = discount;
  diagonal_discount_ = std::pow(discount, move_length(4));
}

// number of moves from the farthest cell to the goal
int MapLatent::farthest_in_moves() {
  std::ranges::fill(jump_, -1);  // number of moves from each cell
  jump_[goal_] = 0;
  queue_[0] = static_cast<int>(goal_);
  int farthest = 0;
  for (int first = 0, last = 1; first < last; ++first) {
    const int c = queue_[static_cast<std::size_t>(first)];
    farthest = jump_[static_cast<std::size_t>(c)];
    for (int move = 0; move < move_count(moves_); ++move) {
      const Cell step = kMoveSteps[static_cast<std::size_t>(move)];
      const auto from = static_cast<std::size_t>(c + step.y * stride_ + step.x);
      const bool open = move < 4 ? free_[from] > 0 : corner_[static_cast<std::size_t>((move - 4) * cells_ + c)] > 0;
      if (!open || jump_[from] >= 0) continue;
      jump_[from] = farthest + 1;
      queue_[static_cast<std::size_t>(last++)] = static_cast<int>(from);
    }
  }
  return farthest;
}

void MapLatent::write(const Observation& observation) {
  position_ = observation.position;
  view_ = observation.view;
  const int planned = best_move(z_.data(), at(position_));
  double surprise = 0;
  for (std::size_t k = 0; k < kViewCells; ++k) {
    const std::size_t c = at(position_ + view_step(static_cast<int>(k)));
    double& wall = occupancy_[c];
    if (view_[k] != CellState::hidden) {
      const double error = (view_[k] == CellState::wall ? 1.0 : 0.0) - wall;
      surprise += std::fabs(error);
      wall += options_.write * error;
      const bool free = wall < 0.5;
      if (free != (free_[c] > 0)) set_free(c, free);
      if (!free) z_[c] = 0;
    }
    z_[static_cast<std::size_t>(cells_) + k] = wall;
  }
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
