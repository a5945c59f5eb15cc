// Tuned settings and published figures of the plants, from experiments/plants/settings.
#pragma once

#include <string>
#include <vector>

#include "lab/plant/adaptation.h"
#include "lab/plant/circuit.h"

namespace elastane::plant {

// a change of the source's table, with what the source reports: frozen → recursive, extended Kalman filter, retrained
struct CircuitChange {
  circuit::Parts parts;
  std::string published;
};

// coordinates that any network has, for one that was trained on the nominal plant only
struct GenericSettings {
  double noise = 0, latent_variance = 0, variance = 0, drift_variance = 0;
  int readout_rank = 0;
};

struct Settings {
  AdaptationOptions circuit, reactor;
  AdaptationOptions reactor_sensors;  // with the gains of the sensors, where first values are in other units
  std::vector<CircuitChange> sweep;
  std::string reactor_published;
  GenericSettings generic;
};
const Settings& settings();

}  // namespace elastane::plant
