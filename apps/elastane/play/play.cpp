// elastane play: one episode as an animation in a page, agents side by side.
#include "apps/elastane/play/play.h"

#include <fmt/format.h>

#include <memory>
#include <span>

#include "elastane/io/file.h"
#include "lab/registry.h"
#include "web/player_page.h"

namespace elastane::app {
namespace {

struct PlayOptions {
  std::string models = "models", out, figure;
  benchmark::RecordingRequest request;
};

void write_text(const std::string& path, const std::string& text) {
  write_file(path, std::as_bytes(std::span(text))).value();
}

void print_summary(const benchmark::Recording& recording) {
  fmt::print("{}{} ({})\n", recording.notes, recording.title,
             recording.source.empty() ? fmt::format("seed {}, episode {}", recording.seed, recording.episode)
                                      : recording.source);
  for (const benchmark::Caption& c : recording.captions()) {
    fmt::print("  {:<28} {}, {} violation{}\n", c.name,
               c.success ? fmt::format("{} steps", c.steps) : fmt::format("failed in {} steps", c.steps), c.violations,
               c.violations == 1 ? "" : "s");
  }
}

int play(const lab::BenchmarkEntry& entry, const PlayOptions& options) {
  const bool custom = entry.custom && entry.custom->is_wanted();
  const lab::RecordingPointer recording = custom ? entry.custom->record(options.models, options.request)
                                                 : entry.record(options.models, options.request).value();
  recording->validate().value();
  print_summary(*recording);
  if (!options.figure.empty()) write_text(options.figure, recording->figure());
  for (const benchmark::Attachment& file : recording->attachments) write_text(file.path, file.text);
  write_text(options.out, web::player_page(recording->title, recording->json(), recording->scripts()));
  fmt::print("The page is {}; any browser opens it.\n", options.out);
  return 0;
}

void add_recording(command_line::Command& verb, const lab::BenchmarkEntry& entry) {
  auto options = std::make_shared<PlayOptions>();
  options->out = entry.name + ".html";
  command_line::Command& play_it = verb.command(entry.name, entry.what);
  play_it.option("--seed", options->request.seed, "as in elastane reproduce");
  play_it.option("--episode", options->request.episode, "of that seed").range(0, 1'000'000);
  play_it.option("--agents", options->request.agents, "agents to show, side by side");
  if (entry.custom) entry.custom->declare(play_it);
  play_it.option("--models", options->models, "folder of the weights").type("DIR");
  play_it.option("-o,--out", options->out, "the page").type("HTML");
  play_it.option("--figure", options->figure, "also draw the whole episode to this file").type("SVG");
  play_it.action([options, &entry] { return play(entry, *options); });
}

}  // namespace

void add_play(command_line::Command& program) {
  command_line::Command& verb =
      program.command("play", "One episode of a world as an animation, in a page for a browser");
  for (const lab::BenchmarkEntry* entry : lab::shows()) add_recording(verb, *entry);
  verb.footer(
      "Examples:\n"
      "  elastane play navigation\n"
      "  elastane play navigation --seed 3 --episode 12 --agents frozen,exact --out episode.html\n"
      "  elastane play navigation_drifting --agents frozen,kalman,persistent,oracle\n"
      "  elastane play navigation --site examples/site.json --start 0.1,0.5\n"
      "  elastane play peptide --figure peptide.svg\n"
      "  elastane play maze_27 --agents k0,esm,replanner\n"
      "  elastane play frost --episode 1\n"
      "  elastane play recall --agents always,budget,seen_twice\n"
      "  elastane play maze --map examples/maze.map --start 1,1 --goal 21,17\n"
      "  elastane play protein_loop --agents ssm,transformer,esm\n"
      "  elastane play protein_loop --structure protein.pdb --loop 20-31 --pdb repaired.pdb\n"
      "  elastane play peptide --sequence ACDEFGHIK --contact 2,7 --pdb last.pdb\n\n"
      "elastane play NAME --help lists the options of a world. Without --seed and --episode, the first episode of seed "
      "1\n"
      "is shown. The page needs no network and no other file. NAME.html#120 opens it at step 120.");
}

}  // namespace elastane::app
