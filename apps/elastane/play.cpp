// elastane play: one episode as an animation in a page, agents side by side.
#include <fmt/format.h>

#include "apps/elastane/contests.h"
#include "apps/elastane/episode_figure.h"
#include "apps/elastane/player_page.h"
#include "apps/elastane/verbs.h"
#include "elastane/io/file.h"

namespace elastane::app {
namespace {

struct Given {
  std::string world, models = "models", out, figure;
  contest::RecordingRequest request;
};

void write_text(const std::string& path, const std::string& text) {
  write_file(path, std::as_bytes(std::span(text))).value();
}

template <class Episode>
void show(const Given& given, const Episode& episode) {
  fmt::print("{} (seed {}, episode {})\n", episode.title, episode.seed, episode.episode);
  for (const auto& agent : episode.agents) {
    const contest::Caption& c = agent.caption;
    fmt::print("  {:<28} {}, {} violation{}\n", c.name,
               c.success ? fmt::format("{} steps", c.steps) : fmt::format("failed in {} steps", c.steps), c.violations,
               c.violations == 1 ? "" : "s");
  }
  if (!given.figure.empty()) write_text(given.figure, episode_figure(episode));
  write_text(given.out, player_page(episode));
  fmt::print("The page is {}; any browser opens it.\n", given.out);
}

}  // namespace

void add_play(CLI::App& app) {
  auto given = std::make_shared<Given>();
  CLI::App* verb = app.add_subcommand("play", "One episode of a world as an animation, in a page for a browser");
  verb->add_option("WORLD", given->world, "which")->required()->check(CLI::IsMember(contest_names()));
  verb->add_option("--seed", given->request.seed, "as in elastane reproduce")->capture_default_str();
  verb->add_option("--episode", given->request.episode, "of that seed")
      ->check(CLI::Range(0, 1'000'000))
      ->capture_default_str();
  verb->add_option("--agents", given->request.agents, "who is shown, side by side")->delimiter(',');
  verb->add_option("--models", given->models, "folder of the weights")->type_name("DIR")->capture_default_str();
  verb->add_option("--out", given->out, "the page (default: WORLD.html)")->type_name("HTML");
  verb->add_option("--figure", given->figure, "also draw the whole episode to this file")->type_name("SVG");
  verb->footer(
      "Examples:\n"
      "  elastane play navigation\n"
      "  elastane play navigation --seed 3 --episode 12 --agents frozen,exact --out episode.html\n"
      "  elastane play peptide --figure peptide.svg\n\n"
      "The page needs no network and no other file. WORLD.html#120 opens it at step 120.");
  verb->callback([given] {
    if (given->out.empty()) given->out = given->world + ".html";
    std::visit([&](const auto& episode) { show(*given, episode); },
               record_episode(given->world, given->models, given->request));
  });
}

}  // namespace elastane::app
