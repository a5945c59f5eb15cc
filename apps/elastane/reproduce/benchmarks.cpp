#include "apps/elastane/reproduce/benchmarks.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <stdexcept>

#include "elastane/io/file.h"
#include "lab/maze/recording.h"
#include "lab/navigation/recording.h"
#include "lab/peptide/benchmark.h"
#include "lab/protein_loop/benchmark.h"
#include "lab/protein_loop/structure.h"

namespace elastane::app {
namespace {

using Opened = Result<std::unique_ptr<benchmark::Benchmark>>;
using Recorded = Result<benchmark::Recording>;

struct Entry {
  const char* name;
  Opened (*open)(const std::string& models);
  Recorded (*record)(const std::string& models, const benchmark::RecordingRequest& request);
};

template <navigation::Mode mode>
Opened open_navigation(const std::string& models) {
  auto policies = navigation::load_policies(models);
  if (!policies) return Error{policies.error()};
  return std::unique_ptr<benchmark::Benchmark>(std::make_unique<navigation::NavigationBenchmark>(*policies, mode));
}

template <navigation::Mode mode>
Recorded record_navigation(const std::string& models, const benchmark::RecordingRequest& request) {
  auto policies = navigation::load_policies(models);
  if (!policies) return Error{policies.error()};
  auto recording = navigation::record(navigation::NavigationBenchmark(*policies, mode), request);
  if (!recording) return Error{recording.error()};
  return benchmark::Recording(std::move(*recording));
}

template <navigation::Mode mode>
constexpr Entry navigation_entry(const char* name) {
  return {name, open_navigation<mode>, record_navigation<mode>};
}

Recorded record_peptide_episode(const std::string& models, const benchmark::RecordingRequest& request) {
  const auto networks = peptide::load_networks(models);
  if (!networks) return Error{networks.error()};
  auto recording = peptide::record(*networks, request);
  if (!recording) return Error{recording.error()};
  return benchmark::Recording(std::move(*recording));
}

Recorded record_protein_loop(const std::string& models, const benchmark::RecordingRequest& request) {
  const auto networks = protein_loop::load_networks(models);
  if (!networks) return Error{networks.error()};
  auto recording = protein_loop::record(*networks, request);
  if (!recording) return Error{recording.error()};
  return benchmark::Recording(std::move(*recording));
}

template <int size>
Opened open_maze(const std::string& models) {
  auto walkers = maze::load_walkers(models);
  if (!walkers) return Error{walkers.error()};
  return std::unique_ptr<benchmark::Benchmark>(
      std::make_unique<maze::MazeBenchmark>(*std::move(walkers), maze::lattice_course(size)));
}

template <int size>
Recorded record_maze(const std::string& models, const benchmark::RecordingRequest& request) {
  auto walkers = maze::load_walkers(models);
  if (!walkers) return Error{walkers.error()};
  auto recording = maze::record(maze::MazeBenchmark(*std::move(walkers), maze::lattice_course(size)), request);
  if (!recording) return Error{recording.error()};
  return benchmark::Recording(std::move(*recording));
}

template <int size>
constexpr Entry maze_entry(const char* name) {
  return {name, open_maze<size>, record_maze<size>};
}

// one line a benchmark
constexpr std::array kContests = {
    navigation_entry<navigation::Mode::dragged>("navigation"),
    navigation_entry<navigation::Mode::moving>("navigation_moving"),
    navigation_entry<navigation::Mode::drifting>("navigation_drifting"),
    navigation_entry<navigation::Mode::blind>("navigation_blind"),
    navigation_entry<navigation::Mode::still>("navigation_still"),
    Entry{"peptide", peptide::make_benchmark, record_peptide_episode},
    maze_entry<15>("maze"),
    maze_entry<21>("maze_21"),
    maze_entry<27>("maze_27"),
    Entry{"protein_loop", protein_loop::make_benchmark, record_protein_loop},
};

const Entry& entry_of(const std::string& name) {
  const auto at = std::ranges::find_if(kContests, [&](const Entry& e) { return e.name == name; });
  if (at == kContests.end()) throw std::runtime_error(fmt::format("[contest] {}: expected one that there is", name));
  return *at;
}

// as experiments/peptide/train: each network learns from the expert's own episodes, then from episodes in which it
// moves the chain while the expert looks on. What it has learned first is kept with the runs
std::vector<std::vector<std::string>> training_of_peptide(const std::string& models) {
  using Words = std::vector<std::string>;
  const auto joined = [](std::initializer_list<Words> parts) {
    Words all;
    for (const Words& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
  };
  std::vector<Words> calls;
  for (const std::string network : {"policy", "equivariant", "greedy", "transformer"}) {
    const bool policy = network == "policy", single_steps = network == "equivariant";
    const std::string name = policy ? "peptide" : "peptide_" + network;
    const std::string run = "runs/" + name, first = run + ".first.safetensors";
    const Words begin = {"train", "peptide", "--network", network};
    // sequences of 96 steps, but single steps for the network that has no use for a sequence
    const Words batch = {"--batch", single_steps ? "256" : "32"};
    calls.push_back(joined({begin,
                            {"--seed", "7", "--lessons", "1200", "--steps", single_steps ? "3000" : "1000"},
                            batch,
                            {"--run", run + ".1", "-o", first}}));
    calls.push_back(joined({begin,
                            {"--seed", "8", "--lessons", "500", "--follow", first, "--followed", "500"},
                            policy ? Words{"--corrected"} : Words{},  // it is used with a corrector
                            {"--init", first, "--steps", single_steps ? "2400" : "800"},
                            batch,
                            {"--rate", "1e-3", "--run", run + ".2", "-o", models + "/" + name + ".safetensors"}}));
  }
  return calls;
}

// as experiments/protein_loop/train
std::vector<std::vector<std::string>> training_of_protein_loop(const std::string& models) {
  std::vector<std::vector<std::string>> calls;
  for (const std::string network : {"ssm", "transformer", "hybrid"}) {
    const std::string name = "protein_loop_" + network;
    calls.push_back({"train", "protein_loop", "--network", network, "--lessons", "1600", "--steps", "1600", "--batch",
                     "32", "--seed", "7", "--run", "runs/" + name, "-o", models + "/" + name + ".safetensors"});
    if (network == "ssm") calls.back().insert(calls.back().end(), {"--model", "experiments/protein_loop/ssm.json"});
  }
  calls.push_back({"train", "protein_loop", "--network", "gate", "--seed", "7", "--follow",
                   models + "/protein_loop_ssm.safetensors", "--followed", "16", "-o",
                   models + "/protein_loop_gate.safetensors"});
  calls.push_back({"train", "protein_loop", "--network", "metric", "--seed", "7", "-o",
                   models + "/protein_loop_metric.safetensors"});
  return calls;
}

}  // namespace

std::vector<std::string> benchmark_names() {
  std::vector<std::string> names;
  for (const Entry& entry : kContests) names.emplace_back(entry.name);
  return names;
}

std::unique_ptr<benchmark::Benchmark> open_benchmark(const std::string& name, const std::string& models) {
  return entry_of(name).open(models).value();
}

benchmark::Recording record_episode(const std::string& name, const std::string& models,
                                    const benchmark::RecordingRequest& request) {
  benchmark::Recording recording = entry_of(name).record(models, request).value();
  std::visit([](const auto& r) { validate(r).value(); }, recording);
  return recording;
}

benchmark::Recording record_site(const std::string& file, const std::optional<std::array<double, 2>>& start,
                                 const std::string& models, const benchmark::RecordingRequest& request) {
  const MappedFile mapped = MappedFile::open(file).value();
  const auto bytes = mapped.bytes();
  auto drawn = navigation::parse_site({reinterpret_cast<const char*>(bytes.data()), bytes.size()}).value();
  if (start) drawn.start = navigation::Point{(*start)[0], (*start)[1]};
  const auto errand = navigation::make_errand(drawn, request.seed).value();
  const navigation::NavigationBenchmark benchmark(navigation::load_policies(models).value(), navigation::Mode::dragged);
  benchmark::NavigationRecording recording = navigation::record(benchmark, errand, request).value();
  validate(recording).value();
  return recording;
}

benchmark::PeptideRecording record_peptide(const peptide::Wanted& wanted, const std::string& models,
                                           const benchmark::RecordingRequest& request) {
  benchmark::PeptideRecording recording =
      peptide::record(peptide::load_networks(models).value(), request, wanted).value();
  validate(recording).value();
  return recording;
}

protein_loop::OwnRecording record_own_loop(const OwnLoop& wanted, const std::string& models,
                                           const benchmark::RecordingRequest& request) {
  // a number may be negative, so the dash between two is not the first character
  const std::size_t dash = wanted.loop.find('-', 1);
  if (dash == std::string::npos || dash + 1 == wanted.loop.size()) {
    throw std::runtime_error(
        fmt::format("[play] loop: expected two residue numbers of the file as in 155-166, found \"{}\"", wanted.loop));
  }
  const auto protein = protein_loop::read_structure(wanted.structure, {.chain = wanted.chain, .whole = false}).value();
  const auto window =
      protein_loop::locate_window(protein, wanted.loop.substr(0, dash), wanted.loop.substr(dash + 1)).value();
  auto own = protein_loop::record_own(protein_loop::load_networks(models).value(), request, protein, window).value();
  validate(own.recording).value();
  return own;
}

std::vector<std::vector<std::string>> training_of(const std::string& name, const std::string& models) {
  if (name == "peptide") return training_of_peptide(models);
  if (name == "protein_loop") return training_of_protein_loop(models);
  const auto weights = [&](const char* file) { return fmt::format("{}/{}.safetensors", models, file); };
  if (name.starts_with("maze")) {
    return {{"train", "maze", "--network", "map", "--seed", "1", "-o", weights("maze")},
            {"train", "maze", "--network", "prices", "-o", weights("maze_prices")}};
  }
  return {{"train", "navigation", "--seed", "1", "-o", weights("navigation")},
          {"train", "navigation", "--transformer", "--seed", "1", "-o", weights("navigation_transformer")}};
}

}  // namespace elastane::app
