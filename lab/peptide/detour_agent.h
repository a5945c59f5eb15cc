// An agent that makes detours: when it is stuck, it turns one residue into another basin of its Ramachandran plot, then
// continues.
//
// A contact pulls residues out of their basins and leaves them on the ridge between two, from where no descent leads on.
// The expert tries whole plans with residues turned beforehand. This agent, once stuck, stands still and evaluates some
// basins per step, so that a step takes no longer than others: what would the energy be with that residue there and the
// others settled? Then it turns the best residue, while all other torsions continue downhill.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "lab/peptide/agent.h"
#include "lab/peptide/levenberg.h"

namespace elastane::peptide {

struct DetourOptions {
  double still = 0.25;      // a move y shorter than this makes no progress
  int patience = 2;         // consecutive steps without progress after which the agent is stuck
  int longest = 12;         // steps for a contact, or since a detour, after which it is stuck however it moves
  int candidates = 6;       // basins evaluated per step
  double step_price = 0.5;  // of a step of turning, in energy
  LevenbergOptions settling = {.iterations = 2, .damping = 1, .boxed = true};
  LevenbergOptions turning = {.iterations = 4, .damping = 3, .boxed = true};
};

class DetourAgent final : public Agent {
 public:
  DetourAgent(std::unique_ptr<Agent> inner, const DetourOptions& options);

  void begin(const Energy& energy) override;
  void act(std::span<const float> x, std::span<const double> observed, const Contact& contact,
           std::span<float> y) override;
  AgentReport report() const override { return report_; }

 private:
  // a residue in another basin
  struct Detour {
    int residue = -1;
    double phi = 0, psi = 0;
    bool tried = false;
  };

  void set_contact(const Contact& contact);
  bool is_met(std::span<const double> observed);
  bool is_stuck(std::span<const double> observed, std::span<const float> y);
  void search(std::span<const double> observed);
  double price(std::span<const double> observed, const Detour& detour);
  void turn(std::span<const double> observed, std::span<float> y);
  int steps_to(std::span<const double> observed, const Detour& detour) const;

  std::unique_ptr<Agent> inner_;
  DetourOptions options_;
  const Energy* energy_ = nullptr;
  std::optional<MoveObjective> settled_, turned_;
  Levenberg settling_, turning_;
  AgentReport report_;
  Conformation there_;

  Contact contact_;
  std::vector<Detour> detours_;  // all candidates for this contact
  int still_ = 0, elapsed_ = 0;  // steps without progress; steps since the contact was requested, or since a detour
  bool searching_ = false;
  std::size_t next_ = 0;    // candidate to evaluate
  Detour* best_ = nullptr;  // of those evaluated
  double best_price_ = 0;
  int turning_left_ = 0;  // steps left of the best one's turn
};

}  // namespace elastane::peptide
