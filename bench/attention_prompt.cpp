#include "bench/attention_prompt.h"

#include <atomic>
#include <chrono>
#include <thread>

#include "command_line/asked_isa.h"
#include "elastane/core/base/denormals.h"

namespace elastane::bench {

AttentionRoom::AttentionRoom(const AttentionShape& shape)
    : work_(sizeof(float) * as_size(std::max(attend_rows_floats(shape), attend_scratch_floats(shape)))),
      list_(as_size(shape.panels())) {}

Prompt::Prompt(const AttentionProblem& problem)
    : p(problem),
      window{.shape = {.heads = p.heads,
                       .kv_heads = p.kv_heads,
                       .size = p.size,
                       .window = p.length,
                       .block = kAttentionBlock,
                       .sink = p.sink() / kAttentionBlock,
                       .local = p.local() / kAttentionBlock,
                       .turning = p.length / kAttentionBlock + 1}},
      k(*kernels(command_line::asked_isa()).value()),
      panels_(sizeof(float) * as_size(window.floats())),
      q_(attention_rows(p, 0)),
      y_(q_.size()),
      room_(window.shape) {
  const std::vector<float> keys = attention_rows(p, 1), values = attention_rows(p, 2);
  const std::size_t row = as_size(p.kv_heads * p.size);
  for (std::size_t t = 0; t < as_size(p.length); ++t) {
    window.write(keys.data() + t * row, values.data() + t * row, t, ring());
  }
}

std::int64_t Prompt::attend(const BlockList& list) {
  std::int64_t blocks = 0;
  for (int head = 0; head < p.heads; ++head) {
    for (int t = 0; t < p.length; t += kAttentionBlock) blocks += attend(head, t, list, room_);
  }
  return blocks;
}

int Prompt::attend(int head, int t, const BlockList& list, AttentionRoom& room) {
  const FlushDenormals flush;
  const int count = list(head, static_cast<std::uint64_t>(t), room.list());
  const Rows y = Rows{y_.data(), p.length, p.heads * p.size}.slice(t, kAttentionBlock);
  k.attend_rows(window.shape, ring(), room.list(), count, head, queries(t, kAttentionBlock), room.work(), y);
  return count;
}

void Prompt::attend_last(HeadMode mode) {
  const FlushDenormals flush;
  const auto position = static_cast<std::uint64_t>(p.length - 1);
  const int count = list_blocks(window, mode, position, room_.list());
  k.attend_start(window.shape, queries(p.length - 1, 1)[0], 0, p.heads, room_.work());
  k.attend_blocks(window.shape, ring(), room_.list(), count, 0, p.heads, room_.work());
  k.attend_finish(window.shape, 0, p.heads, room_.work(), y_.data());
}

BlockList Prompt::by_modes() const {
  return [this](int head, std::uint64_t position, KeyBlock* list) {
    return list_blocks(window, head < p.heads - p.streaming ? HeadMode::full : HeadMode::stream, position, list);
  };
}

BlockList Prompt::random_blocks(double density) {
  auto lists = std::make_shared<std::vector<std::vector<KeyBlock>>>();  // [head][query block]
  Random random(static_cast<std::uint64_t>(5));
  for (int head = 0; head < p.heads; ++head) {
    for (int t = 0; t < p.length; t += kAttentionBlock) {
      const int count = list_blocks(window, HeadMode::full, static_cast<std::uint64_t>(t), room_.list());
      std::vector<KeyBlock>& own = lists->emplace_back();
      for (int b = 0; b < count; ++b) {
        const bool always = b == 0 || b == count - 1;
        if (always || random.uniform(0, 1) < density) own.push_back(room_.list()[b]);
      }
    }
  }
  const std::size_t blocks = as_size(p.length / kAttentionBlock);
  return [lists, blocks](int head, std::uint64_t position, KeyBlock* to) {
    const std::vector<KeyBlock>& own = (*lists)[as_size(head) * blocks + position / kAttentionBlock];
    std::copy(own.begin(), own.end(), to);
    return static_cast<int>(own.size());
  };
}

Prompt::TwoThreads Prompt::by_two_threads(const BlockList& list) {
  const int blocks = p.length / kAttentionBlock, items = blocks * p.heads;
  std::atomic<int> next{0};
  double took[2];
  // the longest items come first: query blocks from the end
  const auto work = [&](int thread) {
    AttentionRoom room(window.shape);
    const double begun = thread_millis();
    for (int i = next++; i < items; i = next++) {
      attend(i % p.heads, (blocks - 1 - i / p.heads) * kAttentionBlock, list, room);
    }
    took[thread] = thread_millis() - begun;
  };
  const auto begun = std::chrono::steady_clock::now();
  std::thread other([&] { work(1); });
  work(0);
  other.join();
  const std::chrono::duration<double, std::milli> wall = std::chrono::steady_clock::now() - begun;
  return {wall.count(), std::max(took[0], took[1])};
}

double all_blocks(const AttentionProblem& p) {
  const double n = p.length / kAttentionBlock;
  return p.heads * n * (n + 1) / 2;
}

double block_flops(const AttentionProblem& p, double blocks) {
  return blocks * 4 * kAttentionBlock * kAttentionBlock * p.size;
}

double gathered_millis(Prompt& prompt) {
  const AttentionProblem& p = prompt.p;
  AttentionProblem full = p, stream = p;
  full.heads = p.heads - p.streaming, stream.heads = p.streaming;
  full.streaming = 0, stream.streaming = stream.heads;
  full.kv_heads = std::max(1, full.heads * p.kv_heads / p.heads);
  stream.kv_heads = std::max(1, stream.heads * p.kv_heads / p.heads);
  Prompt one(full), other(stream);
  std::vector<float> q(prompt.answers().size()), y(q.size());
  const auto copy = [&](Prompt& part, int first) {
    const int width = part.p.heads * p.size;
    for (int t = 0; t < p.length; ++t) {
      std::copy_n(prompt.queries(t, 1)[0] + first * p.size, width, q.data() + static_cast<std::ptrdiff_t>(t) * width);
    }
    part.attend(part.by_modes());
    for (int t = 0; t < p.length; ++t) {
      std::copy_n(part.answers().data() + static_cast<std::ptrdiff_t>(t) * width, width,
                  y.data() + (static_cast<std::ptrdiff_t>(t) * p.heads + first) * p.size);
    }
  };
  return best_millis([&] { copy(one, 0), copy(other, full.heads); });
}

}  // namespace elastane::bench
