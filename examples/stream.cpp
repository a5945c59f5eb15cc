// The life of a stream, in thirty lines:   example_stream models/lorenz.safetensors
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

#include "elastane/core/stream/stream.h"
#include "elastane/io/model_file.h"

int main(int count, char** arguments) {
  const auto model = elastane::Model::load(count > 1 ? arguments[1] : "models/lorenz.safetensors");
  if (!model) return std::fprintf(stderr, "%s\n", model.error().c_str()), 1;

  elastane::Stream stream(*model, {.history = 4});  // all memory is allocated here
  std::vector<float> x(static_cast<std::size_t>(model->inputs()));
  for (int t = 0; t < 100; ++t) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(0.1F * static_cast<float>(t) + static_cast<float>(i));
    if (t == 50) x[0] = std::numeric_limits<float>::quiet_NaN();  // a sensor drops out; the stream continues
    stream.advance(x);
  }
  std::vector<std::byte> saved(stream.snapshot_bytes());
  stream.snapshot(saved).value();  // the whole state, exactly
  elastane::Stream fork = stream;  // what if?
  fork.advance(x, 0.5F);           // half a time step
  stream.rewind(2).value();        // two steps back
  stream.restore(saved).value();   // and forward again
  std::printf("step %llu, output %+.5f, fork %+.5f\n", static_cast<unsigned long long>(stream.position()),
              static_cast<double>(stream.output()[0]), static_cast<double>(fork.output()[0]));
}
