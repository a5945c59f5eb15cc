// `elastane reproduce elastic_attention`: heads that look at the whole past where the task needs it.
#pragma once

#include "lab/world.h"

namespace elastane::recall {

lab::Reproduction elastic_attention_reproduction();

}  // namespace elastane::recall
