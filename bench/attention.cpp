// elastane bench attention: kernels of attention against the peak of this core, against what they should take by the
// blocks they read, and against LibTorch in the same run.
#include <fmt/core.h>

#include <functional>
#include <stdexcept>

#include "bench/attention_problem.h"
#include "bench/bench.h"
#include "bench/rival.h"
#include "bench/roofline.h"
#include "command_line/asked_isa.h"
#include "elastane/core/backbone/antidiagonals.h"
#include "elastane/core/base/buffer.h"
#include "elastane/core/base/denormals.h"

namespace elastane::bench {
namespace {

// the blocks that query head `head` reads for the query block at `position`
using List = std::function<int(int head, std::uint64_t position, KeyBlock* list)>;

// a prompt in panels, as a stream would hold it, and room for the answers
class Prompt {
 public:
  explicit Prompt(const AttentionProblem& problem)
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
        work_(sizeof(float) * as_size(std::max(attend_rows_floats(window.shape), attend_scratch_floats(window.shape)))),
        list_(as_size(window.shape.panels())) {
    const std::vector<float> keys = attention_rows(p, 1), values = attention_rows(p, 2);
    const std::size_t row = as_size(p.kv_heads * p.size);
    for (std::size_t t = 0; t < as_size(p.length); ++t) {
      window.write(keys.data() + t * row, values.data() + t * row, t, ring());
    }
  }

  float* ring() { return reinterpret_cast<float*>(panels_.data()); }
  float* work() { return reinterpret_cast<float*>(work_.data()); }
  KeyBlock* list() { return list_.data(); }
  ConstRows queries(int first, int rows) const {
    return ConstRows{q_.data(), p.length, p.heads * p.size}.slice(first, rows);
  }
  const std::vector<float>& answers() const { return y_; }

  // the whole prompt; returns the blocks that were read
  std::int64_t attend(const List& list) {
    std::int64_t blocks = 0;
    for (int head = 0; head < p.heads; ++head) {
      for (int t = 0; t < p.length; t += kAttentionBlock) blocks += attend(head, t, list);
    }
    return blocks;
  }
  int attend(int head, int t, const List& list) {
    const FlushDenormals flush;
    const int count = list(head, static_cast<std::uint64_t>(t), list_.data());
    const Rows y = Rows{y_.data(), p.length, p.heads * p.size}.slice(t, kAttentionBlock);
    k.attend_rows(window.shape, ring(), list_.data(), count, head, queries(t, kAttentionBlock), work(), y);
    return count;
  }
  // one query at the end
  void attend_last(HeadMode mode) {
    const FlushDenormals flush;
    const auto position = static_cast<std::uint64_t>(p.length - 1);
    const int count = list_blocks(window, mode, position, list_.data());
    k.attend_start(window.shape, queries(p.length - 1, 1)[0], 0, p.heads, work());
    k.attend_blocks(window.shape, ring(), list_.data(), count, 0, p.heads, work());
    k.attend_finish(window.shape, 0, p.heads, work(), y_.data());
  }

  // full heads first, then streaming ones
  List by_modes() const {
    return [this](int head, std::uint64_t position, KeyBlock* list) {
      return list_blocks(window, head < p.heads - p.streaming ? HeadMode::full : HeadMode::stream, position, list);
    };
  }

  AttentionProblem p;
  KeyValueWindow window;
  const Kernels& k;

