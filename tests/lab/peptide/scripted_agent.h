// Agents for tests.
#pragma once

#include <functional>
#include <utility>

#include "lab/peptide/agent.h"

namespace elastane::peptide {

// moves as a function of the observed torsions
class ScriptedAgent final : public Agent {
 public:
  using Script = std::function<void(std::span<const double> observed, std::span<float> y)>;
  explicit ScriptedAgent(Script script) : script_(std::move(script)) {}
  void begin(const Energy&) override {}
  void act(std::span<const float>, std::span<const double> observed, const Contact&, std::span<float> y) override {
    script_(observed, y);
  }
  AgentReport report() const override { return {}; }

 private:
  Script script_;
};

}  // namespace elastane::peptide
