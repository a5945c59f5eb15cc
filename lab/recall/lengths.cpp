#include "lab/recall/lengths.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "command_line/aligned_table.h"
#include "elastane/core/stream/stream.h"
#include "lab/recall/roster.h"

namespace elastane::recall {
namespace {

constexpr std::uint64_t kFirstLongSeed = 1ULL << 45U;  // of no training and no other test
constexpr Task kAsked[] = {Task::recall, Task::needle, Task::copy};

// the model with windows of so many steps, and its heads in one mode
Result<Model> stretched(const ModelFile& file, int window, HeadMode mode) {
  ModelConfig config = file.config;
  for (BlockConfig& block : config.blocks) {
    auto* attention = std::get_if<AttentionConfig>(&block.kind);
    if (attention == nullptr) continue;
    attention->window = window;
    attention->bfloat16_cache = window > 32768;  // the state of a stream has at most 2²⁴ floats
    attention->modes.assign(static_cast<std::size_t>(attention->kv_heads > 0 ? attention->kv_heads : attention->heads),
                            mode);
  }
  return Model::create(config, file.tensors);
}

struct LongScore {
  double hits = 0, labels = 0, read = 0, seen = 0, millis = 0;
  int prompts = 0;

  double accuracy() const { return hits / labels; }
  double sparse_share() const { return 1 - read / seen; }
};

void add_prompt(const Episode& e, Stream& stream, LongScore& to) {
  const std::vector<float> x = inputs_of(e);
  std::vector<float> y(static_cast<std::size_t>(e.length()) * kValues);
  stream.reset();
  const auto begun = std::chrono::steady_clock::now();
  const AdvanceReport report = stream.prefill(x, y);
  to.millis += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begun).count();
  for (const BlockReport& block : report.blocks) {
    to.read += static_cast<double>(block.blocks_read), to.seen += static_cast<double>(block.blocks_seen);
  }
  for (int t = e.first_query(); t < e.length(); ++t, ++to.labels) {
    const auto row = y.begin() + std::ptrdiff_t{t} * kValues;
    to.hits += std::max_element(row, row + kValues) - row == e.steps[t].label ? 1 : 0;
  }
  ++to.prompts;
}

LongScore long_score(const Model& model, const RouterWeights& router, Task task, int length,
                     const LengthOptions& options) {
  const int count = std::clamp(options.steps / length / kPositions * kPositions, kPositions, options.prompts);
  Stream stream(model, {.router = router, .prefill_rows = length});
  LongScore found;
  for (int i = 0; i < count; ++i) {
    const EpisodeOptions asked{.task = task, .position = static_cast<Position>(i % kPositions), .length = length};
    add_prompt(draw_episode(kFirstLongSeed + static_cast<std::uint64_t>(i), asked), stream, found);
  }
  return found;
}

}  // namespace

std::string length_table(const ModelFile& file, const RouterWeights& router, const std::string& backbone,
                         const LengthOptions& options, nlohmann::ordered_json& rows) {
  command_line::AlignedTable table{
      .header = {"steps", "task", "prompts", "heads", "accuracy", "blocks left out", "ms per prompt"},
      .rows = {},
      .left = 4};
  for (const int length : options.lengths) {
    const Result<Model> fits = stretched(file, length, HeadMode::full);
    if (!fits) {  // its keys and values are more than a stream's state may have
      table.rows.push_back({fmt::format("{}", length), "too long for a stream of this model", "", "", "", "", ""});
      continue;
    }
    const Model& full = *fits;
    const Model stream = stretched(file, length, HeadMode::stream).value();
    RouterWeights own = router;
    own.model = full.fingerprint();
    for (const Task task : kAsked) {
      const std::string name(kTaskNames[static_cast<std::size_t>(task)]);
      const LongScore dense = long_score(full, {}, task, length, options);
      const auto add = [&](const std::string& method, const LongScore& s) {
        table.rows.push_back({fmt::format("{}", length), name, fmt::format("{}", s.prompts), method,
                              fmt::format("{:.3f}", s.accuracy()), fmt::format("{:.3f}", s.sparse_share()),
                              fmt::format("{:.1f}", s.millis / s.prompts)});
        rows.push_back({{"part", "length"},
                        {"backbone", backbone},
                        {"task", name},
                        {"method", fmt::format("{} ({})", method, length)},
                        {"seed", 0},
                        {"position", "any"},
                        {"accuracy", s.accuracy()},
                        {"dense_accuracy", dense.accuracy()},
                        {"sparse_share", s.sparse_share()},
                        {"static_accuracy", nullptr},
                        {"p_value", nullptr}});
      };
      add("dense", dense);
      if (router.present()) add("router", long_score(full, own, task, length, options));
      add("streaming", long_score(stream, {}, task, length, options));
    }
  }
  return fmt::format(
      "\n## Length, {}: prompts run by the engine with windows as long as the prompt; the router looks at the whole "
      "prompt\n\n{}",
      backbone, table.text());
}

}  // namespace elastane::recall
