#include "lab/recall/memory_cost.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "elastane/core/base/buffer.h"
#include "elastane/core/base/denormals.h"
#include "elastane/core/base/random.h"
#include "lab/benchmark/latency.h"

namespace elastane::recall {
namespace {

constexpr int kBatch = 16, kKept = 4000;  // steps per batch, batches that a median is of

double micros_now() {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
double median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + std::ssize(values) / 2);
  return values[values.size() / 2];
}

// inputs of a few steps, and the arrays of one memory
class TimedMemory {
 public:
  static constexpr int kRows = 64;

  explicit TimedMemory(const AssociativeMemory& memory)
      : memory_(memory),
        row_(memory.heads * (memory.key_floats() + memory.value_floats())),
        all_(sizeof(float) * as_size(kRows * row_ + memory.floats() + memory.aside_floats() + memory.work_floats() +
                                     memory.heads * memory.value_floats() + 2 * padded(memory.heads))) {
    Random random(5);
    const int keys = memory_.heads * memory_.key_floats();
    for (int r = 0; r < kRows; ++r) {
      for (int i = 0; i < row_; ++i) {
        const double scale = i < keys ? 1 / std::sqrt(memory_.keys) : 1.0;
        rows()[r * row_ + i] = static_cast<float>(scale * random.normal());
      }
    }
    for (int i = 0; i < padded(memory_.heads); ++i)
      strength()[i] = 0.5F, strength()[padded(memory_.heads) + i] = 0.999F;
    memory_.start(store(), aside());
  }

  void step(std::int64_t t) {
    const float* row = rows() + t % kRows * row_;
    memory_.advance({.k = k_,
                     .key = row,
                     .query = row,
                     .value = row + memory_.heads * memory_.key_floats(),
                     .strength = strength(),
                     .keep = strength() + padded(memory_.heads),
                     .store = store(),
                     .slow = nullptr,
                     .aside = aside(),
                     .work = aside() + memory_.aside_floats(),
                     .out = aside() + memory_.aside_floats() + memory_.work_floats()});
  }

 private:
  float* rows() { return reinterpret_cast<float*>(all_.data()); }
  float* strength() { return rows() + kRows * row_; }
  float* store() { return strength() + 2 * padded(memory_.heads); }
  float* aside() { return store() + memory_.floats(); }

  AssociativeMemory memory_;
  const Kernels& k_ = *kernels().value();
  int row_;
  Buffer all_;
};

}  // namespace

std::vector<CostPoint> time_memory(const std::string& name, const AssociativeMemory& memory,
                                   const std::vector<std::int64_t>& tokens) {
  const FlushDenormals flush;
  TimedMemory timed(memory);
  const auto bytes = static_cast<std::int64_t>(sizeof(float)) * (memory.floats() + memory.aside_floats());
  std::vector<CostPoint> points;
  std::vector<double> last(kKept);  // a ring of batches
  std::int64_t batches = 0;
  for (const std::int64_t until : tokens) {
    for (; batches * kBatch < until; ++batches) {
      const double begin = micros_now();
      for (int i = 0; i < kBatch; ++i) timed.step(batches * kBatch + i);
      last[as_size(batches % kKept)] = (micros_now() - begin) / kBatch;
    }
    const auto filled = static_cast<std::ptrdiff_t>(std::min<std::int64_t>(batches, kKept));
    points.push_back({name, until, bytes, median({last.begin(), last.begin() + filled})});
  }
  return points;
}

CostPoint time_attention(int size, std::int64_t tokens) {
  constexpr int kBlock = 64;
  const FlushDenormals flush;
  const Kernels& k = *kernels().value();
  const int panels = static_cast<int>(tokens / kBlock);
  const AttentionShape shape{
      .heads = 1, .kv_heads = 1, .size = size, .window = static_cast<int>(tokens), .block = kBlock, .turning = panels};
  const std::size_t floats = as_size(panels) * as_size(shape.panel_words());
  Buffer cache(sizeof(float) * floats), other(sizeof(float) * as_size(attend_scratch_floats(shape) + 2 * padded(size)));
  auto *panel = reinterpret_cast<float*>(cache.data()), *q = reinterpret_cast<float*>(other.data());
  float *y = q + padded(size), *work = y + padded(size);
  for (std::size_t i = 0; i < floats; ++i) panel[i] = static_cast<float>(i % 97) / 97.0F - 0.5F;
  for (int i = 0; i < size; ++i) q[i] = static_cast<float>(i % 7) - 3.0F;
  std::vector<KeyBlock> list;
  for (int p = 0; p < panels; ++p) list.push_back({p, 1 - static_cast<int>(tokens) + p * kBlock, kAnyReach});
  std::vector<double> times;
  const double begun = micros_now();
  while (times.size() < 5 || (times.size() < 2000 && micros_now() - begun < 2e5)) {
    const double begin = benchmark::processor_micros();
    k.attend_start(shape, q, 0, 1, work);
    k.attend_blocks(shape, panel, list.data(), panels, 0, 1, work);
    k.attend_finish(shape, 0, 1, work, y);
    times.push_back(benchmark::processor_micros() - begin);
  }
  return {"attention", tokens, static_cast<std::int64_t>(sizeof(float) * floats), median(times)};
}

}  // namespace elastane::recall
