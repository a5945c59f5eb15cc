// The lines of a journal: written, and read back with checks.
#include <charconv>
#include <cmath>
#include <limits>

#include "elastane/io/json_fields.h"
#include "lab/benchmark/journal.h"

namespace elastane::benchmark {
namespace {

constexpr std::string_view kOpening = "{\"elastane_contest\":";
constexpr int kVersion = 2;
constexpr std::size_t kNumbers = 14;  // of an outcome, before its tallies

OrderedJson numbers_of(const Outcome& o) {
  OrderedJson numbers = {o.world,      o.kind,   o.success ? 1 : 0, o.steps,    o.steps_after_change,
                         o.violations, o.regret, o.corrections,     o.accepted, o.products,
                         o.condition,  o.macs,   o.energy,          o.idle};
  for (const Tally& tally : o.tallies) numbers.push_back({tally.steps, tally.micro_steps});
  return numbers;
}

bool finite(const Outcome& o) {
  return std::isfinite(o.regret) && std::isfinite(o.products) && std::isfinite(o.condition) && std::isfinite(o.macs) &&
         std::isfinite(o.energy);
}

void expect(bool fits, const char* what) {
  if (!fits) throw Misfit(std::string("expected ") + what);
}

Tally tally_of(const Json& pair) {
  expect(pair.is_array() && pair.size() == 2 && is_whole(pair[0]) && is_whole(pair[1]), "tallies as pairs of counts");
  const Tally tally{pair[0].get<int>(), pair[1].get<int>()};
  expect(tally.steps >= 0 && tally.micro_steps >= 0, "tallies of 0 or more");
  return tally;
}

Outcome outcome_of(const Json& line) {
  expect(line.is_array() && line.size() >= kNumbers, "14 numbers per episode");
  std::size_t at = 0;
  const auto whole = [&](int least) {
    const Json& v = line[at++];
    expect(is_whole(v) && v.get<int>() >= least, "whole numbers of 0 or more for counts");
    return v.get<int>();
  };
  const auto real = [&] {
    const Json& v = line[at++];
    expect(v.is_number() && std::isfinite(v.get<double>()), "finite numbers");
    return v.get<double>();
  };
  Outcome o;
  o.world = whole(std::numeric_limits<int>::min());
  o.kind = whole(0);
  const int success = whole(0);
  expect(success <= 1, "success as 0 or 1");
  o.success = success == 1;
  o.steps = whole(0);
  o.steps_after_change = whole(0);
  o.violations = whole(0);
  o.regret = real();
  o.corrections = whole(0);
  o.accepted = whole(0);
  o.products = real();
  o.condition = real();
  o.macs = real();
  o.energy = real();
  o.idle = whole(0);
  while (at < line.size()) o.tallies.push_back(tally_of(line[at++]));
  return o;
}

Latency latency_of(const Json& bins) {
  expect(bins.is_array(), "a list of latencies");
  Latency latency;
  for (const Json& bin : bins) {
    expect(bin.is_array() && bin.size() == 2 && is_whole(bin[0]) && is_whole(bin[1]), "pairs of bin and count");
    const int place = bin[0].get<int>(), count = bin[1].get<int>();
    expect(place >= 0 && place < Latency::kBins && count > 0, "known bins, and counts above 0");
    expect(latency.counts()[static_cast<std::size_t>(place)] == 0, "each bin once");
    latency.set(place, static_cast<std::uint32_t>(count));
  }
  return latency;
}

void read_stages(const Json& micros, Latency& latency) {
  expect(micros.is_array() && micros.size() == static_cast<std::size_t>(kStages), "one time per stage");
  std::array<double, kStages> stages{};
  for (std::size_t i = 0; i < stages.size(); ++i) {
    expect(micros[i].is_number() && std::isfinite(micros[i].get<double>()), "finite times of stages");
    stages[i] = micros[i].get<double>();
  }
  latency.set_stages(stages);
}

const Json& field(const Json& object, const char* key) {
  const auto at = object.find(key);
  if (at == object.end()) throw Misfit(std::string("expected ") + key + ", found nothing");
  return *at;
}

std::string text_field(const Json& object, const char* key) {
  const Json& v = field(object, key);
  expect(v.is_string(), "a text");
  return v.get<std::string>();
}

Json parse_line(std::string_view line) {
  auto json = parse_json(line);
  if (!json) throw Misfit("the line " + json.error());
  expect(json->is_object(), "an object");
  return std::move(*json);
}

JournalHeader header_of(std::string_view line) {
  const Json json = parse_line(line);
  expect(field(json, "elastane_contest") == kVersion, "a journal of version 2");
  JournalHeader header;
  header.benchmark = text_field(json, "contest");
  header.version = text_field(json, "version");
  const std::string weights = text_field(json, "weights");
  const auto read = std::from_chars(weights.data(), weights.data() + weights.size(), header.weights, 16);
  expect(read.ec == std::errc{} && read.ptr == weights.data() + weights.size(), "weights as a hexadecimal number");
  const Json& threads = field(json, "threads");
  expect(is_whole(threads) && threads.get<int>() > 0, "a number of threads");
  header.threads = threads.get<int>();
  return header;
}

Block block_of(std::string_view line) {
  const Json json = parse_line(line);
  Block block;
  block.agent = text_field(json, "agent");
  block.settings = text_field(json, "settings");
  const Json &seed = field(json, "seed"), &first = field(json, "first"), &outcomes = field(json, "outcomes");
  expect(seed.is_number_unsigned(), "a seed");
  block.seed = seed.get<std::uint64_t>();
  expect(is_whole(first) && first.get<int>() >= 0, "a first episode");
  block.first = first.get<int>();
  expect(outcomes.is_array() && !outcomes.empty(), "a list of outcomes");
  for (const Json& outcome : outcomes) block.outcomes.push_back(outcome_of(outcome));
  block.latency = latency_of(field(json, "latency"));
  read_stages(field(json, "stages"), block.latency);
  return block;
}

}  // namespace

std::string format_header(const JournalHeader& header) {
  std::array<char, 17> weights{};
  const auto end = std::to_chars(weights.data(), weights.data() + weights.size(), header.weights, 16).ptr;
  const OrderedJson json = {{"elastane_contest", kVersion},
                            {"contest", header.benchmark},
                            {"weights", std::string(weights.data(), end)},
                            {"version", header.version},
                            {"threads", header.threads}};
  return json.dump(-1, ' ', true, OrderedJson::error_handler_t::replace) + "\n";
}

Result<std::string> format_block(const Block& block) {
  OrderedJson outcomes = OrderedJson::array(), latency = OrderedJson::array();
  for (std::size_t i = 0; i < block.outcomes.size(); ++i) {
    if (!finite(block.outcomes[i])) {
      return Error{"[journal] " + block.agent + ", seed " + std::to_string(block.seed) + ", episode " +
                   std::to_string(block.first + static_cast<int>(i)) +
                   ": expected finite figures, found one that is not; the agent or the world is wrong"};
    }
    outcomes.push_back(numbers_of(block.outcomes[i]));
  }
  for (std::size_t i = 0; i < block.latency.counts().size(); ++i) {
    if (block.latency.counts()[i] > 0) latency.push_back({i, block.latency.counts()[i]});
  }
  const OrderedJson json = {{"agent", block.agent},
                            {"settings", block.settings},
                            {"seed", block.seed},
                            {"first", block.first},
                            {"outcomes", outcomes},
                            {"latency", latency},
                            {"stages", block.latency.stages()}};
  return json.dump(-1, ' ', true, OrderedJson::error_handler_t::replace) + "\n";
}

Result<JournalText> parse_journal(std::string_view text) {
  JournalText journal;
  if (!text.empty() && !text.starts_with(kOpening.substr(0, text.size()))) {
    return Error{"line 1: expected a journal, found another file; name another"};
  }
  for (int number = 1;; ++number) {
    const std::size_t end = text.find('\n', journal.whole);
    if (end == text.npos) return journal;
    const std::string_view line = text.substr(journal.whole, end - journal.whole);
    try {
      if (number == 1) journal.header = header_of(line);
      if (number > 1) journal.blocks.push_back(block_of(line));
    } catch (const Misfit& misfit) {
      return Error{"line " + std::to_string(number) + ": " + misfit.what() + "; " +
                   (number == 1
                        ? "name another file"
                        : "the lines before it are good, and head -n " + std::to_string(number - 1) + " keeps them")};
    }
    journal.whole = end + 1;
  }
}

}  // namespace elastane::benchmark
