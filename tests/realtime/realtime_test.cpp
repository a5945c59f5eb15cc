// Tests elastane/core/stream/stream.cpp and fleet.cpp: a step asks nothing of the allocator, of locks or of the system.
#include <gtest/gtest.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <shared_mutex>

#include "elastane/core/base/buffer.h"
#include "elastane/core/base/random.h"
#include "elastane/core/stream/fleet.h"
#include "elastane/core/stream/stream.h"
#include "tests/core/decaying_memory.h"
#include "tests/core/elastic.h"
#include "tests/isa.h"
#include "tests/realtime/small_models.h"
#include "tests/realtime/watched_run.h"

namespace elastane {
namespace {

class Watchers : public testing::Test {
 protected:
  void SetUp() override {
    if (!kCanWatch) GTEST_SKIP() << "sanitizers interpose the allocator and the locks themselves";
  }
};

// keeps the compiler from removing what a control does on purpose
template <class T>
void keep(T* pointer) {
  asm volatile("" : : "r"(pointer) : "memory");
}

template <class F>
Requests requests_of(F f) {
  watch();
  f();
  return unwatch();
}

TEST_F(Watchers, CountEveryWayToAllocate) {
  const auto pair = [](auto allocate) {
    return requests_of([&] {
             void* block = allocate();
             keep(block);
             std::free(block);
           })
        .allocations;
  };
  EXPECT_EQ(pair([] { return std::malloc(10); }), 2);
  EXPECT_EQ(pair([] { return std::calloc(10, 1); }), 2);
  EXPECT_EQ(pair([] { return std::realloc(nullptr, 10); }), 2);
  EXPECT_EQ(pair([] { return std::aligned_alloc(64, 64); }), 2);
  EXPECT_EQ(pair([] {
              void* block = nullptr;
              return posix_memalign(&block, 64, 64) == 0 ? block : nullptr;
            }),
            2);
  EXPECT_EQ(requests_of([] { keep(std::make_unique<int>(1).get()); }).allocations, 2);
  EXPECT_EQ(requests_of([] { keep(Buffer(64).data()); }).allocations, 2);
  EXPECT_EQ(requests_of([] { keep(std::string(100, 'x').data()); }).allocations, 2);
}

TEST_F(Watchers, CountAThrow) {
  const Requests requests = requests_of([] {
    try {
      throw 1;
    } catch (int) {
    }
  });
  EXPECT_GE(requests.allocations, 1);
}

TEST_F(Watchers, CountEveryLock) {
  std::mutex mutex;
  std::shared_mutex shared;
  std::condition_variable condition;
  sem_t semaphore;
  sem_init(&semaphore, 0, 1);
  EXPECT_EQ(requests_of([&] { const std::scoped_lock lock(mutex); }).locks, 2);
  EXPECT_EQ(requests_of([&] { const std::unique_lock lock(mutex, std::try_to_lock); }).locks, 2);
  EXPECT_EQ(requests_of([&] { const std::unique_lock lock(shared); }).locks, 2);
  EXPECT_EQ(requests_of([&] { const std::shared_lock lock(shared); }).locks, 2);
  EXPECT_EQ(requests_of([&] { condition.notify_all(); }).locks, 1);
  EXPECT_EQ(requests_of([&] { sem_wait(&semaphore), sem_post(&semaphore); }).locks, 2);
  sem_destroy(&semaphore);
}

TEST_F(Watchers, CountNothingWhileNotWatching) {
  watch();
  unwatch();
  keep(std::make_unique<int>(1).get());
  EXPECT_EQ(unwatch().allocations, 0);
}

TEST_F(Watchers, StopASystemCall) {
  const Verdict verdict = run_watched([] { return syscall(SYS_getpid) > 0; });
  if (!verdict.filtered) GTEST_SKIP() << "this kernel takes no seccomp filter";
  EXPECT_FALSE(verdict.finished);
  EXPECT_EQ(verdict.system_call, SYS_getpid);
}

TEST_F(Watchers, ReportFromTheChild) {
  std::mutex mutex;
  const Verdict verdict = run_watched([&] {
    keep(std::make_unique<int>(1).get());
    const std::scoped_lock lock(mutex);
    return true;
  });
  EXPECT_TRUE(verdict.finished && verdict.succeeded);
  EXPECT_EQ(verdict.requests.allocations, 2);
  EXPECT_EQ(verdict.requests.locks, 2);
}

// rows of input with gaps, a mask and a time step for each; made beforehand, gone through in a circle
struct Samples {
  static constexpr int kRows = 1009;
  int inputs;
  std::vector<float> x, dt;
  std::vector<std::uint8_t> present;

  explicit Samples(int channels) : inputs(channels) {
    Random random(1);
    for (int i = 0; i < kRows * inputs; ++i) {
      x.push_back(random.below(20) == 0 ? std::nanf("") : static_cast<float>(random.normal()));
      present.push_back(random.below(4) == 0 ? 0 : 1);
    }
    for (int i = 0; i < kRows; ++i) dt.push_back(static_cast<float>(random.uniform(0, 3)));
  }
  std::size_t first(int row) const { return static_cast<std::size_t>(row % kRows) * inputs; }
  std::span<const float> row(int row) const { return std::span(x).subspan(first(row), inputs); }
  std::span<const std::uint8_t> mask(int row) const { return std::span(present).subspan(first(row), inputs); }
};

class EveryBlock : public Watchers, public testing::WithParamInterface<SmallModel> {
 protected:
  const ModelConfig& config = GetParam().config;
  const Model model = Model::create(config, random_tensors(config, 1), {.isa = test_isa()}).value();
  const Samples samples = Samples(config.inputs);

