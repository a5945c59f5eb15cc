// Detours: an agent that gets no further turns one residue into another basin of its Ramachandran plot, and goes on.
//
// A contact pulls residues out of their basins and leaves them on the ridge between two: no descent leads on from
// there. The expert tries whole ways with residues turned beforehand. Here the agent, where it is stuck, stands still
// and looks at basins, some each step, so that a step takes no longer than others: what would the energy be if that
// residue were there, and the others had settled? Then it turns the best one, while all other torsions go on downhill.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "lab/peptide/descent.h"
#include "lab/peptide/driver.h"

namespace elastane::peptide {

struct DetourOptions {
  double still = 0.25;      // moves y that are shorter lead nowhere
  int patience = 2;         // steps of those, one after another, before it is stuck
  int longest = 12;         // steps for a contact, or since a detour, after which it is stuck whatever moves
  int looks = 6;            // basins a step
  double step_price = 0.5;  // of a step of turning, in energy
  DescentOptions settling = {.iterations = 2, .damping = 1, .boxed = true};
  DescentOptions turning = {.iterations = 4, .damping = 3, .boxed = true};
};

class DetourDriver final : public Driver {
 public:
  DetourDriver(std::unique_ptr<Driver> inner, const DetourOptions& options);

  void begin(const Energy& energy) override;
  void drive(std::span<const float> x, std::span<const double> observed, const Contact& contact,
             std::span<float> y) override;
  DriveReport report() const override { return report_; }

 private:
  // a residue in another basin
  struct Detour {
    int residue = -1;
    double phi = 0, psi = 0;
    bool tried = false;
  };

  void ask(const Contact& contact);
  bool is_met(std::span<const double> observed);
  bool is_stuck(std::span<const double> observed, std::span<const float> y);
  void look(std::span<const double> observed);
  double price(std::span<const double> observed, const Detour& detour);
  void turn(std::span<const double> observed, std::span<float> y);
  int steps_to(std::span<const double> observed, const Detour& detour) const;

  std::unique_ptr<Driver> inner_;
  DetourOptions options_;
  const Energy* energy_ = nullptr;
  std::optional<NextMove> settled_, turned_;
  Descent settling_, turning_;
  DriveReport report_;
  Conformation there_;

  Contact contact_;
  std::vector<Detour> detours_;  // all there are for this contact
  int still_ = 0, asked_ = 0;    // steps without progress; since the contact was asked for, or since a detour
  bool looking_ = false;
  std::size_t next_ = 0;    // to look at
  Detour* best_ = nullptr;  // of those looked at
  double best_price_ = 0;
  int turning_left_ = 0;  // steps of the best one's turn
};

}  // namespace elastane::peptide
