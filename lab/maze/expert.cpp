#include "lab/maze/expert.h"

namespace elastane::maze {

void Replanner::begin(const Task& task) {
  plan_ = belief_ = task.plan;
  moves_ = task.moves;
  at_ = task.start, goal_ = task.goal;
  lengths_ = lengths_to(belief_, goal_, moves_);
}

void Replanner::see(const Sight& sight) {
  at_ = sight.position;
  if (believe(sight)) lengths_ = lengths_to(belief_, goal_, moves_);
  if (lengths_[static_cast<std::size_t>(belief_.index(at_))] < kNoWay) return;
  // no way is left in what it believes, though there is one: what it saw earlier must have changed
  belief_ = plan_;
  believe(sight);
  lengths_ = lengths_to(belief_, goal_, moves_);
}

bool Replanner::believe(const Sight& sight) {
  bool changed = false;
  for (int k = 0; k < kViewCells; ++k) {
    const Seen seen = sight.view[static_cast<std::size_t>(k)];
    const Cell c = sight.position + view_step(k);
    if (seen == Seen::hidden || !belief_.has(c) || belief_.is_wall(c) == (seen == Seen::wall)) continue;
    belief_.set_wall(c, seen == Seen::wall);
    changed = true;
  }
  return changed;
}

Replanner::Shares Replanner::shares() const {
  constexpr double kSame = 1e-9;  // lengths add up √2 in another order
  Shares shares = {};
  double best = kNoWay;
  std::array<double, kMostWays> lengths;
  lengths.fill(kNoWay);
  for (int way = 0; way < way_count(moves_); ++way) {
    if (!belief_.can_move(at_, way)) continue;
    const Cell next = at_ + kWays[static_cast<std::size_t>(way)];
    double& length = lengths[static_cast<std::size_t>(way)];
    length = way_length(way) + lengths_[static_cast<std::size_t>(belief_.index(next))];
    best = std::min(best, length);
  }
  double count = 0;
  for (const double length : lengths) count += length < best + kSame ? 1 : 0;
  for (std::size_t way = 0; way < shares.size(); ++way) {
    shares[way] = lengths[way] < best + kSame ? 1 / count : 0;
  }
  return shares;
}

int Replanner::act() const {
  const Shares all = shares();
  for (int way = 0; way < kMostWays; ++way) {
    if (all[static_cast<std::size_t>(way)] > 0) return way;
  }
  return kStay;
}

}  // namespace elastane::maze