  static void expect_quiet(const Verdict& verdict) {
    EXPECT_EQ(verdict.system_call, -1) << "see asm/unistd_64.h for its name";
    EXPECT_TRUE(verdict.finished);
    EXPECT_TRUE(verdict.succeeded);
    EXPECT_EQ(verdict.requests.allocations, 0);
    EXPECT_EQ(verdict.requests.locks, 0);
    if (!verdict.filtered) GTEST_SKIP() << "this kernel takes no seccomp filter: system calls were not watched";
  }
};

TEST_P(EveryBlock, AdvancesAMillionTimesAskingForNothing) {
  constexpr int kRows = 37;  // of a chunk: two full tiles and a rest
  const std::span<const float> chunk = std::span(samples.x).first(static_cast<std::size_t>(kRows) * config.inputs);
  std::vector<float> y(static_cast<std::size_t>(kRows) * config.outputs);
  Stream stream(model);
  expect_quiet(run_watched([&] {
    for (int i = 0; i < 400'000; ++i) stream.advance(samples.row(i));
    for (int i = 0; i < 200'000; ++i) stream.advance(samples.row(i), samples.dt[i % Samples::kRows]);
    for (int i = 0; i < 200'000; ++i) stream.advance(samples.row(i), samples.mask(i));
    while (stream.position() < 1'000'000) {
      stream.advance_chunk(chunk, y);
      stream.advance_chunk(chunk);
    }
    return std::isfinite(stream.output()[0]) && std::isfinite(y.back());
  }));
}

TEST_P(EveryBlock, ResetsRewindsAndRestoresAskingForNothing) {
  Stream stream(model, {.history = 4});
  std::vector<std::byte> bytes(stream.snapshot_bytes());
  expect_quiet(run_watched([&] {
    bool succeeded = true;
    for (int i = 0; i < 20'000; ++i) {
      stream.advance(samples.row(i));
      if (i % 7 == 6) succeeded &= static_cast<bool>(stream.rewind(std::min(1 + i % 4, stream.rewindable())));
      if (i % 50 == 20) succeeded &= static_cast<bool>(stream.snapshot(bytes));
      if (i % 50 == 40) succeeded &= static_cast<bool>(stream.restore(bytes));
      if (i % 1000 == 999) stream.reset();
    }
    return succeeded;
  }));
}

TEST_P(EveryBlock, StepsInAFleetAskingForNothing) {
  constexpr int kStreams = 45;  // a full tile and a rest
  const std::size_t values = static_cast<std::size_t>(kStreams) * config.inputs;
  Fleet fleet(model, kStreams);
  std::vector<std::byte> bytes(fleet.snapshot_bytes());
  expect_quiet(run_watched([&] {
    bool succeeded = true;
    for (int i = 0; i < 1'000; ++i) {
      const std::size_t first = samples.first(i % (Samples::kRows - kStreams));
      const std::span<const float> x = std::span(samples.x).subspan(first, values);
      fleet.advance(x);
      fleet.advance(x, std::span(samples.present).subspan(first, values), std::span(samples.dt).first(kStreams));
      if (i % 10 == 3) succeeded &= static_cast<bool>(fleet.snapshot(i % kStreams, bytes));
      if (i % 10 == 5) succeeded &= static_cast<bool>(fleet.restore((i + 1) % kStreams, bytes));
      if (i % 10 == 7) fleet.reset(i % kStreams);
      if (i % 100 == 99) fleet.reset();
      succeeded &= std::isfinite(fleet.outputs()[0]) && std::isfinite(fleet.output(1)[0]);
    }
    return succeeded;
  }));
}

// a router, a budget and a prompt
TEST_F(Watchers, SeeElasticAttentionAskForNothing) {
  const ModelConfig config = one_block("elastic", {.kind = elastic_attention()}).config;
  const Model model = Model::create(config, random_tensors(config, 1), {.isa = test_isa()}).value();
  Stream routed(model, {.router = random_router(model), .prefill_rows = 128});
  Stream timed(model, {.attention = Budget::micros(5)}), counted(model, {.attention = Budget::macs(5000)});
  std::vector<float> x(200 * 2);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(static_cast<float>(i));
  const Verdict verdict = run_watched([&] {
    for (int i = 0; i < 50; ++i) routed.prefill(x, {}, {.least_rows = 1});
    for (int i = 0; i < 2000; ++i) {
      const std::span<const float> row = std::span(x).subspan(static_cast<std::size_t>(i % 200) * 2, 2);
      routed.advance(row), timed.advance(row), counted.advance(row);
    }
    return std::isfinite(routed.output()[0]) && std::isfinite(timed.output()[0]);
  });
  EXPECT_EQ(verdict.system_call, -1);
  EXPECT_TRUE(verdict.succeeded);
  EXPECT_EQ(verdict.requests.allocations, 0);
  EXPECT_EQ(verdict.requests.locks, 0);
}

std::vector<SmallModel> with_custom_block() {
  std::vector<SmallModel> models = small_models();
  models.push_back(one_block("custom", {.kind = decaying_memory()}));
  models.push_back(one_block("elastic_attention", {.kind = elastic_attention()}));
  for (const auto& [name, memory] : memories()) models.push_back(one_block(name, {.kind = memory}));
  return models;
}

INSTANTIATE_TEST_SUITE_P(Realtime, EveryBlock, testing::ValuesIn(with_custom_block()),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace elastane
