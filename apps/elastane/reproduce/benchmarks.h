// The benchmarks that this program knows by name, and how their weights are learned.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "elastane/core/base/result.h"
#include "lab/benchmark/benchmark.h"
#include "lab/benchmark/recording.h"
#include "lab/peptide/recording.h"
#include "lab/protein_loop/recording.h"

namespace elastane::app {

std::vector<std::string> benchmark_names();

// with the weights that lie in `models`; throws what is wrong
std::unique_ptr<benchmark::Benchmark> open_benchmark(const std::string& name, const std::string& models);

// one episode of it, agents side by side; throws what is wrong
benchmark::Recording record_episode(const std::string& name, const std::string& models,
                                    const benchmark::RecordingRequest& request);

// the agents of navigation on a site that somebody drew (docs/howto/site.md); `start` counts before the file's
benchmark::Recording record_site(const std::string& file, const std::optional<std::array<double, 2>>& start,
                                 const std::string& models, const benchmark::RecordingRequest& request);

// an episode of peptide with a sequence or a contact of somebody's own
benchmark::PeptideRecording record_peptide(const peptide::Wanted& wanted, const std::string& models,
                                           const benchmark::RecordingRequest& request);

// a loop of somebody's own protein (docs/howto/protein_loop.md): "155-166" in the file's numbers, and whose chain
struct OwnLoop {
  std::string structure, loop, chain;
};
protein_loop::OwnRecording record_own_loop(const OwnLoop& wanted, const std::string& models,
                                           const benchmark::RecordingRequest& request);

// arguments of elastane-train, call by call, that put a benchmark's weights into `models`
std::vector<std::vector<std::string>> training_of(const std::string& name, const std::string& models);

}  // namespace elastane::app
