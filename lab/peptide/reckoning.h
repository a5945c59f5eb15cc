// Dead reckoning: an agent that knows its own moves knows the torsions better than it sees them.
//
//   θ̂ ← θ̂ + L·y                 the move that was made
//   θ̂ ← θ̂ + (observed − θ̂)/n    the mean of all that was seen, carried along
//
// Half a degree of noise in each of twenty torsions moves the ends of a chain by two tenths of an Å, which is as much
// as lies between a wall and a clash; the mean of ten sights has a third of it.
#pragma once

#include <memory>

#include "lab/peptide/driver.h"

namespace elastane::peptide {

class ReckoningDriver final : public Driver {
 public:
  explicit ReckoningDriver(std::unique_ptr<Driver> inner) : inner_(std::move(inner)) {}

  void begin(const Energy& energy) override;
  void drive(std::span<const float> x, std::span<const double> observed, const Contact& contact,
             std::span<float> y) override;
  DriveReport report() const override { return inner_->report(); }

 private:
  std::unique_ptr<Driver> inner_;
  int torsions_ = 0;
  int seen_ = 0;            // sights in the mean
  Torsions reckoned_ = {};  // θ̂
};

}  // namespace elastane::peptide
