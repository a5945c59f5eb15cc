// elastane bench step: how long one step takes, compared with LibTorch and with the limits of the core.
#include <fmt/core.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <optional>
#include <stdexcept>

#include "bench/bench.h"
#include "bench/rival.h"
#include "bench/roofline.h"
#include "bench/small_step.h"
#include "bench/timing.h"
#include "command_line/asked_isa.h"
#include "elastane/core/stream/fleet.h"
#include "elastane/core/stream/stream.h"

namespace elastane::bench {
namespace {

constexpr int kChannels = 8;  // in and out

struct Case {
  const char* block;
  int width, layers, state;
};
constexpr std::array kCases = {Case{"mamba", 64, 2, 16},    Case{"mamba", 128, 3, 16}, Case{"mamba", 256, 4, 16},
                               Case{"s4d", 64, 2, 16},      Case{"s4d", 128, 3, 16},   Case{"s4d", 256, 4, 16},
                               Case{"gru", 64, 1, 0},       Case{"gru", 256, 1, 0},    Case{"selective", 64, 2, 0},
                               Case{"selective", 256, 4, 0}};

// fleets also on a model whose weights leave every cache, where stepping together gains most
constexpr Case kLarge{"mamba", 512, 8, 16};

ModelConfig config_of(const Case& c) {
  ModelConfig config{.inputs = kChannels, .outputs = kChannels, .width = c.width};
  BlockConfig block;
  const std::string_view kind = c.block;
  if (kind == "mamba") block = {.kind = MambaConfig{.state = c.state}};
  // the usual S4D layer: read-out, gelu, gated linear unit
  if (kind == "s4d") block = {.kind = S4dConfig{.state = c.state}, .post = Activation::gelu, .mix = Mix::glu};
  // the bare cell between encoder and head
  if (kind == "gru") block = {.kind = GruConfig{}, .norm = Norm::none, .residual = false};
  if (kind == "selective") block = {.kind = SelectiveConfig{}};
  config.blocks.assign(static_cast<std::size_t>(c.layers), block);
  if (kind == "gru") config.norm = Norm::none;
  return config;
}

// inputs of step t; the LibTorch program uses the same
void fill_inputs(int t, std::span<float> x) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(0.1F * static_cast<float>(t) + static_cast<float>(i));
}

struct Measured : Timed {
  std::vector<float> output;  // after the last step
};

Measured measure(const Model& model, int steps) {
  Stream stream(model);
  std::vector<float> x(kChannels);
  std::vector<double> times;
  times.reserve(static_cast<std::size_t>(steps));
  for (int t = 0; t < steps; ++t) {
    fill_inputs(t, x);
    times.push_back(micros([&] { stream.advance(x); }));
  }
  return {timed(std::move(times)), {stream.output().begin(), stream.output().end()}};
}

// worst deviation of the rounded model's outputs, over the range of the float32 model's
double precision_cost(const Model& full, const Model& rounded) {
  Stream a(full), b(rounded);
  std::vector<float> x(kChannels);
  double largest = 0, difference = 0;
  for (int t = 0; t < 1000; ++t) {
    fill_inputs(t, x);
    a.advance(x);
    b.advance(x);
    for (std::size_t i = 0; i < a.output().size(); ++i) {
      largest = std::max(largest, std::fabs(static_cast<double>(a.output()[i])));
      difference = std::max(difference, std::fabs(static_cast<double>(a.output()[i]) - b.output()[i]));
    }
  }
  return difference / largest;
}

// LibTorch's step of the same model, written plainly or tuned, measured by elastane-torch beside this program; nothing
// if that is not built
std::optional<double> libtorch_p50(const char* style, const RivalFile& model, int steps,
                                   std::span<const float> expected) {
  const auto answer =
      ask_rival("elastane-torch", fmt::format("step '{}' --style {} --steps {}", model.path(), style, steps));
  if (!answer) return std::nullopt;
  // a wrong answer's time does not count
  const auto output = (*answer)["output"].get<std::vector<float>>();
  if (!(deviation(output, expected) <= 1e-3)) throw std::runtime_error("[bench] LibTorch computes something else");
  return (*answer)["p50_us"].get<double>();
}

Json step_row(const Case& c, const Model& model, const Measured& m, int steps, double peak) {
  const double roofline = read_micros(model.weight_bytes()) + static_cast<double>(model.macs()) / peak;
  return {{"row", "step"},
          {"block", c.block},
          {"d_model", c.width},
          {"layers", c.layers},
          {"d_state", c.state},
          {"weights", name(model.config().weights)},
          {"isa", name(model.isa())},
          {"params", model.parameters()},
          {"weights_bytes", model.weight_bytes()},
          {"madds", model.macs()},
          {"p50_us", m.time.p50},
          {"p90_us", m.time.p90},
          {"p99_us", m.time.p99},
          {"p999_us", m.time.p999},
          {"max_us", m.time.max},
          {"first_us", m.first},
          {"steps", steps},
          {"libtorch_plain_p50_us", nullptr},
          {"libtorch_p50_us", nullptr},  // tuned: the hardest rival we know
          {"roofline_us", roofline},
          {"error", nullptr}};
}

void print_step_heading(double peak) {
  fmt::print(
      "One step of one stream, one core, {} kernels, microseconds. Roofline: weights read once plus\n"
      "{:.0f} multiply-adds per nanosecond, both measured now. error: what rounded weights cost, relative to the "
      "output's range.\n\n",
      name((*kernels(command_line::asked_isa()))->isa), peak / 1000);
  if (!rival_exists("elastane-torch")) {
    fmt::print("LibTorch's columns stay empty: elastane-torch is not beside this program; ./dev bench builds it.\n\n");
  }
  fmt::print(
      "| block | size | weights | bytes | p50 | p90 | p99 | p99.9 | max | first | LibTorch, plain | × "
      "| LibTorch, tuned | × | roofline | × | error |\n");
  fmt::print(
      "| --- | --- | --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |\n");
}

void print_step(const Case& c, const Model& model, const Measured& m, const Json& row) {
  fmt::print(
      "| {} | {}×{} | {} | {} | {:.2f} | {:.2f} | {:.2f} | {:.2f} | {:.1f} | {:.1f} | {} | {} | {} | {} "
      "| {:.2f} | {} | {} |\n",
      c.block, c.width, c.layers, row["weights"].get<std::string>(), model.weight_bytes(), m.time.p50, m.time.p90,
      m.time.p99, m.time.p999, m.time.max, m.first, shown(row["libtorch_plain_p50_us"]),
      ratio(row["libtorch_plain_p50_us"], row["p50_us"]), shown(row["libtorch_p50_us"]),
      ratio(row["libtorch_p50_us"], row["p50_us"]), row["roofline_us"].get<double>(),
      ratio(row["p50_us"], row["roofline_us"]),
      row["error"].is_null() ? "" : fmt::format("{:.4f}", row["error"].get<double>()));
  std::fflush(stdout);
}

void bench_case(const Case& c, int wanted, double peak, Json& rows) {
  const ModelConfig config = config_of(c);
  const auto tensors = random_tensors(config, kWeightSeed);
  const Isa isa = command_line::asked_isa();
  const Model full = Model::create(config, tensors, {.isa = isa}).value();
  const auto rounded = [&](Precision weights) {
    return Model::create(config, tensors, {.isa = isa, .weights = weights}).value();
  };
  const Model half = rounded(Precision::bfloat16), quarter = rounded(Precision::int8);
  // about half a second each by default
  const int steps =
      wanted > 0 ? wanted : static_cast<int>(std::clamp(2e10 / static_cast<double>(full.macs()), 5e3, 2e5));
  const int torch_steps = std::min(steps, 5000);
  for (const Model* model : {&full, &half, &quarter}) {
    const Measured m = measure(*model, steps);
    Json row = step_row(c, *model, m, steps, peak);
    if (model == &full) {
      const Measured same = measure(full, torch_steps);
      const RivalFile file(config, tensors);
      const auto rival = [&](const char* style) { return libtorch_p50(style, file, torch_steps, same.output); };
      if (const auto plain = rival("plain")) row["libtorch_plain_p50_us"] = *plain;
      if (const auto tuned = rival("tuned")) row["libtorch_p50_us"] = *tuned;
    } else {
      row["error"] = precision_cost(full, *model);
    }
    print_step(c, *model, m, row);
    rows.push_back(row);
  }
}

void bench_steps(int wanted, Json& rows) {
  const double peak = multiply_adds_per_micro();
  print_step_heading(peak);
  for (const Case& c : kCases) bench_case(c, wanted, peak, rows);
}

void bench_fleet(const Case& c, int wanted, Json& rows) {
  const ModelConfig config = config_of(c);
  const Model model =
      Model::create(config, random_tensors(config, kWeightSeed), {.isa = command_line::asked_isa()}).value();
  fmt::print("| {} | {}×{} | {} |", c.block, c.width, c.layers, model.weight_bytes());
  double single = 0;
  for (const int streams : {1, 8, 64, 512}) {
    Fleet fleet(model, streams);
    std::vector<float> x(static_cast<std::size_t>(streams) * kChannels);
    fill_inputs(0, x);
    std::vector<double> times;
    // about a third of a second each by default
    const double rounds = (wanted > 0 ? wanted : 1e10 / static_cast<double>(model.macs())) / streams;
    for (int t = 0; t < std::clamp(static_cast<int>(rounds), 5, 20000); ++t) {
      times.push_back(micros([&] { fleet.advance(x); }));
    }
    const double rate = streams / quantiles(times).p50;  // steps per microsecond = millions per second
    if (streams == 1) single = rate;
    fmt::print(" {:.4f} (×{:.1f}) |", rate, rate / single);
    std::fflush(stdout);
    rows.push_back({{"row", "fleet"},
                    {"block", c.block},
                    {"d_model", c.width},
                    {"layers", c.layers},
                    {"d_state", c.state},
                    {"isa", name(model.isa())},
                    {"weights_bytes", model.weight_bytes()},
                    {"streams", streams},
                    {"steps_per_second", rate * 1e6},
                    {"over_one_stream", rate / single}});
  }
  fmt::print("\n");
}

void bench_fleets(int wanted, Json& rows) {
  fmt::print(
      "\nFleets: streams stepped together on one core, million steps per second over all streams (× one stream).\n\n");
  fmt::print("| block | size | bytes | 1 | 8 | 64 | 512 |\n| --- | --- | --: | --: | --: | --: | --: |\n");
  for (const Case& c : kCases) bench_fleet(c, wanted, rows);
  if (wanted == 0) bench_fleet(kLarge, wanted, rows);
}

}  // namespace

void add_bench_step(command_line::Command& bench) {
  struct Options {
    std::string json;
    int steps = 0;
  };
  auto options = std::make_shared<Options>();
  command_line::Command& verb =
      bench.command("step", "One step of one stream, and fleets, against LibTorch and the roofline");
  verb.option("--json", options->json, "write the rows to this file, as a JSON list").type("FILE");
  verb.option("--steps", options->steps, "steps per model (default: about half a second each, and a large fleet)")
      .range(100, 1e8)
      .hide_default();
  verb.footer(
      "Example:\n  elastane bench step --json steps.json\n\n"
      "LibTorch's columns need elastane-torch beside this program: ./dev bench builds both.");
  verb.action([options] {
    Json rows = Json::array();
    bench_steps(options->steps, rows);
    bench_small_steps(options->steps, rows);
    bench_fleets(options->steps, rows);
    write_rows(options->json, rows);
    return 0;
  });
}

}  // namespace elastane::bench
