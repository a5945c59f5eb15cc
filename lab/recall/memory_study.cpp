#include "lab/recall/memory_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "lab/recall/copy_exact.h"
#include "lab/recall/given_keys.h"
#include "lab/recall/memory_cost.h"
#include "lab/recall/streams_by_key.h"

namespace elastane::recall {
namespace {

constexpr double kBeta = 0.7;               // of delta rules that follow values which change
constexpr std::uint64_t kFirstSeed = 1001;  // settings were tried by hand on seeds below 100

std::uint64_t study_seed(int index) { return kFirstSeed + static_cast<std::uint64_t>(index); }

struct NamedRule {
  std::string name;
  int keys;
  std::function<RulePointer(std::uint64_t seed)> make;
};

NamedRule library(const std::string& name, const AssociativeMemory& memory, double strength = kBeta) {
  return {name, memory.keys, [=](std::uint64_t) { return library_rule(memory, strength); }};
}

// equal floats, or nearly so: 2,048 with d_v = 32
std::vector<NamedRule> compared_rules() {
  AssociativeMemory squares = writing_always(41, kValueSize, WriteRule::least_squares);
  const MomentumOptions momentum;
  return {library("delta 64", writing_always(64, kValueSize), 0.4),
          library("delta 64, whole steps", writing_always(64, kValueSize), 1),
          library("least squares 41", squares, 1),
          library("least squares 41, inflated", changing_squares(41, kValueSize), 1),
          {"hebb 64", 64, [](std::uint64_t) { return hebb_rule(64, kValueSize); }},
          {"hebb 64, decay", 64, [](std::uint64_t) { return hebb_rule(64, kValueSize, 0.99); }},
          {"momentum 32", 32, [=](std::uint64_t) { return momentum_rule(32, kValueSize, momentum); }},
          {"network 16 to 16 with momentum", 16,
           [=](std::uint64_t seed) { return network_rule(16, 16, kValueSize, {.rate = 0.05, .momentum = 0.5}, seed); }},
          {"diagonal least squares 63", 63, [](std::uint64_t) { return diagonal_rule(63, kValueSize, 0.05); }}};
}

AssociativeMemory gated(AssociativeMemory memory, const WriteGate& gate) {
  memory.gate = gate;
  return memory;
}

constexpr WriteGate kOnSurprise = {.policy = WritePolicy::surprise, .threshold = 0.5};
WriteGate within_budget(double share) {
  return {.policy = WritePolicy::budget, .threshold = 0.3, .share = share, .burst = 64};
}
constexpr WriteGate kSeenTwice = {.policy = WritePolicy::seen_twice, .threshold = 0.5, .sightings = 128};

std::vector<NamedRule> gated_rules() {
  const AssociativeMemory delta = writing_always(64, kValueSize), squares = changing_squares(41, kValueSize);
  std::vector<NamedRule> rules;
  for (const auto& [name, memory] : {std::pair{"delta 64", delta}, std::pair{"least squares 41", squares}}) {
    const double strength = memory.rule == WriteRule::delta ? kBeta : 1;
    const std::string of = name;
    rules.push_back(library(of + ", always", memory, strength));
    rules.push_back(library(of + ", on surprise", gated(memory, kOnSurprise), strength));
    for (const int percent : {10, 5, 2}) {
      rules.push_back(
          library(fmt::format("{}, budget {} %", of, percent), gated(memory, within_budget(0.01 * percent)), strength));
    }
    rules.push_back({of + ", random 10 %", memory.keys,
                     [=, m = memory](std::uint64_t seed) { return random_rule(m, strength, 0.1, seed); }});
  }
  // larger and gated against smaller and always, at equal counted compute
  rules.push_back(library("delta 90, on surprise", gated(writing_always(90, kValueSize), kOnSurprise)));
  return rules;
}

std::optional<std::int64_t> bytes_of(const MemoryRule& rule) { return static_cast<std::int64_t>(rule.bytes()); }

}  // namespace

bool MemoryStudyOptions::has(const std::string& part) const {
  return parts.empty() || std::ranges::find(parts, part) != parts.end();
}

std::vector<RecallRow> copy_exact_rows(const MemoryStudyOptions&) {
  std::vector<RecallRow> rows;
  const auto add = [&](const std::string& model, int length, double accuracy, double bound) {
    rows.push_back({.part = "copy_exact",
                    .model = model,
                    .seed = kFirstSeed,
                    .length = length,
                    .accuracy = accuracy,
                    .accuracy_changed = bound});
  };
  for (const auto& [symbols, length] : {std::pair{4, 8}, {4, 9}, {4, 10}, {4, 12}, {26, 9}}) {
    add(fmt::format("register of 8, {} symbols", symbols), length,
        1 - shift_register_error(symbols, 8, length, 20'000, kFirstSeed), 1 - shift_register_bound(symbols, 8, length));
  }
  for (const int n : {2, 3, 4}) {
    for (const int length : {16, 32, 64, 128, 256}) {
      const NgramErrors e = ngram_copy_error(26, n, length, 2000, kFirstSeed);
      add(fmt::format("{}-gram copier, 26 symbols", n), length, 1 - e.error, 1 - e.bound);
    }
  }
  return rows;
}

std::vector<RecallRow> rule_rows(const MemoryStudyOptions& options) {
  std::vector<RecallRow> rows;
  for (const NamedRule& rule : compared_rules()) {
    for (const double cosine : {0.0, 0.36}) {
      const std::string model = rule.name + (cosine > 0 ? ", cosine .36" : "");
      for (int s = 0; s < options.seeds; ++s) {
        for (const int pairs : {32, 64, 96}) {
          const RulePointer memory = rule.make(study_seed(s));
          const Recalled r = hold_pairs(*memory, rule.keys, cosine, pairs, study_seed(s));
          rows.push_back({.part = "rules",
                          .model = model,
                          .seed = study_seed(s),
                          .length = pairs,
                          .pairs = pairs,
                          .accuracy = r.accuracy,
                          .state_bytes = bytes_of(*memory)});
        }
        const RulePointer memory = rule.make(study_seed(s));
        const Recalled r = rebind_pairs(*memory, rule.keys, cosine, 24, study_seed(s));
        rows.push_back({.part = "rules",
                        .model = model,
                        .seed = study_seed(s),
                        .length = 36,
                        .pairs = 24,
                        .accuracy = r.accuracy,
                        .accuracy_changed = r.changed,
                        .state_bytes = bytes_of(*memory)});
      }
    }
  }
  return rows;
}

std::vector<RecallRow> gate_rows(const MemoryStudyOptions& options) {
  std::vector<RecallRow> rows;
  for (const NamedRule& rule : gated_rules()) {
    for (const int pairs : {32, 48, 96}) {
      for (int s = 0; s < options.seeds; ++s) {
        const RulePointer memory = rule.make(study_seed(s));
        const Recalled r = follow_pairs(*memory, {.keys = rule.keys, .pairs = pairs}, study_seed(s));
        rows.push_back({.part = "gates",
                        .model = rule.name,
                        .seed = study_seed(s),
                        .length = 5000,
                        .pairs = pairs,
                        .accuracy = r.accuracy,
                        .state_bytes = bytes_of(*memory),
                        .write_share = r.write_share});
      }
    }
  }
  return rows;
}

std::vector<RecallRow> needle_rows(const MemoryStudyOptions& options) {
  struct Case {
    NamedRule rule;
    double junk;
  };
  const AssociativeMemory large = writing_always(128, kValueSize);
  const std::vector<Case> cases = {
      {library("delta 64, always", writing_always(64, kValueSize)), 0},
      {library("delta 64, on surprise", gated(writing_always(64, kValueSize), kOnSurprise)), 0},
      {library("delta 128, on surprise", gated(large, kOnSurprise)), 0},
      {library("least squares 64, on surprise", gated(changing_squares(64, kValueSize), kOnSurprise), 1), 0},
      {library("delta 128, on surprise, 10 % junk", gated(large, kOnSurprise)), 0.1},
      {library("delta 128, seen twice, 10 % junk", gated(large, kSeenTwice), 1), 0.1},
      {library("delta 128, seen twice, 50 % junk", gated(large, kSeenTwice), 1), 0.5}};
  std::vector<RecallRow> rows;
  for (const Case& c : cases) {
    for (int s = 0; s < options.seeds; ++s) {
      const RulePointer memory = c.rule.make(study_seed(s));
      const NeedleOptions needles{.keys = c.rule.keys, .steps = options.needle_steps, .junk = c.junk};
      for (const NeedlePoint& point : find_needles(*memory, needles, study_seed(s))) {
        rows.push_back({.part = "needles",
                        .model = c.rule.name,
                        .seed = study_seed(s),
                        .length = point.steps,
                        .pairs = needles.needles,
                        .accuracy = point.accuracy,
                        .state_bytes = bytes_of(*memory),
                        .write_share = point.write_share});
      }
    }
  }
  return rows;
}

std::vector<RecallRow> device_rows(const MemoryStudyOptions& options) {
  std::vector<RecallRow> rows;
  for (const bool zipf : {false, true}) {
    for (int s = 0; s < options.seeds; ++s) {
      const DeviceOptions devices{.zipf = zipf};
      for (const DeviceResult& r : follow_devices(devices, study_seed(s))) {
        rows.push_back({.part = "devices",
                        .model = fmt::format("{}{} ({} floats per row)", r.model, zipf ? ", Zipf" : "", r.touched),
                        .seed = study_seed(s),
                        .length = devices.rows,
                        .pairs = devices.devices,
                        .accuracy = r.error,
                        .state_bytes = static_cast<std::int64_t>(r.bytes)});
      }
    }
  }
  return rows;
}

std::vector<RecallRow> regime_rows(const MemoryStudyOptions& options) {
  std::vector<RecallRow> rows;
  for (const int regimes : {4, 8, 12, 24}) {
    for (int s = 0; s < options.seeds; ++s) {
      for (const RegimeResult& r : return_to_regimes({.regimes = regimes}, study_seed(s))) {
        rows.push_back({.part = "regimes",
                        .model = r.model,
                        .seed = study_seed(s),
                        .length = 18'000,
                        .pairs = regimes,
                        .accuracy = r.first,
                        .accuracy_changed = r.rest,
                        .state_bytes = static_cast<std::int64_t>(r.bytes),
                        .write_share = r.write_share});
      }
    }
  }
  return rows;
}

std::vector<RecallRow> cost_rows(const MemoryStudyOptions& options) {
  std::vector<std::int64_t> tokens;
  for (std::int64_t n = 1024; n <= options.tokens; n *= n < 65536 ? 4 : 8) tokens.push_back(n);
  if (tokens.back() != options.tokens) tokens.push_back(options.tokens);
  std::vector<RecallRow> rows;
  const auto add = [&](const CostPoint& p, double share) {
    rows.push_back({.part = "cost",
                    .model = p.model,
                    .length = p.tokens,
                    .state_bytes = p.bytes,
                    .write_share = share,
                    .p50_us = p.p50_us});
  };
  const WriteGate closed = {.policy = WritePolicy::surprise, .threshold = 1e6};
  for (const auto& [heads, size] : {std::pair{1, 32}, {1, 64}, {1, 128}, {4, 64}}) {
    const AssociativeMemory memory{.heads = heads, .keys = size, .values = size};
    const std::string name = fmt::format("delta {} x {}", heads, size);
    for (const CostPoint& p : time_memory(name, memory, tokens)) add(p, 1);
    for (const CostPoint& p : time_memory(name + ", gate closed", gated(memory, closed), {1024, 65536})) add(p, 0);
  }
  AssociativeMemory squares{.keys = 64, .values = 64, .rule = WriteRule::least_squares, .relax = 1e-3, .inflate = 4};
  for (const CostPoint& p : time_memory("least squares 1 x 64", squares, {1024, 65536})) add(p, 1);
  for (const std::int64_t n : tokens) add(time_attention(64, n), 1);
  return rows;
}

std::vector<RecallRow> trained_rows(const std::string& part, const std::vector<RecallRow>& journal) {
  std::vector<RecallRow> rows;
  std::ranges::copy_if(journal, std::back_inserter(rows), [&](const RecallRow& row) { return row.part == part; });
  return rows;
}

std::vector<std::vector<std::string>> missing_trainings(const std::vector<RecallRow>& journal,
                                                        const MemoryStudyOptions& options) {
  struct Training {
    const char *part, *model;
    int seeds, steps;
    const char *rate = "0.01", *enough = "0.998";
  };
  const int all_seeds = options.seeds;
  const Training all[] = {{"mqar", "ssm_delta32", all_seeds, 240},
                          {"mqar", "ssm_attention", all_seeds, 300, "0.002", "1"},
                          {"mqar", "ssm_squares24", 1, 300},
                          {"mqar", "delta16_x2", 1, 400},
                          {"mqar", "delta32_x2", 1, 400},
                          {"mqar", "ssm_window32", 1, 200, "0.002"},
                          {"mqar", "ssm_x2", 1, 400},
                          {"mqar", "mamba_x2", 1, 400},
                          {"rebind", "delta32", all_seeds, 400},
                          {"rebind", "squares32", all_seeds, 400},
                          {"rebind", "attention", 1, 400, "0.002"},
                          {"copy", "ssm_attention", all_seeds, 500, "0.002", "1"},
                          {"copy", "ssm_delta64", 1, 400},
                          {"copy", "ssm_window32", 1, 200, "0.002"}};
  std::vector<std::vector<std::string>> calls;
  for (const Training& t : all) {
    for (int seed = 1; options.has(t.part) && seed <= t.seeds; ++seed) {
      const bool done = std::ranges::any_of(journal, [&](const RecallRow& row) {
        return row.part == t.part && row.model == t.model && row.seed == static_cast<std::uint64_t>(seed);
      });
      if (done) continue;
      calls.push_back({"train", "associations", "--task", t.part, "--stack", t.model, "--steps",
                       std::to_string(t.steps), "--rate", t.rate, "--enough", t.enough, "--seed", std::to_string(seed),
                       "--journal", options.journal});
    }
  }
  return calls;
}

}  // namespace elastane::recall