 private:
  Buffer panels_;
  std::vector<float> q_, y_;
  Buffer work_;
  std::vector<KeyBlock> list_;
};

// the peak of this core; the best of all measurements so far, because neighbours can only lower it
double peak_gflops() {
  static double best = 0;
  best = std::max(best, 2e-3 * sustained_multiply_adds_per_micro());
  return best;
}

double flops(const AttentionProblem& p, double blocks) {
  return blocks * 4 * kAttentionBlock * kAttentionBlock * p.size;
}
double all_blocks(const AttentionProblem& p) {
  const double n = p.length / kAttentionBlock;
  return p.heads * n * (n + 1) / 2;
}

// milliseconds of the rival, after its answers were compared with ours; null where it is not built
Json ask_torch(const char* style, const Prompt& prompt) {
  const AttentionProblem& p = prompt.p;
  const auto answer =
      ask_rival("elastane-torch",
                fmt::format("attention --style {} --length {} --size {} --heads {} --kv-heads {} --streaming {}", style,
                            p.length, p.size, p.heads, p.kv_heads, p.streaming));
  if (!answer) return nullptr;
  const auto found = (*answer)["last"].get<std::vector<float>>();
  const std::vector<float>& y = prompt.answers();
  const double wrong = deviation(found, std::span(y).last(found.size()));
  if (!(wrong < 1e-4)) throw std::runtime_error(fmt::format("[bench] LibTorch ({}) differs by {:.1e}", style, wrong));
  return (*answer)["ms"];
}

class AttentionBench {
 public:
  AttentionBench(int longest, bool rivals) : longest_(longest), rivals_(rivals) {}

  // `only`: prompt, decode or step; empty: all
  Json run(const std::string& only) {
    print_heading();
    for (const int length : {1024, 4096, 16384, 65536}) {
      for (const int size : {64, 128}) {
        const bool wanted = only.empty() || only == "prompt";
        if (!wanted || length > longest_ || (length == 65536 && size == 128)) continue;
        bench_prompt(length, size);
      }
    }
    for (const int keys : {1024, 4096, 16384, 65536}) {
      if ((only.empty() || only == "decode") && keys <= longest_) bench_decode(keys);
    }
    for (const int window : {128, 1024, 4096}) {
      if (only.empty() || only == "step") bench_step(window);
    }
    return rows_;
  }

 private:
  static void print_heading() {
    fmt::print(
        "Attention on one core, processor milliseconds, best of several runs; peak {:.0f} GFLOP/s, measured between "
        "the\n"
        "rows. of peak: by the blocks that were read. of ideal: the dense time times the density, over the time "
        "taken.\n"
        "LibTorch, masked: head by head over all pairs; tuned: in rows of 256, keys cut at the diagonal and the "
        "window.\n\n",
        peak_gflops());
    fmt::print(
        "| case | length | head | heads | density | ms | of peak | of ideal | gather, two, scatter | LibTorch, masked "
        "| × | "
        "tuned | × |\n| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |\n");
  }

  void add(const char* name, const AttentionProblem& p, double density, double ms, Json extra = Json::object()) {
    Json row = {{"case", name},
                {"length", p.length},
                {"head_dim", p.size},
                {"heads", p.heads},
                {"kv_heads", p.kv_heads},
                {"density", density},
                {"ms", ms},
                {"of_peak", nullptr},
                {"of_ideal", nullptr},
                {"gathered_ms", nullptr},
                {"libtorch_masked_ms", nullptr},
                {"libtorch_tuned_ms", nullptr},
                {"onnxruntime_ms", nullptr}};
    row.update(extra);
    fmt::print("| {} | {} | {} | {}/{} | {:.3f} | {} | {} | {} | {} | {} | {} | {} | {} |\n", name, p.length, p.size,
               p.heads, p.kv_heads, density, shown(row["ms"], ms < 0.1 ? 5 : 2), shown(row["of_peak"], 2),
               shown(row["of_ideal"], 2), shown(row["gathered_ms"], 2), shown(row["libtorch_masked_ms"]),
               ratio(row["libtorch_masked_ms"], row["ms"]), shown(row["libtorch_tuned_ms"]),
               ratio(row["libtorch_tuned_ms"], row["ms"]));
    std::fflush(stdout);
    rows_.push_back(std::move(row));
  }

