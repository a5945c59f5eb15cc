#include "lab/peptide/detour_agent.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lab/protein_chain/ramachandran.h"

namespace elastane::peptide {
namespace {

constexpr int kNear = 4;  // steps: the residue is already in a basin this near
constexpr MoveOptions kSettling = {.limit = 0.5, .smoothness = 0.01};  // how far the others may settle, in one move
constexpr double kMoveLimit = MoveOptions{}.limit;

std::size_t phi_of(int residue) { return static_cast<std::size_t>(2 * residue - 1); }

}  // namespace

DetourAgent::DetourAgent(std::unique_ptr<Agent> inner, const DetourOptions& options)
    : inner_(std::move(inner)), options_(options), settling_(options.settling), turning_(options.turning) {
  detours_.reserve(kMaxResidues * 8);
}

void DetourAgent::begin(const Energy& energy) {
  inner_->begin(energy);
  energy_ = &energy;
  settled_.emplace(energy, kSettling);
  turned_.emplace(energy);
  set_contact({});
}

// a new contact: every residue between the two may turn into each of its basins
void DetourAgent::set_contact(const Contact& contact) {
  contact_ = contact;
  still_ = elapsed_ = turning_left_ = 0;
  searching_ = false;
  detours_.clear();
  if (!contact.is_requested()) return;
  const Chain& chain = energy_->chain();
  for (int i = std::max(1, contact.i); i <= std::min(chain.residues() - 2, contact.j); ++i) {
    for (const Pair& to : basins(chain.sequence().classes[static_cast<std::size_t>(i)])) {
      detours_.push_back({i, to.phi, to.psi});
    }
  }
}

bool DetourAgent::is_met(std::span<const double> observed) {
  energy_->chain().place(observed, there_);
  return energy_->contact_distance(there_, contact_) <= kContact && energy_->disallowed(there_) == 0 &&
         energy_->clashes(there_) == 0;
}

bool DetourAgent::is_stuck(std::span<const double> observed, std::span<const float> y) {
  if (is_met(observed)) {
    still_ = elapsed_ = 0;
    return false;
  }
  float longest = 0;
  for (const float move : y.first(static_cast<std::size_t>(energy_->chain().torsions()))) {
    longest = std::max(longest, std::fabs(move));
  }
  still_ = longest < options_.still ? still_ + 1 : 0;
  ++elapsed_;
  return still_ >= options_.patience || elapsed_ >= options_.longest;
}

int DetourAgent::steps_to(std::span<const double> observed, const Detour& detour) const {
  const std::size_t phi = phi_of(detour.residue);
  const double far =
      std::max(std::fabs(wrapped(detour.phi - observed[phi])), std::fabs(wrapped(detour.psi - observed[phi + 1])));
  return static_cast<int>(std::ceil(far / kMoveLimit));
}

// the energy with that residue there and the others settled, plus the price of the steps to get there
double DetourAgent::price(std::span<const double> observed, const Detour& detour) {
  Torsions at = {}, y = {};
  std::copy_n(observed.begin(), energy_->chain().torsions(), at.begin());
  at[phi_of(detour.residue)] = detour.phi;
  at[phi_of(detour.residue) + 1] = detour.psi;
  settled_->set_start(at, contact_);
  const LevenbergReport done = settling_.improve(*settled_, y);
  report_.macs += static_cast<double>(Levenberg::macs(energy_->chain().torsions()) * done.tried);
  return done.value + options_.step_price * steps_to(observed, detour);
}

// evaluates a few more basins; after the last one, the turn to the best begins
void DetourAgent::search(std::span<const double> observed) {
  for (int tried = 0; tried < options_.candidates && next_ < detours_.size(); ++next_) {
    Detour& detour = detours_[next_];
    if (detour.tried || steps_to(observed, detour) <= kNear) continue;
    ++tried;
    if (const double found = price(observed, detour); found < best_price_) best_price_ = found, best_ = &detour;
  }
  if (next_ < detours_.size()) return;
  searching_ = false;
  still_ = elapsed_ = 0;
  if (!best_) return;
  best_->tried = true;
  turning_left_ = steps_to(observed, *best_);
}

// one step of the detour: the residue turns, the others follow the energy
void DetourAgent::turn(std::span<const double> observed, std::span<float> y) {
  const std::size_t phi = phi_of(best_->residue);
  const auto towards = [&](double goal, double from) {
    return std::clamp(wrapped(goal - from) / kMoveLimit, -1.0, 1.0);
  };
  const Turn turn{best_->residue, towards(best_->phi, observed[phi]), towards(best_->psi, observed[phi + 1])};
  Torsions move = {};
  move[phi] = turn.phi, move[phi + 1] = turn.psi;
  turned_->set_start(observed, contact_, turn);
  const LevenbergReport done = turning_.improve(*turned_, move);
  for (std::size_t t = 0; t < move.size(); ++t) y[t] = static_cast<float>(move[t]);
  report_.macs += static_cast<double>(Levenberg::macs(energy_->chain().torsions()) * done.tried);
  --turning_left_;
}

void DetourAgent::act(std::span<const float> x, std::span<const double> observed, const Contact& contact,
                      std::span<float> y) {
  if (!(contact == contact_)) set_contact(contact);
  report_ = {};
  if (searching_) {
    std::fill(y.begin(), y.end(), 0.0F);
    search(observed);
  } else if (turning_left_ > 0) {
    turn(observed, y);
  } else {
    inner_->act(x, observed, contact, y);
    report_ = inner_->report();
    if (contact.is_requested() && is_stuck(observed, y)) {
      searching_ = true;
      next_ = 0, best_ = nullptr, best_price_ = std::numeric_limits<double>::infinity();
    }
  }
}

}  // namespace elastane::peptide
