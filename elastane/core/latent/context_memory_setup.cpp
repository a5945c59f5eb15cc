#include "elastane/core/latent/context_memory.h"

namespace elastane {

ContextMemory::ContextMemory(int context, int coordinates, const ContextMemoryOptions& options)
    : memory_{.keys = context,
              .values = coordinates,
              .rule = WriteRule::least_squares,
              .noise = options.noise,
              .inflate = options.inflate,
              .gate = {.policy = WritePolicy::surprise, .threshold = 0}},
      options_(options),
      k_(kernels().value()) {
  const int sizes[] = {memory_.floats(),       memory_.aside_floats(), memory_.work_floats(), memory_.key_floats(),
                       memory_.value_floats(), memory_.value_floats(), memory_.key_floats()};
  int total = 0;
  for (const int size : sizes) {
    starts_.push_back(total);
    total += padded(size);
  }
  all_ = Buffer(sizeof(float) * as_size(total));
  reset();
}

}  // namespace elastane
