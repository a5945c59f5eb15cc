// elastane bench attention: kernels of attention against the peak of this core, against what they should take by the
// blocks they read, and against LibTorch and ONNX Runtime in the same run.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "bench/attention_rivals.h"
#include "bench/earlier_attention.h"
#include "bench/rival.h"
#include "bench/roofline.h"
#include "elastane/core/backbone/antidiagonals.h"
#include "elastane/core/base/denormals.h"

namespace elastane::bench {
namespace {

// GFLOP/s of this core now
double peak_now() { return 2e-3 * sustained_multiply_adds_per_micro(2); }

double median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
  return values[values.size() / 2];
}

// Work on a core that others use too: its best time, and the median of its rate over the peak, which was measured right
// before and after each run.
struct PeakTimed {
  double ms = 1e30, of_peak = 0;
};
template <class F>
PeakTimed timed_against_peak(double flops, F&& f) {
  PeakTimed found;
  std::vector<double> shares;
  double before = peak_now(), spent = 0;
  for (int run = 0; run < 3 || (spent < 700 && run < 100); ++run) {
    const double begun = thread_millis();
    f();
    const double took = thread_millis() - begun, after = peak_now();
    shares.push_back(flops / took * 1e-6 / (0.5 * (before + after)));
    found.ms = std::min(found.ms, took);
    before = after, spent += took;
    if (took > 4000) break;
  }
  found.of_peak = median(shares);
  return found;
}

// the median over several turns of f's time over g's
template <class F, class G>
double median_ratio(F&& f, G&& g) {
  std::vector<double> ratios;
  double spent = 0;
  const auto took = [](auto&& work) {
    const double begun = thread_millis();
    work();
    return thread_millis() - begun;
  };
  for (int turn = 0; turn < 3 || (spent < 1500 && turn < 50); ++turn) {
    const double one = took(f), other = took(g);
    ratios.push_back(one / other);
    spent += one + other;
    if (spent > 5000) break;
  }
  return median(ratios);
}

// the window as the kernel before panels had it
class EarlierRing {
 public:
  explicit EarlierRing(const AttentionProblem& p)
      : shape_{p.heads, p.kv_heads, p.size, padded(p.length), padded(p.kv_heads * p.size)},
        keys_(sizeof(float) * as_size(p.kv_heads * p.size * shape_.slots)),
        values_(sizeof(float) * as_size(p.length * shape_.kv_stride)),
        scores_(sizeof(float) * as_size(shape_.slots)),
        y_(as_size(p.heads * p.size + kLane)) {
    const std::vector<float> keys = attention_rows(p, 1), values = attention_rows(p, 2);
    const int row = p.kv_heads * p.size;
    for (int t = 0; t < p.length; ++t) {
      for (int i = 0; i < row; ++i) {
        floats(keys_)[i * shape_.slots + t] = keys[as_size(t * row + i)];
        floats(values_)[t * shape_.kv_stride + i] = values[as_size(t * row + i)];
      }
    }
  }

  void attend_last(const Prompt& prompt) const {
    const FlushDenormals flush;
    earlier_attend(shape_, prompt.queries(prompt.p.length - 1, 1)[0], floats(keys_), floats(values_), prompt.p.length,
                   floats(scores_), y_.data());
  }
  void expect_alike(const Prompt& prompt) const {
    const std::size_t n = as_size(shape_.heads * shape_.size);
    const double wrong = deviation(std::span(y_).first(n), std::span(prompt.answers()).first(n));
    if (!(wrong < 1e-4)) throw std::runtime_error(fmt::format("[bench] the earlier kernel differs by {:.1e}", wrong));
  }

 private:
  static float* floats(const Buffer& b) { return reinterpret_cast<float*>(const_cast<Buffer&>(b).data()); }

