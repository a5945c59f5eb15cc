// A stream that moves the chain: its model proposes, and where there is a corrector, it corrects towards what the move
// costs.
#pragma once

#include <optional>

#include "elastane/core/stream/stream.h"
#include "lab/peptide/driver.h"
#include "lab/peptide/next_move.h"

namespace elastane::peptide {

class StreamDriver final : public Driver {
 public:
  StreamDriver(const Model& model, const StreamOptions& options, const MoveOptions& move = {});

  void begin(const Energy& energy) override;
  void drive(std::span<const float> x, std::span<const double> observed, const Contact& contact,
             std::span<float> y) override;
  DriveReport report() const override { return report_; }

 private:
  Stream stream_;
  bool corrects_;
  MoveOptions move_;
  std::optional<NextMove> objective_;
  DriveReport report_;
};

}  // namespace elastane::peptide
