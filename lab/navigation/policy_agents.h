// Agents that drive by a policy network: as it is; corrected in its latent; corrected in the way it proposes; or with
// its command filtered.
#pragma once

#include <optional>
#include <vector>

#include "elastane/core/corrector/corrector.h"
#include "elastane/core/stream/stream.h"
#include "lab/navigation/agent.h"
#include "lab/navigation/ray_view.h"
#include "lab/navigation/way_objective.h"

namespace elastane::navigation {

// the policy alone; what all the others begin with
class FrozenAgent : public Agent {
 public:
  explicit FrozenAgent(const Model& policy, const StreamOptions& options = {});
  void begin() override;
  Point act(const Sight& sight) override;

 protected:
  void tell(const Air& air) { speak(air, x_); }  // what is known of it, from the next step on
  void propose(const Sight& sight);              // advances the stream, and looks around
  Stream stream_;
  RayView view_;
  std::int64_t advance_macs_ = 0;  // of the last advance

 private:
  std::array<float, kInputs> x_ = {};
};

// z is corrected by what the rays say about the way it proposes
class LatentAgent : public FrozenAgent {
 public:
  LatentAgent(const Model& policy, const CorrectorOptions& corrector, const WayTastes& tastes, double fade = 0);
  Point act(const Sight& sight) override;

 protected:
  WayObjective objective_;
};

// the same with a metric that was learned in one drive over a site of its own, and then kept
class StaticAgent final : public LatentAgent {
 public:
  StaticAgent(const Model& policy, const CorrectorOptions& corrector, const WayTastes& tastes, double fade);
  void begin() override;

 private:
  std::optional<Stream> schooled_;  // as it was after that drive: what a later one leaves must not reach the next
};

// a corrector of ways themselves: the same objective, and no latent
class WayCorrector {
 public:
  explicit WayCorrector(const CorrectorOptions& options);
  void reset();
  StepReport correct(const WayObjective& objective, std::span<const float> proposed);
  std::span<const double> way() const { return way_; }

 private:
  Corrector corrector_;
  std::vector<double> memory_, way_, output_;
};

class WayAgent final : public FrozenAgent {
 public:
  WayAgent(const Model& policy, const CorrectorOptions& corrector, const WayTastes& tastes);
  void begin() override;
  Point act(const Sight& sight) override;

 private:
  WayObjective objective_;
  WayCorrector corrector_;
};

// first the latent, which remembers which way round it went; then the way that it proposes now
class BothAgent final : public LatentAgent {
 public:
  BothAgent(const Model& policy, const CorrectorOptions& latent, double fade, const CorrectorOptions& way,
            const WayTastes& tastes);
  void begin() override;
  Point act(const Sight& sight) override;

 private:
  WayCorrector corrector_;
};

// a command that would go too close is turned along the obstacle
struct FilterOptions {
  double margin = 0.01;  // room beside the body that is kept
  double pace = 0.5;     // share of the room beyond it that may be used up in a step
};
class FilteredAgent final : public FrozenAgent {
 public:
  FilteredAgent(const Model& policy, const FilterOptions& options) : FrozenAgent(policy), options_(options) {}
  Point act(const Sight& sight) override;

 private:
  FilterOptions options_;
};

}  // namespace elastane::navigation
