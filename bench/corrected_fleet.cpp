#include "bench/corrected_fleet.h"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

#include "bench/corrected_run.h"
#include "bench/drift.h"
#include "bench/timing.h"
#include "command_line/asked_isa.h"
#include "elastane/core/stream/fleet.h"

namespace elastane::bench {
namespace {

constexpr int kStreams = 64;

// Threads that wait for work without sleeping: a round takes less time than waking one up.
class Spinning final : public Runner {
 public:
  explicit Spinning(int threads) {
    for (int worker = 1; worker < threads; ++worker) threads_.emplace_back([this, worker] { wait(worker); });
  }
  ~Spinning() override {
    stop_ = true;
    for (std::thread& thread : threads_) thread.join();
  }
  void run(int items, const WorkItem& item) override {
    item_ = &item;
    items_ = items;
    next_ = 0;
    busy_ = static_cast<int>(threads_.size());
    ++round_;
    work(0);
    while (busy_.load(std::memory_order_acquire) > 0) {
    }
  }

 private:
  void work(int worker) {
    for (int i = next_++; i < items_; i = next_++) (*item_)(i, worker);
  }
  void wait(int worker) {
    for (int seen = 0; !stop_.load(std::memory_order_relaxed);) {
      if (round_.load(std::memory_order_acquire) == seen) continue;
      ++seen;
      work(worker);
      --busy_;
    }
  }

  const WorkItem* item_ = nullptr;
  int items_ = 0;
  std::atomic<int> next_ = 0, busy_ = 0, round_ = 0;
  std::atomic<bool> stop_ = false;
  std::vector<std::thread> threads_;
};

// inputs and labels of all streams at time t; every stream is at another point of the drift
struct Round {
  std::vector<float> x, labels;
  explicit Round(int t) : x(kStreams * kDriftInputs), labels(kStreams * kDriftOutputs) {
    for (std::size_t i = 0; i < kStreams; ++i) {
      const int at = t + 17 * static_cast<int>(i);
      drift_inputs(at, std::span(x).subspan(i * kDriftInputs).first<kDriftInputs>());
      drift_target(at, std::span(labels).subspan(i * kDriftOutputs).first<kDriftOutputs>());
    }
  }
};

bool same_outputs(const std::vector<Stream>& singles, const CorrectedFleet& fleet) {
  for (int i = 0; i < kStreams; ++i) {
    if (!std::ranges::equal(singles[static_cast<std::size_t>(i)].output(), fleet.stream(i).output())) return false;
  }
  return true;
}

void bench_case(Metric metric, int latents, int wanted, Json& rows) {
  const ModelConfig config = drift_model(latents);
  const Model model =
      Model::create(config, random_tensors(config, kWeightSeed), {.isa = command_line::asked_isa()}).value();
  const StreamOptions options{.corrector = drift_corrector(metric, 8, 1)};
  const int threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  std::vector<Stream> singles(kStreams, Stream(model, options));
  CorrectedFleet one(model, kStreams, options), many(model, kStreams, options, threads);
  Spinning runner(threads);
  std::vector<double> alone, together, spread;
  const int rounds = wanted > 0 ? wanted : std::clamp(200'000 / latents, 100, 2000);
  for (int t = 0; t < rounds; ++t) {
    const Round now(t);
    alone.push_back(micros([&] {
      for (std::size_t i = 0; i < kStreams; ++i) {
        singles[i].advance(std::span(now.x).subspan(i * kDriftInputs, kDriftInputs));
        singles[i].observe(std::span(now.labels).subspan(i * kDriftOutputs, kDriftOutputs));
      }
    }));
    together.push_back(micros([&] { one.step(now.x, now.labels); }));
    spread.push_back(micros([&] { many.step(now.x, now.labels, {}, {}, &runner); }));
    if (!same_outputs(singles, one) || !same_outputs(singles, many)) {
      throw std::runtime_error("[bench] streams of a fleet differ from single ones");
    }
  }
  const double single = timed(alone).time.p50, batch = timed(together).time.p50, cores = timed(spread).time.p50;
  fmt::print("| {} | {} | {:.2f} | {:.2f} | {:.2f} | {:.2f} | {:.2f} |\n", name(metric), latents, single / kStreams,
             batch / kStreams, single / batch, cores / kStreams, single / cores);
  std::fflush(stdout);
  rows.push_back({{"row", "corrected_fleet"},
                  {"metric", name(metric)},
                  {"d_z", latents},
                  {"streams", kStreams},
                  {"threads", threads},
                  {"single_p50_us", single},
                  {"together_p50_us", batch},
                  {"spread_p50_us", cores},
                  {"together_over_single", single / batch},
                  {"spread_over_single", single / cores},
                  {"bit_equal", true}});
}

}  // namespace

void bench_corrected_fleet(int wanted, Json& rows) {
  fmt::print(
      "{} corrected streams, one micro-step each, H = 1: one after the other, as a CorrectedFleet on one thread, and "
      "on "
      "{} threads.\nMicroseconds per stream and step, medians of rounds in turn; outputs are compared bit for bit in "
      "every round.\n\n"
      "| metric | latents | one by one | together | × | on all cores | × |\n"
      "| --- | --: | --: | --: | --: | --: | --: |\n",
      kStreams, std::max(1U, std::thread::hardware_concurrency()));
  for (const Metric metric : {Metric::automatic, Metric::euclidean}) {
    for (const int latents : {64, 256}) bench_case(metric, latents, wanted, rows);
  }
}

}  // namespace elastane::bench
