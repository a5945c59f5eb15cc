// A model made in memory needs elastane::core alone.
#include <elastane/core/stream/fleet.h>

#include <cstdio>
#include <vector>

int main() {
  const elastane::ModelConfig config{.inputs = 2, .outputs = 1, .blocks = {{.kind = elastane::GruConfig{}}}};
  const auto model = elastane::Model::create(config, elastane::random_tensors(config, 7));
  if (!model) return std::printf("%s\n", model.error().c_str()), 1;
  elastane::Fleet fleet(*model, 3);
  fleet.advance(std::vector<float>(6, 0.5F));
  std::printf("%g\n", static_cast<double>(fleet.output(2)[0]));
}
