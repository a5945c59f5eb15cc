#include "lab/recall/memory_recording.h"

#include <fmt/format.h>

#include <algorithm>

#include "lab/benchmark/figure.h"
#include "lab/benchmark/recording_checks.h"
#include "lab/benchmark/recording_json.h"
#include "lab/benchmark/shown_agents.h"
#include "lab/recall/given_keys.h"

namespace elastane::recall {
namespace {

constexpr int kShownSteps = 600, kShownKeys = 20, kKeySize = 64;
constexpr double kNoise = 0.3, kRedraw = 0.02, kJunk = 0.1, kShare = 0.1;

struct ShownPolicy {
  std::string name, what;
  WriteGate gate = {};
  double random = 0;  // share of steps, where chance decides
};

const std::vector<ShownPolicy>& shown_policies() {
  static const std::vector<ShownPolicy> all = {
      {"always", "every step writes"},
      {"surprise", "what the memory does not know", {.policy = WritePolicy::surprise}},
      {"budget", "the same within a tenth of the steps", {.policy = WritePolicy::budget, .share = kShare, .burst = 16}},
      {"seen_twice", "what surprises and was seen before", {.policy = WritePolicy::seen_twice}},
      {"random", "a tenth of the steps, by chance", {}, kShare}};
  return all;
}

// keys and noisy values, step by step
struct ShownStream {
  struct Shown {
    std::vector<float> key, value;
  };
  PairSource source;
  std::vector<std::vector<float>> keys = {};
  std::vector<Shown> steps = {};
  std::vector<ShownStep> what = {};
};

ShownStream draw_stream(std::uint64_t seed, int episode) {
  ShownStream s{.source = PairSource(kKeySize, 0.1, seed * 1'000'003 + static_cast<std::uint64_t>(episode))};
  Random& random = s.source.random();
  std::vector<int> value, seen(as_size(kShownKeys), -1);  // seen: as the stream last showed it
  for (int i = 0; i < kShownKeys; ++i) {
    s.keys.push_back(s.source.key());
    value.push_back(s.source.value());
  }
  for (int t = 0; t < kShownSteps; ++t) {
    if (random.uniform() < kJunk) {
      s.steps.push_back({s.source.key(), s.source.noisy(s.source.value(), kNoise)});
      s.what.push_back({StepKind::junk, -1, seen});
      continue;
    }
    // keys come one after the other into the stream, and squares make the first ones frequent
    const int known = std::min(kShownKeys, 4 + t / 20);
    const int key = static_cast<int>(random.uniform() * random.uniform() * known);
    if (random.uniform() < kRedraw) value[as_size(key)] = s.source.value();
    int& last = seen[as_size(key)];
    const StepKind kind = last < 0                      ? StepKind::first
                          : last != value[as_size(key)] ? StepKind::changed
                                                        : StepKind::known;
    last = value[as_size(key)];
    s.steps.push_back({s.keys[as_size(key)], s.source.noisy(last, kNoise)});
    s.what.push_back({kind, key, seen});
  }
  return s;
}

int nearest_value(const PairSource& source, std::span<const float> found) {
  int best = 0;
  double most = -1e30;
  for (int v = 0; v < kBook; ++v) {
    double product = 0;
    for (int i = 0; i < kValueSize; ++i)
      product += static_cast<double>(found[as_size(i)]) * source.vector(v)[as_size(i)];
    if (product > most) most = product, best = v;
  }
  return best;
}

double surprise_of(std::span<const float> known, std::span<const float> value) {
  double error = 0, squares = 0;
  for (std::size_t i = 0; i < value.size(); ++i) {
    error += std::pow(static_cast<double>(value[i]) - known[i], 2);
    squares += static_cast<double>(value[i]) * value[i];
  }
  return error / squares;
}

// above which the next step writes: the threshold that follows the share counts as far as few writes are saved up
double budget_threshold(const WriteGate& gate, std::span<const float> state) {
  const double room = std::min(state[0] + gate.share, static_cast<double>(gate.burst)) / gate.burst;
  return gate.threshold + (state[1] - gate.threshold) * (1 - room);
}

MemoryAgent record_policy(const ShownPolicy& policy, const ShownStream& s, std::uint64_t seed) {
  AssociativeMemory memory = writing_always(kKeySize, kValueSize);
  memory.gate = policy.gate;
  const RulePointer rule =
      policy.random > 0 ? random_rule(memory, 0.9, policy.random, seed) : library_rule(memory, 0.9);
  MemoryAgent agent{.caption = {.name = policy.name, .what = policy.what}, .bytes = rule->bytes()};
  int asked = 0, writes = 0;
  for (std::size_t t = 0; t < s.steps.size(); ++t) {
    const ShownStep& what = s.what[t];
    float found[kValueSize];
    rule->recall(s.steps[t].key, found);
    MemoryMoment m{.surprise = surprise_of(found, s.steps[t].value)};
    // judged before the write: what a query would have retrieved
    if (what.kind == StepKind::known) {
      m.moment.violation = nearest_value(s.source, found) != what.values[as_size(what.key)];
      ++asked;
    }
    const std::span<const float> gate = rule->gate_state();
    const bool budget = policy.gate.policy == WritePolicy::budget;
    m.threshold = budget                                      ? budget_threshold(policy.gate, gate)
                  : policy.gate.policy == WritePolicy::always ? 0
                                                              : policy.gate.threshold;
    m.moment.depth = rule->write(s.steps[t].key, s.steps[t].value) ? 1 : 0;
    if (budget) m.tokens = rule->gate_state()[0];
    for (const std::vector<float>& key : s.keys) {
      rule->recall(key, found);
      m.answers.push_back(nearest_value(s.source, found));
    }
    writes += m.moment.depth;
    agent.caption.violations += m.moment.violation ? 1 : 0;
    agent.steps.push_back(std::move(m));
  }
  agent.caption.steps = kShownSteps;
  agent.recalled = 1 - static_cast<double>(agent.caption.violations) / std::max(1, asked);
  agent.write_share = static_cast<double>(writes) / kShownSteps;
  agent.caption.success = agent.recalled >= 0.95;
  return agent;
}

// surprise as bars, those that wrote in red
std::string memory_drawing(const MemoryAgent& agent, double width, double height) {
  std::string svg;
  const double wide = width / static_cast<double>(agent.steps.size());
  for (std::size_t t = 0; t < agent.steps.size(); ++t) {
    const MemoryMoment& m = agent.steps[t];
    const double high = std::min(m.surprise, 2.0) / 2 * height;
    svg += fmt::format("<rect x=\"{:.2f}\" y=\"{:.1f}\" width=\"{:.2f}\" height=\"{:.1f}\" fill=\"{}\"/>",
                       static_cast<double>(t) * wide, height - high, wide, high,
                       m.moment.depth > 0 ? "#d32f2f" : "#b4bfca");
  }
  return svg;
}

benchmark::OrderedJson agent_json(const MemoryAgent& agent) {
  using benchmark::column;
  using benchmark::OrderedJson;
  OrderedJson json = benchmark::agent_head(agent);
  json["recalled"] = benchmark::number(agent.recalled);
  json["share"] = benchmark::number(agent.write_share);
  json["bytes"] = agent.bytes;
  json["surprise"] = column(agent.steps, [](const MemoryMoment& m) { return benchmark::significant(m.surprise); });
  json["threshold"] = column(agent.steps, [](const MemoryMoment& m) { return benchmark::significant(m.threshold); });
  json["tokens"] = column(agent.steps, [](const MemoryMoment& m) { return benchmark::number(m.tokens); });
  json["answers"] = column(agent.steps, [](const MemoryMoment& m) { return OrderedJson(m.answers); });
  return json;
}

}  // namespace

Result<MemoryRecording> record_memories(const benchmark::RecordingRequest& request) {
  if (request.episode < 0) {
    return Error{"[play] episode: expected 0 or more, found " + std::to_string(request.episode)};
  }
  std::vector<std::string> names = request.agents;
  for (const ShownPolicy& policy : shown_policies()) {
    if (request.agents.empty()) names.push_back(policy.name);
  }
  const auto chosen = benchmark::shown_agents(names, shown_policies());
  if (!chosen) return Error{chosen.error()};
  const ShownStream stream = draw_stream(request.seed, request.episode);
  MemoryRecording r(request.seed, request.episode);
  r.title = "What a memory writes, when and why";
  r.summary = fmt::format(
      "{} keys enter a stream one after the other and recur; now and then one gets another value, and one step in ten "
      "shows a key that never returns. Each panel is a delta memory of {} channels with its own rule for writing. "
      "Squares are keys: above the value that the stream last showed, below what the memory answers; a red frame is a "
      "wrong answer. A step surprises as far as the memory did not know its value; recalled are the values of keys "
      "that "
      "were shown before, asked for before each step.",
      kShownKeys, kKeySize);
  r.shown = stream.what;
  for (const ShownPolicy& policy : *chosen) r.agents.push_back(record_policy(policy, stream, request.seed));
  return r;
}

Status MemoryRecording::validate() const {
  if (Status found = benchmark::check_agents(agents); !found) return found;
  for (const MemoryAgent& agent : agents) {
    if (agent.steps.size() != shown.size()) {
      return benchmark::wrong_size(agent.caption.name + ", steps", shown.size(), agent.steps.size());
    }
    for (std::size_t t = 0; t < shown.size(); ++t) {
      if (agent.steps[t].answers.size() != shown[t].values.size()) {
        return benchmark::wrong_size(agent.caption.name + ", answers", shown[t].values.size(),
                                     agent.steps[t].answers.size());
      }
    }
  }
  return {};
}

std::string MemoryRecording::json() const {
  using benchmark::column;
  using benchmark::OrderedJson;
  return benchmark::page_text(
      {{"world", "memory"},
       {"seed", seed},
       {"episode", episode},
       {"title", title},
       {"story", summary},
       {"kind", column(shown, [](const ShownStep& s) { return OrderedJson(kStepKinds[static_cast<int>(s.kind)]); })},
       {"key", column(shown, [](const ShownStep& s) { return OrderedJson(s.key); })},
       {"values", column(shown, [](const ShownStep& s) { return OrderedJson(s.values); })},
       {"agents", column(agents, agent_json)}});
}

std::string MemoryRecording::figure() const {
  constexpr web::PanelLayout kLayout = {.width = 300, .height = 120};
  std::vector<web::Panel> panels;
  for (const MemoryAgent& agent : agents) {
    panels.push_back(benchmark::panel_of(agent.caption, memory_drawing(agent, kLayout.width, kLayout.height)));
  }
  return web::figure_panels(kLayout, title, "", panels, "recalled",
                            {{"#d32f2f", "surprise of a step that wrote"}, {"#b4bfca", "of one that did not"}});
}

}  // namespace elastane::recall
