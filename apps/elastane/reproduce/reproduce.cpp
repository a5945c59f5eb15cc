#include "apps/elastane/reproduce/reproduce.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <stdexcept>

#include "apps/elastane/reproduce/benchmark_report.h"
#include "apps/elastane/run/line_source.h"
#include "command_line/bar.h"
#include "command_line/commit.h"
#include "elastane/core/base/clock.h"
#include "elastane/io/file.h"
#include "lab/benchmark/results_json.h"

namespace elastane::app {
namespace {

using benchmark::AgentCard;
using benchmark::Benchmark;
using benchmark::Journal;
using benchmark::Row;

int place_of(const Benchmark& benchmark, const std::string& name) {
  const auto cards = benchmark.agents();
  const auto at = std::ranges::find(cards, name, &AgentCard::name);
  if (at != cards.end()) return static_cast<int>(at - cards.begin());
  std::string known;
  for (const AgentCard& card : cards) known += (known.empty() ? "" : ", ") + card.name;
  throw std::runtime_error(fmt::format("[reproduce] {}: expected an agent of {} ({}), found {}", benchmark.name(),
                                       benchmark.name(), known, name));
}

bool has_reference(const Benchmark& benchmark) {
  return std::ranges::any_of(benchmark.agents(), [&](const AgentCard& c) { return c.name == benchmark.reference(); });
}

// whoever takes part, with the reference among them
std::vector<int> chosen_agents(const Benchmark& benchmark, const ReproduceOptions& options) {
  std::vector<int> chosen;
  const auto agents = static_cast<int>(benchmark.agents().size()), grid = static_cast<int>(benchmark.grid().size());
  if (options.grid && grid == 0) throw std::runtime_error(fmt::format("[reproduce] {} has no grid", benchmark.name()));
  for (const std::string& name : options.agents) chosen.push_back(place_of(benchmark, name));
  if (options.grid) {
    for (int i = 0; i < grid; ++i) chosen.push_back(agents + i);
  } else if (options.agents.empty()) {
    for (int i = 0; i < agents; ++i) chosen.push_back(i);
  }
  if (has_reference(benchmark)) {
    const int reference = place_of(benchmark, benchmark.reference());
    if (std::ranges::find(chosen, reference) == chosen.end()) chosen.insert(chosen.begin(), reference);
  }
  return chosen;
}

Journal open_journal(const Benchmark& benchmark, const ReproduceOptions& options) {
  const benchmark::JournalHeader header{.benchmark = benchmark.name(),
                                        .weights = benchmark.fingerprint(),
                                        .version = version() + " " + commit(),
                                        .threads = options.threads};
  if (options.journal.empty()) return Journal(header);
  if (options.fresh) std::filesystem::remove(options.journal);
  Journal journal = Journal::open(options.journal, header).value();
  if (journal.torn_bytes() > 0) {
    fmt::print(stderr, "{}: its last line was not whole ({} bytes) and is dropped\n", options.journal,
               journal.torn_bytes());
  }
  return journal;
}

// how the figures came about
std::string preface(const Benchmark& benchmark, const ReproduceOptions& options, const std::vector<Row>& rows) {
  const Row& any = rows.front();
  std::string text = fmt::format(
      "{} agents, {} episodes each: {} of each of the seeds {} to {}, in {} worlds; at most {} steps an episode.\n"
      "Intervals: bootstrap over worlds{}, seeds pooled. p: agents exchanged {}, Holm over the rows, against {}.\n"
      "steps: of episodes that the agent and {} both solved; all: failures counted in full; after: since the change, "
      "likewise;\nviol.: steps that broke a constraint, of 1,000. *Published* figures are their authors', of their "
      "worlds and machines.\n",
      rows.size(), any.episodes, options.episodes, options.first_seed,
      options.first_seed + static_cast<std::uint64_t>(options.seeds) - 1, any.worlds, benchmark.limit(),
      any.worlds < benchmark::kFewWorlds ? ", then over their episodes" : "",
      any.worlds < benchmark::kFewWorlds ? "episode by episode (worlds are few: this holds for these)"
                                         : "world by world",
      has_reference(benchmark) ? benchmark.reference() : any.card.name,
      has_reference(benchmark) ? benchmark.reference() : any.card.name);
  return text;
}

std::string tables(const Benchmark& benchmark, const ReproduceOptions& options, const std::vector<Row>& rows,
                   const std::vector<benchmark::Finding>& found) {
  std::string text = preface(benchmark, options, rows) + "\n" + outcome_table(rows);
  text += fmt::format(
      "\nThe price of a step: {} thread{} ran beside each other{}; products\nwith J or its "
      "transpose and multiply-adds are counted.\n\n",
      options.threads, options.threads == 1 ? "" : "s",
      options.threads == 1 ? "" : ", which disturbs times (--threads 1 does not)");
  text += price_table(rows);
  if (const std::string changes = change_table(rows); !changes.empty()) {
    text += "\nSuccess against the time of the change, steps (joint successes; all) against its size:\n\n" + changes;
  }
  if (const std::string depths = depth_tables(rows); !depths.empty()) {
    text += "\nWhere micro-steps went: their mean number a step, and in brackets the steps there.\n\n" + depths;
  }
  if (const std::string stages = stage_table(rows); !stages.empty()) {
    text += "\nWhat a step's correction takes, stage by stage:\n\n" + stages;
  }
  if (const std::string claims = claim_table(found); !claims.empty()) {
    text += fmt::format(
        "\nWhat it is meant to show; shown: the figure reaches its aim, and p < {}. Of several agents the one with "
        "most "
        "success\nis taken, and p multiplied by their number before Holm's correction over the claims.\n\n",
        benchmark::kSure);
    text += claims;
  }
  return text;
}

std::string markdown(const Benchmark& benchmark, const ReproduceOptions& options, const std::vector<Row>& rows,
                     const std::string& body) {
  std::string who = "\nWho took part:\n\n";
  for (const Row& row : rows) who += fmt::format("- **{}**: {}\n", row.card.name, row.card.what);
  return who.insert(
      0,
      fmt::format("# {}{}\n\n`{}`, commit {}, seeds {} to {}, weights {:016x}\n\n{}", benchmark.name(),
                  options.grid ? ": the budget grid" : "", options.command, commit(), options.first_seed,
                  options.first_seed + static_cast<std::uint64_t>(options.seeds) - 1, benchmark.fingerprint(), body));
}

// the signal that ended it, or 0
int play(const Benchmark& benchmark, const benchmark::RunOptions& run, Journal& journal) {
  const StopSignals signals;
  const double begin = now_micros();
  int played = 0;
  Bar bar;
  benchmark::play(
      benchmark, run, journal, [&] { return signals.caught() != 0; },
      [&](const benchmark::Progress& p) {
        played = p.done;
        bar.update(static_cast<double>(p.done) / p.missing,
                   fmt::format("{}, seed {}: {} of {} blocks{}", p.agent, p.seed, p.done, p.missing,
                               p.kept > 0 ? fmt::format(", {} were there", p.kept) : ""));
      })
      .value();
  bar.clear();
  if (played > 0) {
    fmt::print(stderr, "{} blocks of {} episodes in {:.0f} s\n", played, run.block, (now_micros() - begin) * 1e-6);
  }
  return signals.caught();
}

}  // namespace

void write_text(const std::string& path, const std::string& text) {
  if (!path.empty()) write_file(path, std::as_bytes(std::span(text))).value();
}

Judged judge(const Benchmark& benchmark, const ReproduceOptions& given) {
  ReproduceOptions options = given;
  if (options.episodes == 0) options.episodes = kEpisodes;
  const benchmark::RunOptions run{.agents = chosen_agents(benchmark, options),
                                  .first_seed = options.first_seed,
                                  .seeds = options.seeds,
                                  .episodes = options.episodes,
                                  .threads = options.threads};
  Journal journal = open_journal(benchmark, options);
  if (const int signal = play(benchmark, run, journal); signal != 0) {
    fmt::print(stderr, "stopped; {}\n",
               options.journal.empty() ? "nothing is kept without a journal"
                                       : "the same command goes on from " + options.journal);
    return {.signal = signal};
  }
  Judged judged{.records = benchmark::collect(benchmark, run, journal).value()};
  judged.rows = benchmark::results(judged.records, {.reference = benchmark.reference(),
                                                    .seeds = options.seeds,
                                                    .kinds = benchmark.kinds(),
                                                    .tallied = benchmark.tallied()});
  judged.found = benchmark::findings(judged.records, benchmark.claims());
  judged.tables = tables(benchmark, options, judged.rows, judged.found);
  return judged;
}

int reproduce(const Benchmark& benchmark, const ReproduceOptions& options) {
  const Judged judged = judge(benchmark, options);
  if (judged.signal != 0) return 128 + judged.signal;
  fmt::print("{}", judged.tables);
  std::fflush(stdout);

  benchmark::RowJson json = benchmark::RowJson::array();
  for (const Row& row : judged.rows) json.push_back(benchmark::as_json(row, judged.found));
  write_text(options.json, json.dump(1) + "\n");
  write_text(options.markdown, markdown(benchmark, options, judged.rows, judged.tables));
  return 0;
}

}  // namespace elastane::app
