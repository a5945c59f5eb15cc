// Policy iteration to its end on the cells whose values change. Costs grow with their number, not with the map.
//
// A cell keeps its value if its residual is 0 and a cell that it can best move to keeps its own. The others are taken away,
// and their values follow from the cells outside, the largest first; cells outside that reach more by this join in.
#include <algorithm>
#include <cmath>

#include "lab/maze/map_latent.h"

namespace elastane::maze {
namespace {

constexpr double kTie = 1e-12;  // relative, of values along paths of the same length

}  // namespace

// where the move of a cell leads
std::size_t MapLatent::after(std::size_t c) const {
  const Cell step = kMoveSteps[static_cast<std::size_t>(move_[c])];
  return static_cast<std::size_t>(static_cast<int>(c) + step.y * stride_ + step.x);
}

// the straight move that leads to the next cell of a search
int MapLatent::move_of(std::size_t c) const {
  const int apart = next_[c] - static_cast<int>(c);
  return apart == 1 ? 0 : apart == stride_ ? 1 : apart == -1 ? 2 : 3;
}

// the best move of a cell, and its residual
void MapLatent::look(std::size_t c) {
  const bool moves = free_[c] > 0 && c != goal_;
  move_[c] = static_cast<std::int8_t>(moves ? best_move(z_.data(), c) : kStay);
  list(c, residual_of(z_.data(), c));
  local_.macs += move_count(moves_);
}

void MapLatent::choose_all_moves() {
  if (has_moves_) return;
  has_moves_ = true;
  for (int c = 0; c < cells_; ++c) {
    const auto i = static_cast<std::size_t>(c);
    move_[i] = static_cast<std::int8_t>(free_[i] > 0 && i != goal_ ? best_move(z_.data(), i) : kStay);
  }
  local_.macs += std::int64_t{cells_} * move_count(moves_);
}

// the objective over what is not 0
double MapLatent::listed_loss(const Objective& objective) {
  listed_.clear();
  for (const int c : unsettled_) listed_.push_back(residual_[static_cast<std::size_t>(c)]);
  for (const double seen : occupancy_in_view()) listed_.push_back(seen);
  local_.macs += static_cast<std::int64_t>(listed_.size());
  return objective.value(listed_);
}

// κ = ‖y‖² in the objective's weights, and ‖g‖² with g = (I − γP)ᵀ∇ℓ
void MapLatent::score_locally(const Objective& objective) {
  local_.kappa = 2 * listed_loss(objective);
  const std::span<double> weighed = std::span(weighed_).first(listed_.size());
  objective.gradient(listed_, weighed);
  double squares = 0;
  for (std::size_t i = 0; i < unsettled_.size(); ++i) {
    const auto c = static_cast<std::size_t>(unsettled_[i]);
    pulled_[c] += weighed[i];
    if (move_[c] != kStay) pulled_[after(c)] -= discount(move_[c]) * weighed[i];
  }
  const auto take = [&](std::size_t c) {
    squares += pulled_[c] * pulled_[c];
    pulled_[c] = 0;
  };
  for (const int c : unsettled_) {
    const auto i = static_cast<std::size_t>(c);
    take(i);
    if (move_[i] != kStay) take(after(i));
  }
  for (std::size_t i = unsettled_.size(); i < weighed.size(); ++i) squares += weighed[i] * weighed[i];
  local_.gradient_squares = squares;
  local_.macs += 4 * std::int64_t{unsettled()};
}

void MapLatent::touch(std::size_t c) {
  if (touched_[c] != 0) return;
  touched_[c] = 1;
  affected_.push_back(static_cast<int>(c));
  before_.push_back(z_[c]);
}

// Can a cell that keeps its neighbours' values keep its own by another move, which leads to none of the affected cells?
// Moves are best ones, and many cells have two
bool MapLatent::sidesteps(std::size_t c) {
  local_.macs += move_count(moves_);
  for (int move = 0; move < move_count(moves_); ++move) {
    const Cell step = kMoveSteps[static_cast<std::size_t>(move)];
    const auto to = static_cast<std::size_t>(static_cast<int>(c) + step.y * stride_ + step.x);
    const double open = move < 4 ? free_[to] : corner_[static_cast<std::size_t>(move - 4) * free_.size() + c];
    if (touched_[to] != 0 || open == 0 || std::fabs(discount(move) * z_[to] - z_[c]) > kTie * z_[c]) continue;
    move_[c] = static_cast<std::int8_t>(move);
    return true;
  }
  return false;
}

// the unsettled cells, and all whose best paths lead through them
void MapLatent::gather_affected() {
  affected_.clear();
  before_.clear();
  frontier_value_ = 0;
  for (const int c : unsettled_) {
    const auto i = static_cast<std::size_t>(c);
    touch(i);
    if (z_[i] > 0 || move_[i] == kStay) continue;
    frontier_value_ = std::max(frontier_value_, discount(move_[i]) * z_[after(i)]);
  }
  for (std::size_t i = 0; i < affected_.size(); ++i) {
    for (int move = 0; move < move_count(moves_); ++move) {
      const Cell step = kMoveSteps[static_cast<std::size_t>(move)];
      const auto from = static_cast<std::size_t>(affected_[i] + step.y * stride_ + step.x);
      if (move_[from] != opposite(move) || touched_[from] != 0) continue;
      if (!(z_[from] > 0) || !sidesteps(from)) touch(from);
    }
  }
  local_.macs += static_cast<std::int64_t>(affected_.size()) * move_count(moves_);
}

// the best that each affected cell can reach by one move to a cell outside
void MapLatent::seed_affected() {
  seeds_.clear();
  for (const int each : affected_) {
    const auto c = static_cast<std::size_t>(each);
    z_[c] = c == goal_ ? 1 : 0;
    move_[c] = kStay;
    for (int move = 0; move < move_count(moves_) && c != goal_ && free_[c] > 0; ++move) {
      const Cell step = kMoveSteps[static_cast<std::size_t>(move)];
      const auto to = static_cast<std::size_t>(each + step.y * stride_ + step.x);
      const double open = move < 4 ? free_[to] : corner_[static_cast<std::size_t>(move - 4) * free_.size() + c];
      const double value = touched_[to] != 0 ? 0 : open * discount(move) * z_[to];
      if (value > z_[c]) z_[c] = value, move_[c] = static_cast<std::int8_t>(move);
    }
    if (z_[c] > 0) seeds_.push_back({z_[c], each});
  }
  std::ranges::sort(seeds_, [](const Reached& a, const Reached& b) { return a.value > b.value; });
  local_.macs += static_cast<std::int64_t>(affected_.size()) * move_count(moves_);
}

// The neighbours of a cell that reach more through it than they have
void MapLatent::relax(std::size_t c) {
  local_.macs += move_count(moves_);
  for (int move = 0; move < move_count(moves_); ++move) {
    const Cell step = kMoveSteps[static_cast<std::size_t>(move)];
    const auto from = static_cast<std::size_t>(static_cast<int>(c) + step.y * stride_ + step.x);
    const bool open = move < 4 ? free_[from] > 0 : corner_[static_cast<std::size_t>(move - 4) * free_.size() + c] > 0;
    const double value = discount(move) * z_[c];
    if (!open || from == goal_ || !(value > z_[from] * (1 + kTie))) continue;
    touch(from);
    z_[from] = value;
    move_[from] = static_cast<std::int8_t>(opposite(move));
    (move < 4 ? straight_ : diagonal_).push_back({value, static_cast<int>(from)});
  }
}

// From the largest value downwards (Dijkstra 1959, as in LPA*, Koenig and Likhachev 2002). What comes by straight moves
// is in order by itself, and so is what comes by diagonals, so three lists take the place of a heap
void MapLatent::spread() {
  straight_.clear();
  diagonal_.clear();
  std::size_t at[3] = {0, 0, 0};
  const std::vector<Reached>* lists[3] = {&seeds_, &straight_, &diagonal_};
  for (;;) {
    int from = -1;
    double most = 0;
    for (int k = 0; k < 3; ++k) {
      if (at[k] >= lists[k]->size() || !((*lists[k])[at[k]].value > most)) continue;
      from = k;
      most = (*lists[k])[at[k]].value;
    }
    if (from < 0) return;
    const Reached next = (*lists[from])[at[from]++];
    const auto c = static_cast<std::size_t>(next.cell);
    if (next.value == z_[c]) relax(c);  // otherwise it has reached more since
  }
}

LocalStep MapLatent::step_locally(const Objective& objective) {
  local_ = {};
  choose_all_moves();
  score_locally(objective);
  gather_affected();
  seed_affected();
  spread();
  for (const int c : affected_) {
    touched_[static_cast<std::size_t>(c)] = 0;
    list(static_cast<std::size_t>(c), 0);
  }
  // W is diagonal, so each cell in view takes the observed value
  for (std::size_t k = 0; k < kViewCells; ++k) {
    double& seen = z_[static_cast<std::size_t>(cells_) + k];
    view_before_[k] = seen;
    if (view_[k] != CellState::hidden) seen = view_[k] == CellState::wall ? 1 : 0;
  }
  local_.loss = known_.loss = listed_loss(objective);
  local_.settled = known_.loss == 0;
  known_.moved = 0;
  return local_;
}

std::int64_t MapLatent::step_back() {
  local_ = {};
  for (std::size_t i = 0; i < affected_.size(); ++i) z_[static_cast<std::size_t>(affected_[i])] = before_[i];
  std::ranges::copy(view_before_, z_.begin() + cells_);
  for (const int c : affected_) {
    look(static_cast<std::size_t>(c));
    for (int move = 0; move < move_count(moves_); ++move) {
      const Cell step = kMoveSteps[static_cast<std::size_t>(move)];
      const auto beside = static_cast<std::size_t>(c + step.y * stride_ + step.x);
      if (free_[beside] > 0) look(beside);
    }
  }
  return local_.macs;
}

}  // namespace elastane::maze
