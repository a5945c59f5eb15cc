#include "lab/recall/study.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>

#include "lab/recall/episode.h"

namespace elastane::recall {
namespace {

using Words = std::vector<std::string>;

template <class T>
double sum(const std::vector<T>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

StudyLine line_of(const nlohmann::json& j) {
  return {.part = j.at("part"),
          .backbone = j.at("backbone"),
          .method = j.at("method"),
          .setting = j.at("setting"),
          .task = j.at("task"),
          .position = j.at("position"),
          .seed = j.at("seed"),
          .hits = j.at("hits"),
          .labels = j.at("labels"),
          .nats = j.at("nats"),
          .full = j.at("full"),
          .heads = j.at("heads"),
          .macs = j.value("macs", 0.0),
          .dense_macs = j.value("dense_macs", 0.0),
          .micros = j.value("us", 0.0),
          .dense_micros = j.value("dense_us", 0.0)};
}

bool matches(const StudyLine& line, const Study::Key& key) {
  return line.part == key.part && line.backbone == key.backbone && line.method == key.method &&
         line.setting == key.setting && line.task == key.task && line.position == key.position && line.seed == key.seed;
}

// one call of elastane-train, and the line that it writes last
struct Call {
  std::string command, model, method;
  Study::Key last;
  Words more = {};
};

Call router_call(const std::string& part, const std::string& backbone, const std::string& method, std::uint64_t seed,
                 const std::string& setting = "", Words more = {}) {
  // static choices end with the fewest heads of the last task and position, routers with the stream's form
  const std::string last = method == "static" ? "static_0" : method + "_stream";
  return {"router",
          backbone,
          method,
          {part, backbone, last, setting, std::string(kTaskNames.back()), std::string(kPositionNames.back()), seed},
          std::move(more)};
}

std::vector<Call> router_part(int seeds) {
  std::vector<Call> calls;
  for (const std::string backbone : kBackbones) {
    const bool small = backbone == kBackbones[0];
    calls.push_back(router_call("router", backbone, "static", 1, "",
                                {"--exhaustive", small ? "8" : "1", "--sequences", small ? "12" : "4"}));
    for (const char* method : {"examples", "paper", "released", "price"}) {
      const bool by_examples = std::string_view(method) == "examples";
      // with half as many the router of the small one learns its sequences by heart
      const Words more = by_examples && small ? Words{"--sequences", "768"} : Words{};
      for (int seed = 1; seed <= (by_examples ? seeds : std::min(seeds, kDrawnSeeds)); ++seed) {
        calls.push_back(router_call("router", backbone, method, static_cast<std::uint64_t>(seed), "", more));
      }
    }
  }
  return calls;
}

std::vector<Call> position_part() {
  std::vector<Call> calls;
  for (int seed = 1; seed <= kPoolingSeeds; ++seed) {
    const auto s = static_cast<std::uint64_t>(seed);
    for (const std::string pooling : {"edges_maximum", "edges", "mean", "maximum"}) {
      calls.push_back(router_call("position", kBackbones[0], "examples", s, pooling, {"--pooling", pooling}));
    }
    calls.push_back(router_call("position", kBackbones[0], "examples", s, "edges, trained at the front",
                                {"--pooling", "edges", "--position", "front"}));
  }
  return calls;
}

std::vector<Call> temperature_part(int seeds) {
  std::vector<Call> calls;
  for (const Temperatures& t : kTemperatures) {
    for (int seed = 1; seed <= seeds; ++seed) {
      calls.push_back(
          router_call("temperature", kBackbones[0], "paper", static_cast<std::uint64_t>(seed), t.setting,
                      {"--first-temperature", std::to_string(t.first), "--last-temperature", std::to_string(t.last)}));
    }
  }
  return calls;
}

std::vector<Call> text_part() {
  std::vector<Call> calls;
  const auto add = [&](const std::string& method, std::uint64_t seed, const std::string& setting, Words more) {
    const std::string last = method == "static" ? "static_0" : method + "_stream";
    calls.push_back({"language_router",
                     "language",
                     method,
                     {"text", "language", last, setting, "text", "any", seed},
                     std::move(more)});
  };
  // on the text to choose by, all heads streaming, a window of 128 is .013 bits better than one of 64, and six full
  // heads of twelve add nothing to it
  add("static", 1, "", {"--local", "128", "--exhaustive", "1", "--sequences", "16"});
  for (const std::string epsilon : kTextEpsilons) {
    for (int seed = 1; seed <= kTextSeeds; ++seed) {
      add("examples", static_cast<std::uint64_t>(seed), epsilon,
          {"--local", "128", "--epsilon", epsilon, "--most-full", "8", "--sequences", "48"});
    }
  }
  return calls;
}

std::vector<Call> hybrid_part(int seeds) {
  const Words own_block = {"--sink", "0", "--local", "16"};
  Words search = own_block;
  search.insert(search.end(), {"--exhaustive", "4", "--sequences", "10"});
  std::vector<Call> calls = {router_call("hybrid", "recall_hybrid", "static", 1, "", search)};
  for (int seed = 1; seed <= seeds; ++seed) {
    calls.push_back(
        router_call("hybrid", "recall_hybrid", "examples", static_cast<std::uint64_t>(seed), "", own_block));
  }
  return calls;
}

// What the weights were trained with, stage by stage: tasks that need only what is near first, where they have labels at
// every step; then all tasks; then longer prompts.
struct Stages {
  std::string name;
  std::vector<Words> calls;
};
std::vector<Stages> weight_stages() {
  const Words brief = {"--context", "64", "--shortest", "64", "--batch", "64", "--prompts", "16384"};
  const Words longer = {"--context", "128", "--shortest", "64", "--batch", "32"};
  const auto with = [](const std::string& size, const Words& base, const Words& more) {
    Words all = {"--size", size};
    all.insert(all.end(), base.begin(), base.end());
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  return {
      {"recall_small",
       {with("small", brief, {"--practice", "--steps", "1400", "--seed", "7"}),
        with("small", brief, {"--steps", "900", "--rate", "4e-3", "--seed", "8"}),
        with("small", longer,
             {"--twice", "recall,regression", "--prompts", "12288", "--steps", "700", "--rate", "4e-3", "--seed", "9"}),
        with("small", longer,
             {"--twice", "regression,recall,regression", "--prompts", "12288", "--steps", "500", "--rate", "4e-3",
              "--seed", "10"})}},
      {"recall_medium",
       {with("medium", brief, {"--rotary-base", "10000", "--steps", "2000", "--seed", "7"}),
        with("medium", brief, {"--practice", "--steps", "500", "--rate", "4e-3", "--seed", "8"}),
        with("medium", longer, {"--prompts", "8192", "--steps", "250", "--rate", "3e-3", "--seed", "9"})}},
      {"recall_hybrid",
       {with("ssm", brief, {"--practice", "--steps", "600", "--seed", "7"}),
        with("hybrid", brief, {"--steps", "2000", "--rate", "4e-3", "--seed", "8"}),
        with("hybrid", longer, {"--prompts", "8192", "--steps", "600", "--rate", "3e-3", "--seed", "9"})}}};
}

// the recorded commands of the weights
std::vector<Words> weight_calls(const StudyOptions& o) {
  std::vector<Words> calls;
  const auto missing = [&](const std::string& name) {
    return !std::filesystem::exists(o.models + "/" + name + ".safetensors");
  };
  for (const auto& [name, stages] : weight_stages()) {
    if (!missing(name)) continue;
    std::string before;
    for (std::size_t i = 0; i < stages.size(); ++i) {
      const std::string run = fmt::format("runs/{}.{}", name, i + 1);
      const bool last = i + 1 == stages.size();
      Words call = {"train", "recall", "--threads", "1"};
      if (!before.empty()) call.insert(call.end(), {name == "recall_hybrid" && i == 1 ? "--onto" : "--init", before});
      call.insert(call.end(), stages[i].begin(), stages[i].end());
      before = last ? o.models + "/" + name + ".safetensors" : run + ".safetensors";
      call.insert(call.end(), {"--run", run, "-o", before});
      calls.push_back(call);
    }
  }
  if (missing("language")) {
    calls.push_back({"train", "language", "--seed", "7", "--threads", "1", "--context", "1024", "--steps", "500",
                     "--batch", "4", "--run", "runs/language", "-o", o.models + "/language.safetensors"});
  }
  return calls;
}

}  // namespace

double StudyLine::accuracy() const { return sum(hits) / std::max(1.0, sum(labels)); }
double StudyLine::bits() const {
  double nats_of_all = 0;
  for (std::size_t i = 0; i < nats.size(); ++i) nats_of_all += nats[i] * labels[i];
  return nats_of_all / std::max(1.0, sum(labels)) / std::log(2.0);
}
double StudyLine::sparse_share() const {
  return 1 - sum(full) / static_cast<double>(std::max<std::size_t>(1, full.size()));
}
double StudyLine::spread() const {
  if (full.empty()) return 0;
  const auto [least, most] = std::ranges::minmax(full);
  return most - least;
}

const StudyLine* Study::find(const Key& key) const {
  const auto at = std::find_if(lines.rbegin(), lines.rend(), [&](const StudyLine& line) { return matches(line, key); });
  return at == lines.rend() ? nullptr : &*at;
}

Result<Study> read_study(const std::string& path) {
  Study study;
  std::ifstream file(path);
  std::string text;
  for (int number = 1; std::getline(file, text); ++number) {
    const bool whole = !file.eof();  // a line ends with a newline
    try {
      study.lines.push_back(line_of(nlohmann::json::parse(text)));
    } catch (const nlohmann::json::exception&) {
      if (!whole) break;
      return Error{"[journal] " + path + ", line " + std::to_string(number) +
                   ": expected what a router's test writes, found something else; remove the line, or the file"};
    }
  }
  return study;
}

bool has_part(const StudyOptions& options, const std::string& part) {
  return options.parts.empty() || std::ranges::find(options.parts, part) != options.parts.end();
}

std::vector<Words> missing_calls(const Study& study, const StudyOptions& o) {
  std::vector<Call> calls;
  const auto add = [&](const std::string& part, const std::vector<Call>& more) {
    if (has_part(o, part)) calls.insert(calls.end(), more.begin(), more.end());
  };
  add("router", router_part(o.seeds));
  add("position", position_part());
  add("temperature", temperature_part(std::min(o.seeds, kTemperatureSeeds)));
  add("text", text_part());
  add("hybrid", hybrid_part(std::min(o.seeds, kHybridSeeds)));
  std::vector<Words> words = weight_calls(o);
  for (const Call& call : calls) {
    if (study.find(call.last) != nullptr) continue;
    Words one = {"train",    call.command,   "--model",   o.models + "/" + call.model + ".safetensors",
                 "--method", call.method,    "--seed",    std::to_string(call.last.seed),
                 "--part",   call.last.part, "--journal", o.journal};
    if (!call.last.setting.empty()) one.insert(one.end(), {"--setting", call.last.setting});
    if (o.threads > 0) one.insert(one.end(), {"--threads", std::to_string(o.threads)});
    one.insert(one.end(), call.more.begin(), call.more.end());
    words.push_back(std::move(one));
  }
  return words;
}

}  // namespace elastane::recall