  // ours, the rivals, ours again
  Json timed(Prompt& prompt, const List& list, bool rivals) {
    double ms = best_millis([&] { prompt.attend(list); });
    Json row = {{"libtorch_masked_ms", nullptr}, {"libtorch_tuned_ms", nullptr}};
    if (rivals && rivals_) {
      if (prompt.p.length <= 16384) row["libtorch_masked_ms"] = ask_torch("masked", prompt);
      row["libtorch_tuned_ms"] = ask_torch("tuned", prompt);
      ms = std::min(ms, best_millis([&] { prompt.attend(list); }));
    }
    row["ms"] = ms;
    return row;
  }

  void bench_prompt(int length, int size) {
    AttentionProblem p{.length = length, .size = size};
    if (length >= 16384) p.heads = 2, p.kv_heads = 1;
    if (length >= 65536) p.heads = 1;
    double dense = 0;
    const double all = all_blocks(p);
    for (int streaming = 0; streaming <= p.heads; ++streaming) {
      if (4 * streaming == p.heads) continue;  // a quarter
      p.streaming = streaming;
      Prompt prompt(p);
      const double blocks = static_cast<double>(prompt.attend(prompt.by_modes()));
      Json row = timed(prompt, prompt.by_modes(), size == 64);
      const double ms = row["ms"];
      if (streaming == 0) dense = ms;
      row["of_peak"] = flops(p, blocks) / ms * 1e-6 / peak_gflops();
      row["of_ideal"] = dense * blocks / all / ms;
      if (streaming > 0 && streaming < p.heads) row["gathered_ms"] = gathered(prompt);
      add(streaming == 0 ? "dense" : "stream", p, blocks / all, ms, row);
    }
    p.streaming = 0;
    bench_lists(p, dense);
    bench_antidiagonals(p, dense);
  }

