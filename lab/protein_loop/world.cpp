#include "lab/protein_loop/world.h"

#include <fmt/format.h>

#include <stdexcept>

#include "lab/data_folder.h"
#include "lab/protein_loop/benchmark.h"
#include "lab/protein_loop/pdb.h"
#include "lab/protein_loop/recording.h"
#include "lab/protein_loop/repair_table.h"
#include "lab/protein_loop/structure.h"

namespace elastane::protein_loop {
namespace {

Result<lab::RecordingPointer> record_episode(const std::string& models, const benchmark::RecordingRequest& request) {
  const auto networks = load_networks(models);
  if (!networks) return Error{networks.error()};
  auto recording = record(*networks, request);
  if (!recording) return Error{recording.error()};
  return lab::RecordingPointer(std::make_unique<LoopRecording>(std::move(*recording)));
}

// a loop of the user's protein (docs/howto/protein_loop.md): "155-166" in the file's numbers
class CustomEpisode final : public lab::CustomEpisode {
 public:
  void declare(command_line::Command& play) override {
    play.option("--structure", structure_, "your own protein, as PDB or mmCIF (docs/howto/protein_loop.md)")
        .type("FILE");
    play.option("--loop", loop_, "of that protein: the residues to bend, 4 to 12").type("FIRST-LAST");
    play.option("--chain", chain_, "of that protein (default: the first)").type("NAME");
    play.option("--pdb", pdb_, "with --structure: write the structure that the last agent leaves").type("FILE");
  }
  bool is_wanted() const override { return !structure_.empty() || !loop_.empty() || !chain_.empty() || !pdb_.empty(); }

  lab::RecordingPointer record(const std::string& models, const benchmark::RecordingRequest& request) override {
    if (structure_.empty() || loop_.empty()) {
      throw std::runtime_error(
          "[play] structure, loop: expected both, found one; as in --structure 1abc.pdb --loop 20-31");
    }
    const CustomLoopRecording custom = record_loop(models, request);
    auto recording = std::make_unique<LoopRecording>(custom.recording);
    for (const LoopResult& result : custom.results) {
      recording->notes += fmt::format("  {:<28} loop {:.2f} Å off, widest gap {:.2f} Å, clashes {}, bad torsions {}\n",
                                      result.by, result.rmsd, result.assessment.widest_gap, result.assessment.clashes,
                                      result.assessment.disallowed);
    }
    const LoopResult& last = custom.results.back();
    if (!pdb_.empty()) {
      recording->attachments.push_back(
          {pdb_, to_pdb(last.protein, fmt::format("loop {} as {} left it", loop_, last.by))});
    }
    return recording;
  }

 private:
  CustomLoopRecording record_loop(const std::string& models, const benchmark::RecordingRequest& request) const {
    // a number may be negative, so the dash between two is not the first character
    const std::size_t dash = loop_.find('-', 1);
    if (dash == std::string::npos || dash + 1 == loop_.size()) {
      throw std::runtime_error(
          fmt::format("[play] loop: expected two residue numbers of the file as in 155-166, found \"{}\"", loop_));
    }
    const auto protein = read_structure(structure_, {.chain = chain_, .whole = false}).value();
    const auto window = locate_window(protein, loop_.substr(0, dash), loop_.substr(dash + 1)).value();
    return record_custom_loop(load_networks(models).value(), request, protein, window).value();
  }

  std::string structure_, loop_, chain_, pdb_;
};

// as experiments/protein_loop/train
std::vector<std::vector<std::string>> training(const std::string& models) {
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

void declare_repair(command_line::Command& command) {
  auto options = std::make_shared<RepairTableOptions>();
  options->data = lab::data_folder();
  command.option("--data", options->data, "folder with loops/ and ramachandran/ (default: $ELASTANE_DATA)")
      .type("DIR")
      .hide_default();
  command.option("--shift", options->shift, "move the windows by this many residues, for tuning");
  command.option("--built", options->built, "use loops of this many built proteins instead").range(0, 100'000);
  command.option("--cases", options->cases, "bends of each loop").range(1, 100'000);
  command.option("--seconds", options->seconds, "time for the conformers of each loop");
  command.option("--draws", options->draws, "random starts of which the one with the smallest gap is used")
      .range(1, 1000);
  command.option("--seed", options->seed, "seed of bends and torsions");
  command.option("--json", options->json, "also write the figures to this file").type("FILE");
  command.option("--structures", options->structures, "write PDB files of each loop's first case").type("DIR");
  command.action([options] {
    print_repair_table(*options);
    return 0;
  });
}

}  // namespace

lab::World world() {
  lab::World world{.name = "protein_loop", .what = "A bent loop of a protein is repaired"};
  world.benchmarks = {{.name = "protein_loop",
                       .what = "A window slides over proteins with one bent loop",
                       .cost = "20 minutes",
                       .open = make_benchmark,
                       .record = record_episode,
                       .custom = std::make_shared<CustomEpisode>(),
                       .training = training}};
  world.reproductions = {{.name = "protein_loop_repair",
                          .what = "Repair of bent loops, and conformers from random torsions",
                          .cost = "40 s on one core",
                          .declare = declare_repair}};
  return world;
}

}  // namespace elastane::protein_loop
