#include "lab/peptide/detour.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lab/protein_chain/ramachandran.h"

namespace elastane::peptide {
namespace {

constexpr int kNear = 4;                                               // steps: a basin that near is where it is
constexpr MoveOptions kSettling = {.limit = 0.5, .smoothness = 0.01};  // as far as others may settle, in one move
constexpr double kLimit = MoveOptions{}.limit;

std::size_t phi_of(int residue) { return static_cast<std::size_t>(2 * residue - 1); }

}  // namespace

DetourDriver::DetourDriver(std::unique_ptr<Driver> inner, const DetourOptions& options)
    : inner_(std::move(inner)), options_(options), settling_(options.settling), turning_(options.turning) {
  detours_.reserve(kMostResidues * 8);
}

void DetourDriver::begin(const Energy& energy) {
  inner_->begin(energy);
  energy_ = &energy;
  settled_.emplace(energy, kSettling);
  turned_.emplace(energy);
  ask({});
}

// another contact: every residue between those that should meet may turn into each of its basins
void DetourDriver::ask(const Contact& contact) {
  contact_ = contact;
  still_ = asked_ = turning_left_ = 0;
  looking_ = false;
  detours_.clear();
  if (!contact.is_asked()) return;
  const Chain& chain = energy_->chain();
  for (int i = std::max(1, contact.i); i <= std::min(chain.residues() - 2, contact.j); ++i) {
    for (const Pair& to : basins(chain.sequence().classes[static_cast<std::size_t>(i)])) {
      detours_.push_back({i, to.phi, to.psi});
    }
  }
}

bool DetourDriver::is_met(std::span<const double> observed) {
  energy_->chain().place(observed, there_);
  return energy_->contact_distance(there_, contact_) <= kContact && energy_->disallowed(there_) == 0 &&
         energy_->clashes(there_) == 0;
}

bool DetourDriver::is_stuck(std::span<const double> observed, std::span<const float> y) {
  if (is_met(observed)) {
    still_ = asked_ = 0;
    return false;
  }
  float longest = 0;
  for (const float move : y.first(static_cast<std::size_t>(energy_->chain().torsions()))) {
    longest = std::max(longest, std::fabs(move));
  }
  still_ = longest < options_.still ? still_ + 1 : 0;
  ++asked_;
  return still_ >= options_.patience || asked_ >= options_.longest;
}

int DetourDriver::steps_to(std::span<const double> observed, const Detour& detour) const {
  const std::size_t phi = phi_of(detour.residue);
  const double far =
      std::max(std::fabs(wrapped(detour.phi - observed[phi])), std::fabs(wrapped(detour.psi - observed[phi + 1])));
  return static_cast<int>(std::ceil(far / kLimit));
}

// the energy with that residue there and the others settled, and what it takes to get there
double DetourDriver::price(std::span<const double> observed, const Detour& detour) {
  Torsions at = {}, y = {};
  std::copy_n(observed.begin(), energy_->chain().torsions(), at.begin());
  at[phi_of(detour.residue)] = detour.phi;
  at[phi_of(detour.residue) + 1] = detour.psi;
  settled_->begin_at(at, contact_);
  const DescentReport done = settling_.improve(*settled_, y);
  report_.macs += static_cast<double>(Descent::macs(energy_->chain().torsions()) * done.tried);
  return done.value + options_.step_price * steps_to(observed, detour);
}

// some basins more; after the last one, off to the best
void DetourDriver::look(std::span<const double> observed) {
  for (int looks = 0; looks < options_.looks && next_ < detours_.size(); ++next_) {
    Detour& detour = detours_[next_];
    if (detour.tried || steps_to(observed, detour) <= kNear) continue;
    ++looks;
    if (const double found = price(observed, detour); found < best_price_) best_price_ = found, best_ = &detour;
  }
  if (next_ < detours_.size()) return;
  looking_ = false;
  still_ = asked_ = 0;
  if (!best_) return;
  best_->tried = true;
  turning_left_ = steps_to(observed, *best_);
}

// one step of the detour: that residue turns, the others do as the energy wants them then
void DetourDriver::turn(std::span<const double> observed, std::span<float> y) {
  const std::size_t phi = phi_of(best_->residue);
  const auto towards = [&](double goal, double from) { return std::clamp(wrapped(goal - from) / kLimit, -1.0, 1.0); };
  const Turn turn{best_->residue, towards(best_->phi, observed[phi]), towards(best_->psi, observed[phi + 1])};
  Torsions move = {};
  move[phi] = turn.phi, move[phi + 1] = turn.psi;
  turned_->begin_at(observed, contact_, turn);
  const DescentReport done = turning_.improve(*turned_, move);
  for (std::size_t t = 0; t < move.size(); ++t) y[t] = static_cast<float>(move[t]);
  report_.macs += static_cast<double>(Descent::macs(energy_->chain().torsions()) * done.tried);
  --turning_left_;
}

void DetourDriver::drive(std::span<const float> x, std::span<const double> observed, const Contact& contact,
                         std::span<float> y) {
  if (!(contact == contact_)) ask(contact);
  report_ = {};
  if (looking_) {
    std::fill(y.begin(), y.end(), 0.0F);
    look(observed);
  } else if (turning_left_ > 0) {
    turn(observed, y);
  } else {
    inner_->drive(x, observed, contact, y);
    report_ = inner_->report();
    if (contact.is_asked() && is_stuck(observed, y)) {
      looking_ = true;
      next_ = 0, best_ = nullptr, best_price_ = std::numeric_limits<double>::infinity();
    }
  }
}

}  // namespace elastane::peptide
