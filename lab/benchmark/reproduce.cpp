#include "lab/benchmark/reproduce.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <stdexcept>

#include "command_line/bar.h"
#include "command_line/commit.h"
#include "command_line/messages.h"
#include "command_line/stop_signals.h"
#include "elastane/core/base/clock.h"
#include "elastane/io/file.h"
#include "lab/benchmark/report.h"
#include "lab/benchmark/results_json.h"

namespace elastane::benchmark {
namespace {

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

// the agents that take part, with the reference among them
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
  const JournalHeader header{.benchmark = benchmark.name(),
                             .weights = benchmark.fingerprint(),
                             .version = command_line::version() + " " + command_line::commit(),
                             .threads = options.threads};
  if (options.journal.empty()) return Journal(header);
  if (options.fresh) std::filesystem::remove(options.journal);
  Journal journal = Journal::open(options.journal, header).value();
  if (journal.torn_bytes() > 0) {
    command_line::print_stderr("{}: its last line was incomplete ({} bytes) and is dropped\n", options.journal,
                               journal.torn_bytes());
  }
  return journal;
}

// how the figures were obtained
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
      any.worlds < kFewWorlds ? ", then over their episodes" : "",
      any.worlds < kFewWorlds ? "episode by episode (worlds are few: this holds for these)" : "world by world",
      has_reference(benchmark) ? benchmark.reference() : any.card.name,
      has_reference(benchmark) ? benchmark.reference() : any.card.name);
  return text;
}

std::string tables(const Benchmark& benchmark, const ReproduceOptions& options, const std::vector<Row>& rows,
                   const std::vector<Finding>& found) {
  std::string text = preface(benchmark, options, rows) + "\n" + outcome_table(rows);
  text += fmt::format(
      "\nThe price of a step: {} thread{} ran beside each other{}; products\nwith J or its "
      "transpose and multiply-adds are counted.\n\n",
      options.threads, options.threads == 1 ? "" : "s",
      options.threads == 1 ? "" : ", which disturbs times (--threads 1 does not)");
  text += cost_table(rows);
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
        kSure);
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
                  options.grid ? ": the budget grid" : "", options.command, command_line::commit(), options.first_seed,
                  options.first_seed + static_cast<std::uint64_t>(options.seeds) - 1, benchmark.fingerprint(), body));
}

// the signal that ended it, or 0
int run_missing(const Benchmark& benchmark, const RunOptions& run, Journal& journal) {
  const command_line::StopSignals signals;
  const double begin = now_micros();
  int finished = 0;
  command_line::Bar bar;
  play(
      benchmark, run, journal, [&] { return signals.caught() != 0; },
      [&](const Progress& p) {
        finished = p.done;
        bar.update(static_cast<double>(p.done) / p.missing,
                   fmt::format("{}, seed {}: {} of {} blocks{}", p.agent, p.seed, p.done, p.missing,
                               p.kept > 0 ? fmt::format(", {} were there", p.kept) : ""));
      })
      .value();
  bar.clear();
  if (finished > 0) {
    command_line::print_stderr("{} blocks of {} episodes in {:.0f} s\n", finished, run.block,
                               (now_micros() - begin) * 1e-6);
  }
  return signals.caught();
}

}  // namespace

void write_text(const std::string& path, const std::string& text) {
  if (!path.empty()) write_file(path, std::as_bytes(std::span(text))).value();
}

ReproducedTables reproduce_tables(const Benchmark& benchmark, const ReproduceOptions& given) {
  ReproduceOptions options = given;
  if (options.episodes == 0) options.episodes = kEpisodes;
  const RunOptions run{.agents = chosen_agents(benchmark, options),
                       .first_seed = options.first_seed,
                       .seeds = options.seeds,
                       .episodes = options.episodes,
                       .threads = options.threads};
  Journal journal = open_journal(benchmark, options);
  if (const int signal = run_missing(benchmark, run, journal); signal != 0) {
    command_line::print_stderr("stopped; {}\n", options.journal.empty()
                                                    ? "nothing is kept without a journal"
                                                    : "the same command resumes from " + options.journal);
    return {.signal = signal};
  }
  ReproducedTables made{.records = collect(benchmark, run, journal).value()};
  made.rows = results(made.records, {.reference = benchmark.reference(),
                                     .seeds = options.seeds,
                                     .kinds = benchmark.kinds(),
                                     .tallied = benchmark.tallied()});
  made.findings = benchmark::findings(made.records, benchmark.claims());
  made.text = tables(benchmark, options, made.rows, made.findings);
  return made;
}

void declare(command_line::Command& command, ReproduceOptions& o, const std::string& episodes) {
  command.option("--seeds", o.seeds, "number of seeds").range(1, 10'000);
  command.option("--first-seed", o.first_seed, "the first of them");
  command.option("--episodes", o.episodes, fmt::format("of each seed (default: {})", episodes))
      .range(1, 1'000'000)
      .hide_default();
  command.option("--threads", o.threads, "that run episodes; 1 for undisturbed times").range(1, 1024);
  command
      .option("--journal", o.journal,
              "finished episodes are kept here and not run again (default: reproduce-NAME.jsonl; none: not kept)")
      .type("FILE");
  command.flag("--fresh", o.fresh, "remove an old journal first");
  command.option("--json", o.json, "write the rows to this file, as a JSON list").type("FILE");
  command.option("--markdown", o.markdown, "write the tables to this file").type("FILE");
}

void choose_journal(const std::string& name, ReproduceOptions& options) {
  if (options.journal.empty()) options.journal = fmt::format("reproduce-{}.jsonl", name);
  if (options.journal == "none") options.journal.clear();
}

int reproduce(const Benchmark& benchmark, const ReproduceOptions& options) {
  const ReproducedTables made = reproduce_tables(benchmark, options);
  if (made.signal != 0) return 128 + made.signal;
  fmt::print("{}", made.text);
  std::fflush(stdout);

  RowJson json = RowJson::array();
  for (const Row& row : made.rows) json.push_back(as_json(row, made.findings));
  write_text(options.json, json.dump(1) + "\n");
  write_text(options.markdown, markdown(benchmark, options, made.rows, made.text));
  return 0;
}

}  // namespace elastane::benchmark
