// Streams small models for a long time and compares the first tenth with the last: step times and memory must be flat.
//
//   endurance                        every block, 10⁷ steps each: about a minute
//   endurance --block mamba --steps 1000000
//   endurance --corrected            every step corrected towards a label
//   endurance --forecaster           rows of a table, forecast and learned from
//
// During the last tenth a fresh stream takes turns with the old one. Other programs slow both alike, so their ratio
// decides, not that of the last tenth to the first. Ends with 1 if something grew. A step's time includes one reading
// of the clock, some 20 ns.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "command_line/options.h"
#include "elastane/core/base/random.h"
#include "elastane/core/objective/gaussian.h"
#include "elastane/core/stream/stream.h"
#include "tests/core/forecast/forecasters.h"
#include "tests/realtime/small_models.h"

namespace elastane {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kFlatTime = 1.1;  // p99 of the old stream to that of the fresh one
constexpr long kFlatMemory = 256;  // KiB gained since the first tenth: what the kernel's own count may be wrong by

// Counts of times in ns: each power of two has kParts buckets, so a percentile is known within 1/kParts. Fixed size,
// and all of its pages are touched before the first step.
class Histogram {
 public:
  void add(std::uint64_t ns) {
    ++counts_[std::min(bucket(ns), counts_.size() - 1)];
    ++total_;
    largest_ = std::max(largest_, ns);
  }

  // no less than this share of all times lies below the answer
  std::uint64_t percentile(double share) const {
    const auto wanted = static_cast<std::uint64_t>(share * static_cast<double>(total_));
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      seen += counts_[i];
      if (seen >= wanted && seen > 0) return std::min(upper(i), largest_);
    }
    return largest_;
  }
  std::uint64_t largest() const { return largest_; }

 private:
  static constexpr int kBits = 6;
  static constexpr std::uint64_t kParts = 1 << kBits;

  static std::size_t bucket(std::uint64_t ns) {
    if (ns < kParts) return ns;
    const int shift = std::bit_width(ns) - kBits - 1;
    return static_cast<std::size_t>(shift) * kParts + (ns >> shift);
  }
  static std::uint64_t upper(std::size_t i) {
    if (i < kParts) return i;
    const std::size_t shift = i / kParts - 1;
    return ((i - shift * kParts + 1) << shift) - 1;
  }

  std::array<std::uint64_t, 32 * kParts> counts_{};
  std::uint64_t total_ = 0, largest_ = 0;
};

// in KiB; read without stdio, which would allocate
long resident_memory() {
  std::array<char, 128> text{};
  const int file = ::open("/proc/self/statm", O_RDONLY);
  if (file < 0 || ::read(file, text.data(), text.size() - 1) <= 0) return 0;
  ::close(file);
  char* at = text.data();
  std::strtol(at, &at, 10);  // the first number is the whole address space
  return std::strtol(at, nullptr, 10) * (sysconf(_SC_PAGESIZE) / 1024);
}

// all that is measured, in one place, so that nothing is made while streaming
struct Record {
  Histogram first, last, fresh;
  long memory_first = 0, memory_last = 0;  // at the end of a tenth
} record;

class Inputs {
 public:
  Inputs() {
    Random random(3);
    for (float& value : values_) value = static_cast<float>(random.normal());
  }
  std::span<const float> row(long step) const { return std::span(values_).subspan(step % kRows * 2, 2); }

 private:
  static constexpr long kRows = 4093;
  std::array<float, 2 * kRows> values_{};
};

void timed_step(Stream& stream, long step, Histogram& times) {
  static const Inputs inputs;
  const Clock::time_point before = Clock::now();
  stream.advance(inputs.row(step));
  // the inputs of some other step are as good a label as any
  if (stream.has_corrector()) stream.correct(Gaussian(Target{.values = inputs.row(step + 7), .noise = 0.5}));
  times.add(static_cast<std::uint64_t>((Clock::now() - before).count()));
}

void timed_step(Forecaster& forecaster, long step, Histogram& times) {
  static const ForecastRows rows = made_rows(4093, 3);
  const std::vector<double>& row = rows[static_cast<std::size_t>(step) % rows.size()];
  const Clock::time_point before = Clock::now();
  forecaster.observe(row);
  times.add(static_cast<std::uint64_t>((Clock::now() - before).count()));
}

void show_progress(const std::string& block, int tenths) {
  if (isatty(STDERR_FILENO) == 0) return;
  std::fprintf(stderr, tenths < 10 ? "\r%s: %d of 10 " : "\r\033[K", block.c_str(), tenths);
}

