#include "lab/recall/benchmark.h"

#include <chrono>

#include "elastane/core/backbone/head_router.h"
#include "elastane/core/base/checksum.h"
#include "elastane/io/model_file.h"
#include "lab/recall/roster.h"

namespace elastane::recall {
namespace {

class PromptPlayer final : public benchmark::Player {
 public:
  PromptPlayer(const GlassModel& model, RosterEntry entry) : model_(model), entry_(std::move(entry)) {}

  benchmark::Outcome play(std::uint64_t seed, int index, benchmark::Latency& latency) override {
    const Episode episode = episode_of(seed, index);
    const auto begun = std::chrono::steady_clock::now();
    const Attempt a = attempt(model_, entry_, episode);
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begun;
    for (int t = 0; t < episode.length(); ++t) latency.add(took.count() / episode.length());
    benchmark::Outcome outcome;
    outcome.world = static_cast<int>(hash64(std::as_bytes(std::span(&seed, 1))) % 1000) * 1'000'000 + index;
    outcome.success = a.right == kQueries;
    outcome.steps = episode.length();
    // 2·block·size multiply-adds per block that a query reads
    const int size = model_.config().width / model_.heads();
    outcome.macs = static_cast<double>(a.seen.blocks_read) * 2 * entry_.look.layout.block * size;
    outcome.energy = kQueries - a.right;  // queries that were answered wrong
    return outcome;
  }

 private:
  const GlassModel& model_;
  RosterEntry entry_;
};

class PromptBenchmark final : public benchmark::Benchmark {
 public:
  PromptBenchmark(GlassModel model, const RouterWeights& router, std::uint64_t fingerprint)
      : model_(std::move(model)), entries_(roster(router)), fingerprint_(fingerprint) {
    for (const RosterEntry& entry : entries_) {
      cards_.push_back({.name = entry.name, .what = entry.what, .settings = ""});
    }
  }
  std::string name() const override { return "attention"; }
  int limit() const override { return kShownLength; }
  std::uint64_t fingerprint() const override { return fingerprint_; }
  std::span<const benchmark::AgentCard> agents() const override { return cards_; }
  std::unique_ptr<benchmark::Player> player(int agent) const override {
    return std::make_unique<PromptPlayer>(model_, entries_[static_cast<std::size_t>(agent)]);
  }
  std::string reference() const override { return "dense"; }

 private:
  GlassModel model_;
  std::vector<RosterEntry> entries_;
  std::uint64_t fingerprint_;
  std::vector<benchmark::AgentCard> cards_;
};

}  // namespace

Result<std::unique_ptr<benchmark::Benchmark>> make_benchmark(const std::string& models) {
  const auto file = read_model(models + "/recall_small.safetensors");
  if (!file) return Error{file.error()};
  std::uint64_t fingerprint = 1;
  for (const Tensor& t : file->tensors) fingerprint = fingerprint * 31 + hash64(std::as_bytes(std::span(t.values)));
  auto model = GlassModel::create(file->config, file->tensors);
  if (!model) return Error{model.error()};
  const auto router = router_beside(models, "recall_small");
  if (!router) return Error{router.error()};
  return std::unique_ptr<benchmark::Benchmark>(
      std::make_unique<PromptBenchmark>(std::move(*model), *router, fingerprint + elastane::fingerprint(*router)));
}

}  // namespace elastane::recall
