// Small recurrent models, imported as a user would, against a plain loop in the same run.
#include "bench/small_step.h"

#include <fmt/core.h>

#include <cmath>
#include <stdexcept>

#include "bench/plain_gru.h"
#include "bench/timing.h"
#include "command_line/asked_isa.h"
#include "elastane/core/stream/stream.h"
#include "elastane/io/import.h"
#include "elastane/io/safetensors.h"

namespace elastane::bench {
namespace {

constexpr int kTogether = 64;  // steps between two looks at the clock, which costs as much as a small step

void bench_small(const SmallGru& size, int wanted, Json& rows) {
  const auto tensors = weights_of(size, kWeightSeed);
  const Import import = import_model(format_safetensors({}, tensors, {}).value(), "a small GRU").value();
  const Model model = Model::create(import.config, import.tensors, {.isa = command_line::asked_isa()}).value();
  Stream stream(model);
  const auto plain = plain_gru(size, tensors);
  const auto inputs = static_cast<std::size_t>(size.inputs);
  std::vector<float> x(kTogether * inputs), y(static_cast<std::size_t>(size.outputs()));
  std::vector<double> ours, theirs;
  const int rounds = wanted > 0 ? wanted / kTogether + 1 : 4000;
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] = std::sin(0.1F * static_cast<float>(round) + static_cast<float>(i));
    ours.push_back(micros([&] {
                     for (std::size_t t = 0; t < kTogether; ++t) stream.advance({x.data() + t * inputs, inputs});
                   }) /
                   kTogether);
    theirs.push_back(micros([&] { plain->advance(x, y); }) / kTogether);
    for (std::size_t j = 0; j < y.size(); ++j) {
      if (!(std::fabs(stream.output()[j] - y[j]) <= 1e-4F)) {
        throw std::runtime_error("[bench] the plain loop computes something else");
      }
    }
  }
  const double p50 = timed(ours).time.p50, rival = timed(theirs).time.p50;
  const std::string name = fmt::format("{}→{}→{}", size.inputs, size.hidden, size.readout ? "1" : "state");
  fmt::print("| gru | {} | {} | {:.3f} | {:.3f} | {:.2f} |\n", name, model.macs(), p50, rival, rival / p50);
  std::fflush(stdout);
  rows.push_back({{"row", "small"},
                  {"block", "gru"},
                  {"inputs", size.inputs},
                  {"hidden", size.hidden},
                  {"outputs", size.outputs()},
                  {"isa", elastane::name(model.isa())},
                  {"p50_us", p50},
                  {"plain_p50_us", rival},
                  {"plain_over_ours", rival / p50}});
}

}  // namespace

void bench_small_steps(int wanted, Json& rows) {
  fmt::print(
      "\nSmall models, imported; microseconds per step ({} steps between two looks at the clock), beside a plain C++ "
      "loop\n"
      "whose sizes the compiler knows, compiled for this machine with fast functions; both in turn.\n\n",
      kTogether);
  fmt::print(
      "| block | size | multiply-adds | p50 | plain loop | plain ÷ ours |\n| --- | --- | --: | --: | --: | --: |\n");
  for (const SmallGru& size : kSmallGrus) bench_small(size, wanted, rows);
}

}  // namespace elastane::bench
