// An agent with a stream: its model proposes a move, and a corrector, if there is one, improves it by its cost.
#pragma once

#include <optional>

#include "elastane/core/stream/stream.h"
#include "lab/peptide/agent.h"
#include "lab/peptide/objective.h"

namespace elastane::peptide {

// a report of the engine as an AgentReport, with the multiply-adds of the network added
AgentReport summary_of(const StepReport& report, double network_macs);

class StreamAgent final : public Agent {
 public:
  StreamAgent(const Model& model, const StreamOptions& options, const MoveOptions& move = {});

  void begin(const Energy& energy) override;
  void act(std::span<const float> x, std::span<const double> observed, const Contact& contact,
           std::span<float> y) override;
  AgentReport report() const override { return report_; }

 private:
  Stream stream_;
  bool corrects_;
  MoveOptions move_;
  std::optional<MoveObjective> objective_;
  AgentReport report_;
};

}  // namespace elastane::peptide
