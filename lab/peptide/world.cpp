#include "lab/peptide/world.h"

#include <initializer_list>

#include "lab/peptide/benchmark.h"
#include "lab/peptide/recording.h"
#include "lab/peptide/reproductions.h"
#include "lab/peptide/sequence.h"

namespace elastane::peptide {
namespace {

Result<lab::RecordingPointer> record_episode(const std::string& models, const benchmark::RecordingRequest& request) {
  const auto networks = load_networks(models);
  if (!networks) return Error{networks.error()};
  auto recording = record(*networks, request);
  if (!recording) return Error{recording.error()};
  return lab::RecordingPointer(std::make_unique<PeptideRecording>(std::move(*recording)));
}

// a sequence or a contact that the user wants, and the last structure as a file
class CustomEpisode final : public lab::CustomEpisode {
 public:
  void declare(command_line::Command& play) override {
    play.option("--sequence", sequence_, "your own residues, 8 to 12").type("LETTERS");
    play.option("--contact", contact_, "the residues that should meet, counted from 1").values(2).type("I,J");
    play.option("--pdb", pdb_, "write the structure that the last agent leaves").type("FILE");
  }
  bool is_wanted() const override { return sequence_ || !contact_.empty() || !pdb_.empty(); }

  lab::RecordingPointer record(const std::string& models, const benchmark::RecordingRequest& request) override {
    if (sequence_) parse_sequence(*sequence_).value();  // an empty sequence is refused as too short
    CustomPeptide custom{.sequence = sequence_.value_or("")};
    if (!contact_.empty()) custom.contact = {contact_[0], contact_[1]};
    auto recording =
        std::make_unique<PeptideRecording>(peptide::record(load_networks(models).value(), request, custom).value());
    if (!pdb_.empty()) recording->attachments.push_back({pdb_, last_structure(*recording).value()});
    return recording;
  }

 private:
  std::optional<std::string> sequence_;
  std::vector<int> contact_;
  std::string pdb_;
};

// As experiments/peptide/train: each network is trained on the expert's own episodes, then on episodes in which it moves
// the chain while the expert labels every step. The weights of the first stage stay with the runs.
std::vector<std::vector<std::string>> training(const std::string& models) {
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
    // sequences of 96 steps; single steps for the equivariant network, which has no memory
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

}  // namespace

lab::World world() {
  lab::World world{.name = "peptide", .what = "A peptide brings two residues together"};
  world.benchmarks = {{.name = "peptide",
                       .what = "A contact is requested, then another one",
                       .cost = "6 minutes",
                       .open = make_benchmark,
                       .record = record_episode,
                       .custom = std::make_shared<CustomEpisode>(),
                       .training = training}};
  world.reproductions = reproductions();
  return world;
}

}  // namespace elastane::peptide
