#include "lab/maze/expert.h"

namespace elastane::maze {

void Expert::begin(const Episode& episode) {
  plan_ = belief_ = episode.plan;
  moves_ = episode.moves;
  at_ = episode.start, goal_ = episode.goal;
  expansions_ = 0;
  search();
}

void Expert::search() {
  distances_ = distances_to(belief_, goal_, moves_);
  for (const double length : distances_) expansions_ += length < kUnreachable ? 1 : 0;
}

void Expert::observe(const Observation& observation) {
  at_ = observation.position;
  if (update_belief(observation)) search();
  if (distances_[static_cast<std::size_t>(belief_.index(at_))] < kUnreachable) return;
  // no path is left in its belief although one exists: something that it saw earlier must have changed
  belief_ = plan_;
  update_belief(observation);
  search();
}

bool Expert::update_belief(const Observation& observation) {
  bool changed = false;
  for (int k = 0; k < kViewCells; ++k) {
    const CellState seen = observation.view[static_cast<std::size_t>(k)];
    const Cell c = observation.position + view_step(k);
    if (seen == CellState::hidden || !belief_.has(c) || belief_.is_wall(c) == (seen == CellState::wall)) continue;
    belief_.set_wall(c, seen == CellState::wall);
    changed = true;
  }
  return changed;
}

Expert::Shares Expert::shares() const {
  constexpr double kSame = 1e-9;  // sums of √2 differ in the last digits
  Shares shares = {};
  double best = kUnreachable;
  std::array<double, kMaxMoves> lengths;
  lengths.fill(kUnreachable);
  for (int move = 0; move < move_count(moves_); ++move) {
    if (!belief_.can_move(at_, move)) continue;
    const Cell next = at_ + kMoveSteps[static_cast<std::size_t>(move)];
    double& length = lengths[static_cast<std::size_t>(move)];
    length = move_length(move) + distances_[static_cast<std::size_t>(belief_.index(next))];
    best = std::min(best, length);
  }
  double count = 0;
  for (const double length : lengths) count += length < best + kSame ? 1 : 0;
  for (std::size_t move = 0; move < shares.size(); ++move) {
    shares[move] = lengths[move] < best + kSame ? 1 / count : 0;
  }
  return shares;
}

int Expert::act() const {
  const Shares all = shares();
  for (int move = 0; move < kMaxMoves; ++move) {
    if (all[static_cast<std::size_t>(move)] > 0) return move;
  }
  return kStay;
}

}  // namespace elastane::maze
