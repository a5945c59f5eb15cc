#include "lab/images/world.h"

namespace elastane::images {

lab::World world() { return {.name = "images", .what = "MNIST and CIFAR-10, classified at elastic depth"}; }

}  // namespace elastane::images