// a tenth of all steps, ten times
template <class Streamed>
void stream_for(long steps, const std::string& block, Streamed& old, Streamed& fresh) {
  static Histogram between;
  const long tenth = steps / 10;
  // caches, page tables and lazily bound functions fill once
  for (long step = 0; step < std::min(tenth, 10'000L); ++step) {
    timed_step(old, step, record.first), timed_step(fresh, step, record.fresh), timed_step(old, step, record.last);
  }
  fresh.reset();
  record = {.memory_first = resident_memory()};
  for (long step = 0; step < tenth; ++step) timed_step(old, step, record.first);
  record.memory_first = resident_memory();
  for (int done = 1; done < 9; ++done) {
    show_progress(block, done);
    for (long step = 0; step < tenth; ++step) timed_step(old, step, between);
  }
  show_progress(block, 9);
  for (long step = 0; step < tenth; ++step) {
    timed_step(old, step, record.last);
    timed_step(fresh, step, record.fresh);
  }
  record.memory_last = resident_memory();
  show_progress(block, 10);
}

void print_row(const std::string& block, const char* name, const Histogram& times, long memory) {
  std::printf("| %s | %s | %lu | %lu | %lu | %lu | %ld |\n", block.c_str(), name, times.percentile(0.5),
              times.percentile(0.99), times.percentile(0.999), times.largest(), memory);
}

struct Growth {
  std::string block;
  double last_to_first, last_to_fresh;  // p99
  double memory;                        // last to first
  bool flat;
};

template <class Streamed>
Growth endure(const std::string& name, long steps, Streamed old, Streamed fresh) {
  stream_for(steps, name, old, fresh);
  const auto& [first, last, young, memory_first, memory_last] = record;
  print_row(name, "first", first, memory_first);
  print_row(name, "last", last, memory_last);
  print_row(name, "fresh beside last", young, memory_last);
  std::fflush(stdout);
  const auto ratio = [](auto a, auto b) { return static_cast<double>(a) / static_cast<double>(b); };
  Growth growth{.block = name,
                .last_to_first = ratio(last.percentile(0.99), first.percentile(0.99)),
                .last_to_fresh = ratio(last.percentile(0.99), young.percentile(0.99)),
                .memory = ratio(memory_last, memory_first),
                .flat = false};
  growth.flat = growth.last_to_fresh <= kFlatTime && memory_last - memory_first <= kFlatMemory;
  return growth;
}

Growth endure_model(const SmallModel& small, long steps, const StreamOptions& options) {
  const Model model = Model::create(small.config, random_tensors(small.config, 1)).value();
  return endure(small.name, steps, Stream(model, options), Stream(model, options));
}

std::vector<Growth> endure_blocks(const std::string& block, long steps, bool corrected) {
  StreamOptions options;
  if (corrected) options.corrector = CorrectorOptions{};
  std::vector<Growth> growths;
  for (const SmallModel& small : small_models()) {
    if (!block.empty() && small.name != block) continue;
    // what has no recurrent state cannot be corrected
    if (!validate(options, Model::create(small.config, random_tensors(small.config, 1)).value())) continue;
    growths.push_back(endure_model(small, steps, options));
  }
  return growths;
}

int endure_all(const std::string& block, long steps, bool corrected, bool forecaster) {
  std::printf("%ld %s; times of one step in ns, memory in KiB\n\n", steps,
              forecaster  ? "rows of a forecaster"
              : corrected ? "corrected steps of each block"
                          : "steps of each block");
  std::printf(
      "| block | tenth | p50 | p99 | p99.9 | max | memory |\n| --- | --- | ---: | ---: | ---: | ---: | ---: |\n");
  const Clock::time_point start = Clock::now();
  std::vector<Growth> growths;
  if (forecaster) {
    const Forecaster fresh(blank_forecast_model(small_config()));
    growths.push_back(endure("forecaster", steps, fresh, fresh));
  } else {
    growths = endure_blocks(block, steps, corrected);
  }

  bool flat = true;
  std::printf("\n| block | p99, last to first | p99, last to fresh | memory, last to first | verdict |\n");
  std::printf("| --- | ---: | ---: | ---: | --- |\n");
  for (const Growth& growth : growths) {
    flat = flat && growth.flat;
    std::printf("| %s | %.3f | %.3f | %.4f | %s |\n", growth.block.c_str(), growth.last_to_first, growth.last_to_fresh,
                growth.memory, growth.flat ? "flat" : "grows");
  }
  std::printf("\n%s: flat is p99 within %.2f of a fresh stream's, and no more than %ld KiB gained. %.0f s in all.\n",
              flat ? "All flat" : "NOT FLAT", kFlatTime, kFlatMemory,
              std::chrono::duration<double>(Clock::now() - start).count());
  return flat ? 0 : 1;
}

}  // namespace
}  // namespace elastane

int main(int count, char** arguments) {
  std::int64_t steps = 10'000'000;
  std::string block;
  bool corrected = false, forecaster = false;
  std::vector<std::string> names;
  for (const elastane::SmallModel& small : elastane::small_models()) names.push_back(small.name);
  elastane::command_line::Command program(
      "endurance", "Streams small models for a long time; reports whether step times and memory stay flat.");
  program.option("--steps", steps, "steps per block").range(100, 1e11);
  program.flag("--forecaster", forecaster, "rows of a table, forecast and learned from, instead of blocks");
  program.flag("--corrected", corrected, "correct every step towards a label").excludes("--forecaster");
  program.option("--block", block, "this block only").one_of(names).excludes("--forecaster");
  program.action([&] { return elastane::endure_all(block, steps, corrected, forecaster); });
  return elastane::command_line::parse_and_run(program, count, arguments);
}