  // the heads of each mode copied together, attended, and copied back
  static double gathered(Prompt& prompt) {
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

  // random blocks, besides the first and the diagonal one; [head][query block]
  static std::vector<std::vector<KeyBlock>> random_lists(Prompt& prompt, double density) {
    std::vector<std::vector<KeyBlock>> lists;
    Random random(static_cast<std::uint64_t>(5));
    for (int head = 0; head < prompt.p.heads; ++head) {
      for (int t = 0; t < prompt.p.length; t += kAttentionBlock) {
        const int count = list_blocks(prompt.window, HeadMode::full, static_cast<std::uint64_t>(t), prompt.list());
        std::vector<KeyBlock>& own = lists.emplace_back();
        for (int b = 0; b < count; ++b) {
          const bool always = b == 0 || b == count - 1;
          if (always || random.uniform(0, 1) < density) own.push_back(prompt.list()[b]);
        }
      }
    }
    return lists;
  }

  void bench_lists(const AttentionProblem& p, double dense) {
    Prompt prompt(p);
    for (const double wanted : {0.25, 0.1, 0.05}) {
      const auto lists = random_lists(prompt, wanted);
      const List list = [&](int head, std::uint64_t position, KeyBlock* to) {
        const std::vector<KeyBlock>& own = lists[as_size(head) * as_size(p.length / kAttentionBlock) + position / 64];
        std::copy(own.begin(), own.end(), to);
        return static_cast<int>(own.size());
      };
      const double blocks = static_cast<double>(prompt.attend(list));
      const double ms = best_millis([&] { prompt.attend(list); });
      add("blocks", p, blocks / all_blocks(p), ms,
          {{"of_peak", flops(p, blocks) / ms * 1e-6 / peak_gflops()},
           {"of_ideal", dense * blocks / all_blocks(p) / ms}});
    }
  }

  // what choosing costs, as a share of dense; random prompts have no structure, so nearly all blocks are kept
  void bench_antidiagonals(const AttentionProblem& p, double dense) {
    Prompt prompt(p);
    const AttentionShape& shape = prompt.window.shape;
    Buffer scores(sizeof(float) * as_size(4 * padded(4 * shape.panels())));
    std::vector<Candidate> candidates(as_size(shape.panels()));
    const ChoiceScratch scratch{
        {reinterpret_cast<float*>(scores.data()), 4, padded(4 * shape.panels())}, candidates.data(), prompt.work()};
    double share = 0, kept = 0;
    const auto choose = [&] {
      share = kept = 0;
      for (int head = 0; head < p.heads; ++head) {
        for (int t = 0; t < p.length; t += kAttentionBlock) {
          const int count = list_blocks(prompt.window, HeadMode::full, static_cast<std::uint64_t>(t), prompt.list());
          const BlockChoice choice =
              choose_blocks(prompt.k, shape, prompt.ring(), head, prompt.queries(t, kAttentionBlock), 0.9, scratch,
                            prompt.list(), count);
          kept += choice.count;
          share += choice.share;
        }
      }
    };
    const double ms = best_millis(choose);
    add("xattention", p, kept / all_blocks(p), ms,
        {{"scoring_of_dense", ms / dense}, {"kept_share", share / (p.heads * (p.length / kAttentionBlock))}});
    fmt::print("  (scoring {:.1f} % of dense)\n", 100 * ms / dense);
  }

  // one query at the end of a long prompt
  void bench_decode(int keys) {
    AttentionProblem p{.length = keys, .size = 64, .heads = 4, .kv_heads = 1};
    Prompt prompt(p);
    double full = 0;
    for (const HeadMode mode : {HeadMode::full, HeadMode::stream}) {
      Prompt& at = prompt;
      if (mode == HeadMode::stream) at.window.shape.sink = 1, at.window.shape.local = 8;
      const int blocks = count_blocks(at.window, mode, static_cast<std::uint64_t>(keys - 1));
      const double ms = best_millis([&] {
                          for (int i = 0; i < 20; ++i) at.attend_last(mode);
                        }) /
                        20;
      if (mode == HeadMode::full) full = ms;
      const double density = static_cast<double>(blocks) * kAttentionBlock / keys;
      add("decode", p, density, ms,
          {{"of_peak", flops(p, blocks * p.heads) / 64 / ms * 1e-6 / peak_gflops()}, {"speed_up", full / ms}});
    }
  }

  // a step of windowed attention, as models have it: four heads of 64 and of 16
  void bench_step(int window) {
    for (const int size : {64, 16}) {
      AttentionProblem p{.length = window, .size = size, .heads = 4, .kv_heads = 4};
      Prompt prompt(p);
      prompt.window.shape.sink = 0;
      const double ms = best_millis([&] {
                          for (int i = 0; i < 100; ++i) prompt.attend_last(HeadMode::full);
                        }) /
                        100;
      const double blocks = 1.0 * p.heads * window / kAttentionBlock;
      add("step", p, 1, ms, {{"of_peak", flops(p, blocks) / 64 / ms * 1e-6 / peak_gflops()}});
    }
  }

  int longest_;
  bool rivals_;
  Json rows_ = Json::array();
};

}  // namespace

void add_bench_attention(command_line::Command& bench) {
  struct Options {
    std::string json;
    std::string only;
    int longest = 16384;
    bool alone = false;
  };
  auto options = std::make_shared<Options>();
  command_line::Command& verb =
      bench.command("attention", "Kernels of attention, full and sparse, against the peak and LibTorch");
  verb.option("--json", options->json, "write the rows to this file, as a JSON list").type("FILE");
  verb.option("--longest", options->longest, "leave out prompts longer than this; 65536 takes minutes")
      .range(1024, 65536);
  verb.option("--only", options->only, "measure these rows only").one_of({"prompt", "decode", "step"}).hide_default();
  verb.flag("--alone", options->alone, "without LibTorch");
  verb.footer(
      "Example:\n  elastane bench attention --longest 4096 --json attention.json\n\n"
      "LibTorch's columns need elastane-torch beside this program: ./dev bench attention builds both.");
  verb.action([options] {
    write_rows(options->json, AttentionBench(options->longest, !options->alone).run(options->only));
    return 0;
  });
}

}  // namespace elastane::bench
