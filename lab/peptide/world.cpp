#include "lab/peptide/world.h"

#include <initializer_list>

#include "lab/peptide/benchmark.h"
#include "lab/peptide/recording.h"
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
class CustomPeptide final : public lab::CustomEpisode {
 public:
  void declare(command_line::Command& play) override {
    play.option("--sequence", sequence_, "your own residues, 8 to 12").type("LETTERS");
    play.option("--contact", contact_, "the residues that should meet, counted from 1").values(2).type("I,J");
    play.option("--pdb", pdb_, "write the structure that the last agent leaves").type("FILE");
  }
  bool is_wanted() const override { return sequence_ || !contact_.empty() || !pdb_.empty(); }

  lab::RecordingPointer record(const std::string& models, const benchmark::RecordingRequest& request) override {
    if (sequence_) parse_sequence(*sequence_).value();  // an empty one was given, and is too short
    Wanted wanted{.sequence = sequence_.value_or("")};
    if (!contact_.empty()) wanted.contact = {contact_[0], contact_[1]};
    auto recording =
        std::make_unique<PeptideRecording>(peptide::record(load_networks(models).value(), request, wanted).value());
    if (!pdb_.empty()) recording->attachments.push_back({pdb_, last_structure(*recording).value()});
    return recording;
  }

 private:
  std::optional<std::string> sequence_;
  std::vector<int> contact_;
  std::string pdb_;
};

// as experiments/peptide/train: each network learns from the expert's own episodes, then from episodes in which it
// moves the chain while the expert looks on. What it has learned first is kept with the runs
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

}  // namespace

lab::World world() {
  lab::World world{.name = "peptide", .what = "A peptide is asked to bring two residues together"};
  world.benchmarks = {{.name = "peptide",
                       .what = "A contact appears and then changes",
                       .cost = "",
                       .open = make_benchmark,
                       .record = record_episode,
                       .custom = std::make_shared<CustomPeptide>(),
                       .training = training}};
  return world;
}

}  // namespace elastane::peptide