  EarlierShape shape_;
  Buffer keys_, values_, scores_;
  mutable std::vector<float> y_;
};

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
      for (const int kv_heads : {1, 4}) {
        if ((only.empty() || only == "decode") && keys <= longest_) bench_decode(keys, kv_heads);
      }
    }
    for (const int window : {128, 1024, 4096}) {
      if (only.empty() || only == "step") bench_step(window);
    }
    return rows_;
  }

 private:
  static void print_heading() {
    fmt::print(
        "Attention on one core, processor milliseconds, best of several runs; peak {:.0f} GFLOP/s. of peak: by the\n"
        "blocks that were read, median over runs, the peak measured right before and after each. of ideal: the dense\n"
        "time times the density over the time taken, median over runs in turn. LibTorch, masked: head by head over\n"
        "all pairs; tuned: in rows of 256, keys cut at the diagonal and the window. ONNX Runtime: "
        "GroupQueryAttention,\n"
        "a local window for streaming heads.\n\n",
        peak_now());
    fmt::print(
        "| case | length | head | heads | density | ms | of peak | of ideal | LibTorch, masked | × | tuned | × | ONNX "
        "Runtime | × |\n| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |\n");
  }

  void add(const char* name, const AttentionProblem& p, double density, double ms, const Json& more = Json::object()) {
    Json row = {{"case", name},
                {"length", p.length},
                {"head_dim", p.size},
                {"heads", p.heads},
                {"density", density},
                {"ms", ms},
                {"of_peak", nullptr},
                {"of_ideal", nullptr},
                {"libtorch_masked_ms", nullptr},
                {"libtorch_tuned_ms", nullptr},
                {"onnxruntime_ms", nullptr}};
    row.update(more);
    fmt::print("| {} | {} | {} | {}/{} | {:.3f} | {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", name, p.length,
               p.size, p.heads, p.kv_heads, density, shown(row["ms"], ms < 0.1 ? 5 : 2), shown(row["of_peak"], 2),
               shown(row["of_ideal"], 2), shown(row["libtorch_masked_ms"]), ratio(row["libtorch_masked_ms"], row["ms"]),
               shown(row["libtorch_tuned_ms"]), ratio(row["libtorch_tuned_ms"], row["ms"]),
               shown(row["onnxruntime_ms"]), ratio(row["onnxruntime_ms"], row["ms"]));
    std::fflush(stdout);
    rows_.push_back(std::move(row));
  }

  // ours, the rivals, ours again
  Json timed(Prompt& prompt, double blocks) {
    const BlockList list = prompt.by_modes();
    const auto ours = [&] { prompt.attend(list); };
    const PeakTimed first = timed_against_peak(block_flops(prompt.p, blocks), ours);
    Json row = {{"ms", first.ms}, {"of_peak", first.of_peak}};
    if (!rivals_ || prompt.p.size != 64) return row;
    if (prompt.p.length <= 16384) row["libtorch_masked_ms"] = ask_torch("masked", prompt);
    row["libtorch_tuned_ms"] = ask_torch("tuned", prompt);
    if (prompt.p.length <= 16384) row["onnxruntime_ms"] = ask_onnxruntime(prompt);
    row["ms"] = std::min(first.ms, best_millis(ours));
    return row;
  }

  void bench_prompt(int length, int size) {
    AttentionProblem p{.length = length, .size = size};
    if (length >= 16384) p.heads = 2, p.kv_heads = 1;
    if (length >= 65536) p.heads = 1;
    const double all = all_blocks(p);
    Prompt dense(p);
    std::string notes;
    for (int streaming = 0; streaming <= p.heads; ++streaming) {
      if (4 * streaming == p.heads) continue;  // a quarter
      p.streaming = streaming;
      Prompt prompt(p);
      const double blocks = static_cast<double>(prompt.attend(prompt.by_modes()));
      Json row = timed(prompt, blocks);
      row["of_ideal"] = streaming == 0 ? 1.0 : of_ideal(dense, prompt, prompt.by_modes(), blocks / all);
      add(streaming == 0 ? "dense" : "stream", p, blocks / all, row["ms"], row);
      if (2 * streaming == p.heads) {
        notes += fmt::format("  half streaming: gathered, attended twice and scattered takes {:.2f} × the time\n",
                             gathered_millis(prompt) / row["ms"].get<double>());
      }
      if (streaming == 0 || 2 * streaming == p.heads) notes += two_threads(prompt);
    }
    fmt::print("{}", notes);
    p.streaming = 0;
    bench_lists(dense);
    bench_antidiagonals(p);
  }

  static double of_ideal(Prompt& dense, Prompt& prompt, const BlockList& list, double density) {
    return density * median_ratio([&] { dense.attend(dense.by_modes()); }, [&] { prompt.attend(list); });
  }

  // the best of several: another program on the second core can only lower it
  static std::string two_threads(Prompt& prompt) {
    const BlockList list = prompt.by_modes();
    double wall = 0, busier = 0;
    for (int turn = 0; turn < (prompt.p.length > 4096 ? 2 : 8); ++turn) {
      const auto begun = std::chrono::steady_clock::now();
      const double cpu = thread_millis();
      prompt.attend(list);
      const std::chrono::duration<double, std::milli> alone = std::chrono::steady_clock::now() - begun;
      const double alone_cpu = thread_millis() - cpu;
      const Prompt::TwoThreads two = prompt.by_two_threads(list);
      wall = std::max(wall, alone.count() / two.wall), busier = std::max(busier, alone_cpu / two.busier);
    }
    return fmt::format(
        "  two threads, {} of {} heads streaming: {:.2f} × on the clock, {:.2f} × by the processor time "
        "of the busier one\n",
        prompt.p.streaming, prompt.p.heads, wall, busier);
  }

  void bench_lists(Prompt& prompt) {
    for (const double wanted : {0.25, 0.1, 0.05}) {
      const BlockList list = prompt.random_blocks(wanted);
      const double blocks = static_cast<double>(prompt.attend(list)), density = blocks / all_blocks(prompt.p);
      const PeakTimed took = timed_against_peak(block_flops(prompt.p, blocks), [&] { prompt.attend(list); });
      add("blocks", prompt.p, density, took.ms,
          {{"of_peak", took.of_peak}, {"of_ideal", of_ideal(prompt, prompt, list, density)}});
    }
  }

  // what choosing costs, as a share of dense; random prompts have no structure, so nearly all blocks are kept
  void bench_antidiagonals(const AttentionProblem& p) {
    Prompt prompt(p);
    const AttentionShape& shape = prompt.window.shape;
    Buffer scores(sizeof(float) * as_size(4 * padded(4 * shape.panels())));
    std::vector<Candidate> candidates(as_size(shape.panels()));
    const ChoiceScratch scratch{{reinterpret_cast<float*>(scores.data()), 4, padded(4 * shape.panels())},
                                candidates.data(),
                                prompt.room().work()};
    double share = 0, kept = 0;
    const auto choose = [&] {
      share = kept = 0;
      KeyBlock* list = prompt.room().list();
      for (int head = 0; head < p.heads; ++head) {
        for (int t = 0; t < p.length; t += kAttentionBlock) {
          const int count = list_blocks(prompt.window, HeadMode::full, static_cast<std::uint64_t>(t), list);
          const BlockChoice choice = choose_blocks(prompt.k, shape, prompt.ring(), head,
                                                   prompt.queries(t, kAttentionBlock), 0.9, scratch, list, count);
          kept += choice.count;
          share += choice.share;
        }
      }
    };
    const double ms = best_millis(choose);
    const double of_dense = median_ratio(choose, [&] { prompt.attend(prompt.by_modes()); });
    add("xattention", p, kept / all_blocks(p), ms);
    fmt::print("  (scoring {:.1f} % of dense; {:.3f} of the score mass kept)\n", 100 * of_dense,
               share / (p.heads * (p.length / kAttentionBlock)));
  }

  // one query at the end of a long prompt, four heads to a key head: of one key head 64K keys and values are 32 MiB and
  // may stay in the cache, of several they are read from memory, as those of a whole model are
  void bench_decode(int keys, int kv_heads) {
    AttentionProblem p{.length = keys, .size = 64, .heads = 4 * kv_heads, .kv_heads = kv_heads};
    Prompt prompt(p);
    double full = 0;
    for (const HeadMode mode : {HeadMode::full, HeadMode::stream}) {
      if (mode == HeadMode::stream) prompt.window.shape.sink = 1, prompt.window.shape.local = 8;
      const int blocks = count_blocks(prompt.window, mode, static_cast<std::uint64_t>(keys - 1));
      const double ms = best_millis([&] {
                          for (int i = 0; i < 20; ++i) prompt.attend_last(mode);
                        }) /
                        20;
      if (mode == HeadMode::full) full = ms;
      const double density = static_cast<double>(blocks) * kAttentionBlock / keys;
      add("decode", p, density, ms, {{"of_peak", block_flops(p, blocks * p.heads) / 64 / ms * 1e-6 / peak_now()}});
      if (mode == HeadMode::stream) fmt::print("  (full takes {:.1f} × the time)\n", full / ms);
    }
  }

  // a step of windowed attention, as models have it, four heads of 64 and of 16; and the kernel before panels
  void bench_step(int window) {
    for (const int size : {64, 16}) {
      AttentionProblem p{.length = window, .size = size, .heads = 4, .kv_heads = 4};
      Prompt prompt(p);
      prompt.window.shape.sink = 0;
      const EarlierRing ring(p);
      const auto ours = [&] {
        for (int i = 0; i < 100; ++i) prompt.attend_last(HeadMode::full);
      };
      const auto earlier = [&] {
        for (int i = 0; i < 100; ++i) ring.attend_last(prompt);
      };
      ours(), earlier();
      ring.expect_alike(prompt);
      const double ms = best_millis(ours) / 100, blocks = 1.0 * p.heads * window / kAttentionBlock;
      add("step", p, 1, ms, {{"of_peak", block_flops(p, blocks) / 64 / ms * 1e-6 / peak_now()}});
      fmt::print("  (the kernel before panels takes {:.2f} × the time)\n", median_ratio(earlier, ours));
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
      bench.command("attention", "Kernels of attention, full and sparse, against the peak, LibTorch and ONNX Runtime");
  verb.option("--json", options->json, "write the rows to this file, as a JSON list").type("FILE");
  verb.option("--longest", options->longest, "leave out prompts longer than this; 65536 takes minutes")
      .range(1024, 65536);
  verb.option("--only", options->only, "measure these rows only").one_of({"prompt", "decode", "step"}).hide_default();
  verb.flag("--alone", options->alone, "without LibTorch and ONNX Runtime");
  verb.footer(
      "Example:\n  elastane bench attention --longest 4096 --json attention.json\n\n"
      "LibTorch's columns need elastane-torch beside this program, ONNX Runtime's node and the package "
      "onnxruntime-node:\n"
      "./dev bench attention sees to both.");
  verb.action([options] {
    write_rows(options->json, AttentionBench(options->longest, !options->alone).run(options->only));
    return 0;
  });
}

}  // namespace elastane::bench
