// Drivers that correct moves themselves, not what they were decoded from: the rivals of a latent.
//
//   PlanDriver      a proposal, then Gauss–Newton on its torsions                       plan space
//   HorizonDriver   a proposal for each of H steps, then Gauss–Newton on all of them    model-predictive control
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "lab/peptide/descent.h"
#include "lab/peptide/driver.h"

namespace elastane::peptide {

// without a proposal: from standing still
class PlanDriver final : public Driver {
 public:
  PlanDriver(std::unique_ptr<Driver> proposal, const DescentOptions& descent, const MoveOptions& move = {});

  void begin(const Energy& energy) override;
  void drive(std::span<const float> x, std::span<const double> observed, const Contact& contact,
             std::span<float> y) override;
  DriveReport report() const override { return report_; }

 private:
  std::unique_ptr<Driver> proposal_;
  Descent descent_;
  MoveOptions move_;
  std::optional<NextMove> objective_;
  DriveReport report_;
};

struct HorizonOptions {
  int horizon = 3;         // H
  int iterations = 2;      // of Gauss–Newton
  double damping = 1;      // λ
  double discount = 0.97;  // γ
  bool boxed = false;      // as in descent.h
};

// The proposal, which must have no memory, is asked again at every step ahead, as if the chain had got there; what was
// planned one step ago is tried, too.
class HorizonDriver final : public Driver {
 public:
  HorizonDriver(std::unique_ptr<Driver> proposal, const HorizonOptions& options, const MoveOptions& move = {});

  void begin(const Energy& energy) override;
  void drive(std::span<const float> x, std::span<const double> observed, const Contact& contact,
             std::span<float> y) override;
  DriveReport report() const override { return report_; }

 private:
  using Plan = std::vector<double>;  // [H][kMostTorsions]

  void propose(std::span<const float> x, std::span<const double> observed, const Contact& contact);
  double value(const Plan& plan) const;
  bool step_from(Plan& plan);
  bool improve(Plan& plan, double& value, double& damping);
  std::span<double> row(Plan& plan, int h) const { return {plan.data() + h * kMostTorsions, kMostTorsions}; }

  std::unique_ptr<Driver> proposal_;
  HorizonOptions options_;
  MoveOptions move_;
  const Kernels* k_;
  BoxStep box_;
  const Energy* energy_ = nullptr;
  Torsions from_ = {};
  Contact contact_;
  DriveReport report_;
  bool planned_ = false;
  //                                       meaning                                shape
  Plan plan_, earlier_, trial_;      // y of every step; of the step before    [H][22]
  std::vector<EnergyPoint> points_;  // E after every step                     [H]
  mutable EnergyPoint probe_;
  std::vector<double> system_, slope_;  // W + λI of all steps, and ∇ℓ            [22H][24·H]
  std::vector<double> step_, moves_;    // the move of all steps, and y           [22H]
  std::vector<double> curvature_;       // W after one step                       [22][22]
  std::vector<float> seen_, proposed_;  // x and y of a step ahead
};

}  // namespace elastane::peptide
