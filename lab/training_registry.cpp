#include "lab/training_registry.h"

#define ELASTANE_DECLARE_plain(name)
#define ELASTANE_DECLARE_trains(name)                 \
  namespace name {                                    \
  void add_training(lab::TrainingCommands& commands); \
  }
#define ELASTANE_CALL_plain(name)
#define ELASTANE_CALL_trains(name) name::add_training(commands);

namespace elastane {

#define ELASTANE_WORLD(name, training) ELASTANE_DECLARE_##training(name)
#include "lab/worlds.def"
#undef ELASTANE_WORLD

}  // namespace elastane

namespace elastane::lab {

void add_all_training([[maybe_unused]] TrainingCommands& commands) {
#define ELASTANE_WORLD(name, training) ELASTANE_CALL_##training(name)
#include "lab/worlds.def"
#undef ELASTANE_WORLD
}

}  // namespace elastane::lab
