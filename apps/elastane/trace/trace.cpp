// elastane trace summarise FILE: where a run's compute went, what it gained, and why corrections stopped.
#include <fmt/core.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "apps/elastane/trace/trace_summary.h"
#include "apps/elastane/verbs.h"
#include "command_line/messages.h"
#include "elastane/io/trace.h"

namespace elastane::app {
namespace {

using Json = nlohmann::ordered_json;

double ratio(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? kNone : static_cast<double>(part) / static_cast<double>(whole);
}

// --- as a table

std::string shown(double value) { return std::isnan(value) ? "-" : fmt::format("{:.4g}", value); }
std::string percent(double share) { return std::isnan(share) ? "-" : fmt::format("{:.1f} %", 100 * share); }
std::string percent(std::uint64_t part, std::uint64_t whole) { return percent(ratio(part, whole)); }

// a text of the header, made fit for one line of a terminal
std::string printable(std::string_view text) {
  constexpr std::size_t kMost = 200;
  std::string line(text.substr(0, kMost));
  for (char& c : line) c = static_cast<unsigned char>(c) < ' ' || c == '\x7f' ? '?' : c;
  return text.size() > kMost ? line + "..." : line;
}

void print_depths(const TraceSummary& s) {
  fmt::print("\n{:<30} {:>9} {:>9}\n", "How deep", "steps", "share");
  std::size_t last = kDeepest;
  while (last > 0 && s.depths[last] == 0) last -= 1;
  for (std::size_t k = 0; k <= last; ++k) {
    const double share = ratio(s.depths[k], s.steps);
    fmt::print("  K = {:<24} {:>9} {:>9}  {}\n", fmt::format("{}{}", k, k == kDeepest ? " or more" : ""), s.depths[k],
               percent(share), std::string(static_cast<std::size_t>(std::ceil(40 * share)), '#'));
  }
  fmt::print("  mean K {}; ", shown(ratio(s.micro_steps, s.steps)));
  if (s.micro_steps == 0) {
    fmt::print("no micro-step was started\n");
  } else {
    fmt::print("of {} micro-steps {} were accepted, with {} trials each\n", s.micro_steps,
               percent(s.accepted, s.micro_steps), shown(ratio(s.trials, s.micro_steps)));
  }

  fmt::print("\n{:<30} {:>9} {:>9}\n", "Why it stopped", "steps", "share");
  for (std::size_t i = 0; i < kStopReasons; ++i) {
    if (s.stop_reasons[i] == 0) continue;
    fmt::print("  {:<28} {:>9} {:>9}\n", name(static_cast<Stop>(i)), s.stop_reasons[i],
               percent(s.stop_reasons[i], s.steps));
  }
}

void print_bins(const char* title, const std::vector<Bin>& bins) {
  if (bins.empty()) return;
  fmt::print("\n{:<30} {:>9} {:>8} {:>10} {:>12} {:>12} {:>9}\n", title, "steps", "mean K", "accepted", "loss before",
             "loss after", "gain");
  for (const Bin& b : bins) {
    fmt::print("  {:<28} {:>9} {:>8} {:>10} {:>12} {:>12} {:>9}\n", fmt::format("{} to {}", shown(b.from), shown(b.to)),
               b.steps, shown(b.mean_depth), percent(b.accept_rate), shown(b.loss.before), shown(b.loss.after),
               percent(b.loss.relative()));
  }
}

void print_gains(const TraceSummary& s) {
  fmt::print("\n{:<30} {:>9} {:>12} {:>12} {:>9}\n", "What it gained, on average", "steps", "before", "after", "gain");
  const auto row = [](const char* title, const Gain& g) {
    fmt::print("  {:<28} {:>9} {:>12} {:>12} {:>9}\n", title, g.steps, shown(g.before), shown(g.after),
               percent(g.relative()));
  };
  row("loss", s.loss);
  row("loss, where corrected", s.corrected_loss);
  row("horizon, where corrected", s.corrected_horizon);
  fmt::print("  the loss fell in {} of the steps and rose in {}\n", percent(s.lowered, s.loss.steps),
             percent(s.raised, s.loss.steps));
}

void print_time(const TraceSummary& s) {
  fmt::print("\n{:<30} {:>9} {:>8} {:>10} {:>12} {:>12} {:>14} {:>9} {:>11}\n", "Over time", "steps", "mean K",
             "accepted", "loss before", "loss after", "condition p50", "p90", "radius p50");
  for (const Bin& b : s.over_time) {
    fmt::print("  {:<28} {:>9} {:>8} {:>10} {:>12} {:>12} {:>14} {:>9} {:>11}\n",
               fmt::format("{:.0f} to {:.0f}", b.from, b.to), b.steps, shown(b.mean_depth), percent(b.accept_rate),
               shown(b.loss.before), shown(b.loss.after), shown(b.condition.p50), shown(b.condition.p90),
               shown(b.radius.p50));
  }
}

void print_cost(const TraceSummary& s) {
  fmt::print("\n{:<14} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}   {:>12} {:>9}\n", "What it cost", "ran in", "mean µs",
             "p50", "p90", "p99", "max", "share", "mean MACs", "share");
  const auto row = [&](std::string_view title, const StageSummary& stage) {
    const Spread& t = stage.micros;
    fmt::print("  {:<12} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}   {:>12} {:>9}\n", title, percent(t.steps, s.steps),
               shown(stage.mean_micros), shown(t.p50), shown(t.p90), shown(t.p99), shown(t.max),
               percent(stage.micros_share), fmt::format("{:.0f}", stage.mean_macs), percent(stage.macs_share));
  };
  for (std::size_t i = 0; i < kStages; ++i) row(name(static_cast<Stage>(i)), s.stages[i]);
  row("total", s.total);
  fmt::print(
      "  means are over all steps, quantiles over those in which the stage ran; other: time that belongs to no "
      "stage\n");
  fmt::print("\nBudget: cut {} steps short ({}); {} ran over", s.cuts, percent(s.cuts, s.steps), s.overrun.steps);
  if (s.overrun.steps > 0) {
    fmt::print(", by {} µs at p50, {} at p99, {} at most", shown(s.overrun.p50), shown(s.overrun.p99),
               shown(s.overrun.max));
  }
  fmt::print("\n");
}

void print(const std::string& path, const TraceFields& fields, const TraceSummary& s) {
  fmt::print("{}: a trace of {} steps, {} to {}, time {} to {}\n", path, s.steps, s.first_position, s.last_position,
             shown(s.first_time), shown(s.last_time));
  for (const auto& [key, value] : fields) fmt::print("  {:<9} {}\n", printable(key), printable(value));
  fmt::print("  {:<9}", "metrics");
  for (std::size_t i = 0; i < kMetrics; ++i) {
    if (s.metrics[i] > 0) fmt::print(" {} ({})", name(static_cast<Metric>(i)), percent(s.metrics[i], s.steps));
  }
  fmt::print("\n");
  print_depths(s);
  print_bins("K against the loss before", s.by_loss);
  print_bins("K against κ, where K > 0", s.by_kappa);
  print_gains(s);
  print_time(s);
  print_cost(s);
}

// --- as JSON; a missing value is null

Json json_of(const Spread& s) {
  return {{"steps", s.steps}, {"p50", s.p50}, {"p90", s.p90}, {"p99", s.p99}, {"max", s.max}};
}

Json json_of(const Gain& g) {
  return {{"steps", g.steps}, {"before", g.before}, {"after", g.after}, {"relative_gain", g.relative()}};
}

Json json_of(const std::vector<Bin>& bins, bool in_time) {
  Json list = Json::array();
  for (const Bin& b : bins) {
    Json row = {{"from", b.from},
                {"to", b.to},
                {"steps", b.steps},
                {"mean_K", b.mean_depth},
                {"accept_rate", b.accept_rate},
                {"loss", json_of(b.loss)}};
    if (in_time) row["condition"] = json_of(b.condition), row["radius"] = json_of(b.radius);
    list.push_back(row);
  }
  return list;
}

Json json_of(const StageSummary& stage) {
  Json json = json_of(stage.micros);
  json["mean"] = stage.mean_micros;
  json["share"] = stage.micros_share;
  return json;
}

Json json_of(const std::string& path, const TraceFields& fields, const TraceSummary& s, bool torn) {
  Json json = {{"file", path},
               {"header", fields},
               {"torn", torn},
               {"steps", s.steps},
               {"first_step", s.first_position},
               {"last_step", s.last_position},
               {"first_time", s.first_time},
               {"last_time", s.last_time},
               {"K", {{"mean", ratio(s.micro_steps, s.steps)}, {"zero_share", ratio(s.depths[0], s.steps)}}},
               {"micro_steps", s.micro_steps},
               {"accepted", s.accepted},
               {"accept_rate", ratio(s.accepted, s.micro_steps)},
               {"trials", s.trials},
               {"cut", s.cuts},
               {"overrun", json_of(s.overrun)},
               {"loss", json_of(s.loss)},
               {"corrected_loss", json_of(s.corrected_loss)},
               {"corrected_horizon", json_of(s.corrected_horizon)},
               {"lowered", s.lowered},
               {"raised", s.raised},
               {"by_loss", json_of(s.by_loss, false)},
               {"by_kappa", json_of(s.by_kappa, false)},
               {"over_time", json_of(s.over_time, true)}};
  json["K"]["histogram"] = s.depths;  // the last one counts larger K too
  for (std::size_t i = 0; i < kStopReasons; ++i)
    json["stop"][std::string(name(static_cast<Stop>(i)))] = s.stop_reasons[i];
  for (std::size_t i = 0; i < kMetrics; ++i) json["metric"][std::string(name(static_cast<Metric>(i)))] = s.metrics[i];
  const auto cost = [&](std::string_view stage, const StageSummary& of) {
    json["micros"][std::string(stage)] = json_of(of);
    json["madds"][std::string(stage)] = {{"mean", of.mean_macs}, {"share", of.macs_share}};
  };
  for (std::size_t i = 0; i < kStages; ++i) cost(name(static_cast<Stage>(i)), s.stages[i]);
  cost("total", s.total);
  return json;
}

void summarise(const std::string& path, bool as_json) {
  TraceReader reader = TraceReader::open(path).value();
  TraceCollector collector;
  TraceStep step;
  while (reader.next(step).value()) collector.add(step);
  const TraceSummary summary = collector.summary();
  if (reader.torn()) {
    command_line::print_stderr(
        "elastane: [trace] {}, line {}: expected a whole line, found its beginning; it is left out (the run was "
        "stopped while it wrote, or still writes)\n",
        path, reader.line());
  }
  if (summary.steps == 0) {
    throw std::runtime_error(fmt::format(
        "[trace] {}: expected steps after the header, found none; let the run take one before it ends", path));
  }
  if (as_json) {
    fmt::print("{}\n", json_of(path, reader.fields(), summary, reader.torn()).dump());
  } else {
    print(path, reader.fields(), summary);
  }
}

}  // namespace

void add_trace(command_line::Command& program) {
  struct Options {
    std::string path;
    bool json = false;
  };
  auto options = std::make_shared<Options>();
  command_line::Command& trace = program.command("trace", "Analyse what a run recorded about its steps");
  command_line::Command& verb =
      trace.command("summarise", "Show where a run's compute went, what it gained, and why corrections stopped");
  verb.alias("summarize");
  verb.option("FILE", options->path, "a trace: JSON lines, one per step").required();
  verb.flag("--json", options->json, "print one JSON object and nothing else");
  verb.footer(
      "Examples:\n"
      "  elastane trace summarise run.jsonl\n"
      "  elastane trace summarise run.jsonl --json | jq .accept_rate\n"
      "  zcat run.jsonl.gz | elastane trace summarise /dev/stdin\n\n"
      "An unfinished last line is left out and reported on stderr. Quantiles need every value: ten million steps\n"
      "take 1 GB of memory. docs/trace_format.md explains every field.");
  verb.action([options] {
    summarise(options->path, options->json);
    return 0;
  });
}

}  // namespace elastane::app
