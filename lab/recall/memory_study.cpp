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
  for (const int n : {2, 3, 4, 5}) {
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
      {library("delta 128, seen twice, 50 % junk", gated(large, kSeenTwice), 1), 0.5},
      {library("delta 256, seen twice, 50 % junk", gated(writing_always(256, kValueSize), kSeenTwice), 1), 0.5},
      {library("least squares 64, seen twice, 10 % junk", gated(changing_squares(64, kValueSize), kSeenTwice), 1), 0.1},
      {library("least squares 64, seen twice, 50 % junk", gated(changing_squares(64, kValueSize), kSeenTwice), 1),
       0.5}};
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

std::vector<RecallRow> size_rows(const MemoryStudyOptions& options) {
  std::vector<RecallRow> rows;
  for (const int heads : {1, 2, 4}) {
    for (const int keys : {16, 32, 64, 128}) {
      const int values = kValueSize / heads;
      const std::string model = fmt::format("delta {} x ({}, {})", heads, keys, values);
      const CostPoint cost = time_memory(model, {.heads = heads, .keys = keys, .values = values}, {65536})[0];
      for (int s = 0; s < options.seeds; ++s) {
        for (const int pairs : {32, 64}) {
          const RulePointer memory = heads_rule(heads, writing_always(keys, values), 0.4);
          const Recalled r = hold_pairs(*memory, heads * keys, 0, pairs, study_seed(s));
          rows.push_back({.part = "sizes",
                          .model = model,
                          .seed = study_seed(s),
                          .length = pairs,
                          .pairs = pairs,
                          .accuracy = r.accuracy,
                          .state_bytes = cost.bytes,
                          .write_share = 1,
                          .p50_us = cost.p50_us});
        }
      }
    }
  }
  return rows;
}

std::vector<RecallRow> trained_rows(const std::string& part, const std::vector<RecallRow>& journal) {
  std::vector<RecallRow> rows;
  std::ranges::copy_if(journal, std::back_inserter(rows), [&](const RecallRow& row) { return row.part == part; });
  return rows;
}

namespace {

using Arguments = std::vector<std::string>;

struct Training {
  const char *part, *model;  // model: as rows begin
  int seeds;
  Arguments arguments;  // besides task, seed and journal
};

Training association(const char* part, const char* stack, int seeds, int steps, const Arguments& more = {}) {
  Arguments arguments = {"associations", "--task", part, "--stack", stack, "--steps", std::to_string(steps)};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return {part, stack, seeds, arguments};
}

// 64 pairs of 512 symbols: accuracy against state bytes
Training large_mqar(const char* stack, const char* rows, int seeds, int steps, const Arguments& more = {}) {
  Training t = association("mqar", stack, seeds, steps, more);
  t.model = rows;
  t.arguments.insert(t.arguments.end(), {"--pairs", "64", "--vocabulary", "512"});
  return t;
}

Training text(const char* rows, const char* stack, const char* equal, int seeds) {
  return {"language",
          rows,
          seeds,
          {"text", "--stack", stack, "--equal", equal, "--steps", "300", "--context", "256", "--batch", "16"}};
}

std::vector<Training> all_trainings(int seeds) {
  const Arguments to_the_end = {"--enough", "1", "--patience", "10"};
  const Arguments from_few = {"--enough", "1", "--patience", "25", "--curriculum"};
  const Arguments small_steps = {"--rate", "0.001", "--enough", "2"};  // from a start that already recalls
  // a larger rate destroys the start: where nearly all is right, AdamW still takes whole steps, along noise
  const Arguments copies = {"--rate", "0.0001", "--enough", "2", "--tests", "512"};
  Arguments mamba = from_few;
  mamba.insert(mamba.end(), {"--rate", "0.003"});
  return {association("mqar", "ssm_delta32", seeds, 240),
          association("mqar", "ssm_attention", seeds, 40, small_steps),
          association("mqar", "ssm_squares24", 1, 300),
          association("mqar", "delta16_x2", 1, 400),
          association("mqar", "delta32_x2", 1, 400),
          large_mqar("ssm_delta16", "ssm_delta16, 512 symbols", 1, 300, to_the_end),
          large_mqar("ssm_delta32", "ssm_delta32, 512 symbols", 1, 300, to_the_end),
          large_mqar("ssm_delta64", "ssm_delta64, 512 symbols", 1, 300, to_the_end),
          large_mqar("ssm_delta128", "ssm_delta128, 512 symbols", 1, 300, to_the_end),
          large_mqar("delta32_x2", "delta32_x2, 512 symbols", 1, 300, to_the_end),
          large_mqar("ssm_squares24", "ssm_squares24, 512 symbols", 1, 300, to_the_end),
          large_mqar("ssm_squares48", "ssm_squares48, 512 symbols", 1, 300, to_the_end),
          large_mqar("ssm_window32", "ssm_window32, 512 symbols", 1, 100, {"--rate", "0.001", "--enough", "1"}),
          large_mqar("ssm_attention", "ssm_attention, 512 symbols", 1, 40, small_steps),
          large_mqar("ssm_x2", "ssm_x2, 512 symbols", 1, 1000, from_few),
          large_mqar("mamba_x2", "mamba_x2, 512 symbols", 1, 1000, mamba),
          large_mqar("lstm_x2", "lstm_x2, 512 symbols", 1, 1000, from_few),
          association("rebind", "delta32", seeds, 400),
          association("rebind", "squares32", seeds, 400),
          association("rebind", "attention", 1, 400, {"--rate", "0.002"}),
          association("copy", "ssm_attention", seeds, 200, copies),
          association("copy", "ssm_delta64", 1, 400),
          association("copy", "delta64_x2", 1, 400),
          association("copy", "ssm_window32", 1, 200, copies),
          association("copy", "ssm_x2", 1, 400),
          association("copy", "mamba_x2", 1, 400, {"--rate", "0.003"}),
          text("ssm, equal parameters", "ssm", "parameters", 3),
          text("delta, equal parameters", "delta", "parameters", 3),
          text("window, equal parameters", "window", "parameters", 3),
          text("attention, equal parameters", "attention", "parameters", 3),
          text("ssm, equal compute", "ssm", "compute", 3),
          text("delta, equal compute", "delta", "compute", 3),
          text("window, equal compute", "window", "compute", 3)};
}

}  // namespace

std::vector<std::vector<std::string>> missing_trainings(const std::vector<RecallRow>& journal,
                                                        const MemoryStudyOptions& options) {
  std::vector<std::vector<std::string>> calls;
  for (const Training& t : all_trainings(options.seeds)) {
    const bool is_text = t.part == std::string("language");  // whose rows also have sizes in their names
    for (int seed = 1; options.has(t.part) && seed <= t.seeds; ++seed) {
      const bool done = std::ranges::any_of(journal, [&](const RecallRow& row) {
        return row.part == t.part && (is_text ? row.model.starts_with(t.model) : row.model == t.model) &&
               row.seed == static_cast<std::uint64_t>(seed);
      });
      if (done) continue;
      std::vector<std::string> call = {"train"};
      call.insert(call.end(), t.arguments.begin(), t.arguments.end());
      call.insert(call.end(), {"--seed", std::to_string(seed), "--journal", options.journal});
      calls.push_back(std::move(call));
    }
  }
  return calls;
}

}  // namespace elastane::recall
