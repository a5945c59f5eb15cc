// elastane play: one episode as an animation in a page, agents side by side.
#include <fmt/format.h>

#include <optional>
#include <stdexcept>
#include <type_traits>

#include "apps/elastane/play/episode_figure.h"
#include "apps/elastane/play/map_walk.h"
#include "apps/elastane/play/player_page.h"
#include "apps/elastane/reproduce/benchmarks.h"
#include "apps/elastane/verbs.h"
#include "elastane/io/file.h"
#include "lab/protein_loop/pdb.h"

namespace elastane::app {
namespace {

struct Given {
  std::string world, models = "models", out, figure, site, pdb;
  std::vector<double> start;
  std::optional<std::string> sequence;
  std::vector<int> contact;
  MapWalk walk;
  OwnLoop own_loop;
  benchmark::RecordingRequest request;
};

void write_text(const std::string& path, const std::string& text) {
  write_file(path, std::as_bytes(std::span(text))).value();
}

template <class Episode>
void show(const Given& given, const Episode& episode) {
  const std::string drawn = given.walk.map ? *given.walk.map + ", " : "";
  fmt::print(
      "{} ({})\n", episode.title,
      given.site.empty() ? fmt::format("{}seed {}, episode {}", drawn, episode.seed, episode.episode) : given.site);
  for (const auto& agent : episode.agents) {
    const benchmark::Caption& c = agent.caption;
    fmt::print("  {:<28} {}, {} violation{}\n", c.name,
               c.success ? fmt::format("{} steps", c.steps) : fmt::format("failed in {} steps", c.steps), c.violations,
               c.violations == 1 ? "" : "s");
  }
  if (!given.figure.empty()) write_text(given.figure, episode_figure(episode));
  if constexpr (std::is_same_v<Episode, benchmark::PeptideRecording>) {
    if (!given.pdb.empty()) write_text(given.pdb, peptide::last_structure(episode).value());
  }
  write_text(given.out, player_page(episode));
  fmt::print("The page is {}; any browser opens it.\n", given.out);
}

// a loop of one's own: what became of it, and the last structure
benchmark::LoopRecording recorded_loop(const Given& given) {
  const protein_loop::OwnRecording own = record_own_loop(given.own_loop, given.models, given.request);
  for (const protein_loop::LoopLeft& left : own.left) {
    fmt::print("  {:<28} loop {:.2f} Å off, widest gap {:.2f} Å, clashes {}, bad torsions {}\n", left.by, left.rmsd,
               left.verdict.widest_gap, left.verdict.clashes, left.verdict.disallowed);
  }
  const protein_loop::LoopLeft& last = own.left.back();
  if (!given.pdb.empty()) {
    write_text(given.pdb,
               protein_loop::to_pdb(last.protein, fmt::format("loop {} as {} left it", given.own_loop.loop, last.by)));
  }
  return own.recording;
}

benchmark::Recording recorded(const Given& given) {
  const bool wanted = given.sequence || !given.contact.empty();
  const bool own_loop = !given.own_loop.structure.empty();
  if (given.world != "protein_loop" && (own_loop || !given.own_loop.loop.empty() || !given.own_loop.chain.empty())) {
    throw std::runtime_error(
        fmt::format("[play] structure, loop, chain: expected with protein_loop, found with {}", given.world));
  }
  if (own_loop == given.own_loop.loop.empty() || (!own_loop && !given.own_loop.chain.empty())) {
    throw std::runtime_error(
        "[play] structure, loop: expected both, found one; as in --structure 1abc.pdb --loop 20-31");
  }
  if (given.world != "peptide" && (wanted || (!given.pdb.empty() && !own_loop))) {
    throw std::runtime_error(
        fmt::format("[play] sequence, contact, pdb: expected with peptide (pdb also with --structure), found with {}",
                    given.world));
  }
  if (own_loop && given.site.empty()) return recorded_loop(given);
  if (wanted && given.site.empty()) {
    // an empty sequence is one that is too short, not one that nobody gave
    if (given.sequence) peptide::parse_sequence(*given.sequence).value();
    peptide::Wanted what{.sequence = given.sequence.value_or("")};
    if (!given.contact.empty()) what.contact = {given.contact[0], given.contact[1]};
    return record_peptide(what, given.models, given.request);
  }
  if (given.walk.asked_for()) {
    if (given.world != "maze") {
      throw std::runtime_error(
          fmt::format("[play] map, goal, scenario, errand, still: expected with maze, found with {}", given.world));
    }
    if (given.site.empty()) return record_map(given.walk, given.start, given.models, given.request);
  }
  if (given.site.empty()) {
    if (!given.start.empty() && given.world == "maze")
      throw std::runtime_error("[play] start: expected a map to walk over; add --map FILE");
    if (!given.start.empty()) throw std::runtime_error("[play] start: expected a site to drive on; add --site FILE");
    return record_episode(given.world, given.models, given.request);
  }
  if (given.world != "navigation") {
    throw std::runtime_error(fmt::format("[play] site: expected with navigation, found with {}", given.world));
  }
  std::optional<std::array<double, 2>> start;
  if (!given.start.empty()) start = {given.start[0], given.start[1]};
  return record_site(given.site, start, given.models, given.request);
}

}  // namespace

void add_play(CLI::App& app) {
  auto given = std::make_shared<Given>();
  CLI::App* verb = app.add_subcommand("play", "One episode of a world as an animation, in a page for a browser");
  verb->add_option("WORLD", given->world, "which")->required()->check(CLI::IsMember(benchmark_names()));
  verb->add_option("--seed", given->request.seed, "as in elastane reproduce")->capture_default_str();
  verb->add_option("--episode", given->request.episode, "of that seed")
      ->check(CLI::Range(0, 1'000'000))
      ->capture_default_str();
  verb->add_option("--agents", given->request.agents, "who is shown, side by side")->delimiter(',');
  verb->add_option("--site", given->site, "navigation over a site of one's own (docs/howto/site.md)")
      ->type_name("JSON");
  verb->add_option("--start", given->start, "on that site or map, where from")
      ->delimiter(',')
      ->expected(2)
      ->type_name("X,Y");
  add_map_options(*verb, given->walk);
  verb->add_option("--sequence", given->sequence, "peptide: residues of one's own, 8 to 12")->type_name("LETTERS");
  verb->add_option("--contact", given->contact, "peptide: the residues that should meet, counted from 1")
      ->delimiter(',')
      ->expected(2)
      ->type_name("I,J");
  verb->add_option("--structure", given->own_loop.structure,
                   "protein_loop: a protein of one's own, as PDB or mmCIF (docs/howto/protein_loop.md)")
      ->type_name("FILE");
  verb->add_option("--loop", given->own_loop.loop, "of that protein: what is bent, 4 to 12 residues")
      ->type_name("FIRST-LAST");
  verb->add_option("--chain", given->own_loop.chain, "of that protein (default: the first)")->type_name("NAME");
  verb->add_option("--pdb", given->pdb, "peptide, or with --structure: what the last agent leaves, as a structure")
      ->type_name("FILE");
  verb->add_option("--models", given->models, "folder of the weights")->type_name("DIR")->capture_default_str();
  verb->add_option("-o,--out", given->out, "the page (default: WORLD.html)")->type_name("HTML");
  verb->add_option("--figure", given->figure, "also draw the whole episode to this file")->type_name("SVG");
  verb->footer(
      "Examples:\n"
      "  elastane play navigation\n"
      "  elastane play navigation --seed 3 --episode 12 --agents frozen,exact --out episode.html\n"
      "  elastane play navigation_drifting --agents frozen,kalman,persistent,oracle\n"
      "  elastane play navigation --site examples/site.json --start 0.1,0.5\n"
      "  elastane play peptide --figure peptide.svg\n"
      "  elastane play maze_27 --agents k0,esm,replanner\n"
      "  elastane play maze --map examples/maze.map --start 1,1 --goal 21,17\n"
      "  elastane play protein_loop --agents ssm,transformer,esm\n"
      "  elastane play protein_loop --structure protein.pdb --loop 20-31 --pdb repaired.pdb\n"
      "  elastane play peptide --sequence ACDEFGHIK --contact 2,7 --pdb last.pdb\n\n"
      "Without --seed and --episode it is the first episode of seed 1, whatever becomes of it. In navigation a crate "
      "is\n"
      "dragged onto the way; navigation_moving, _drifting, _blind and _still are the settings of \"when the latent "
      "wins\".\n"
      "The page needs no network and no other file. WORLD.html#120 opens it at step 120.");
  verb->callback([given] {
    if (given->out.empty()) given->out = given->world + ".html";
    std::visit([&](const auto& episode) { show(*given, episode); }, recorded(*given));
  });
}

}  // namespace elastane::app
