// elastane-torch: the rival by LibTorch. `elastane bench` starts it; it answers with one JSON object.
#include <ATen/Parallel.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <vector>

#include "bench/drift.h"
#include "bench/rivals/libtorch/attention.h"
#include "bench/rivals/libtorch/plain_correct.h"
#include "bench/rivals/libtorch/plain_model.h"
#include "bench/rivals/libtorch/step_model.h"
#include "bench/rivals/libtorch/tuned_correct.h"
#include "bench/rivals/libtorch/tuned_process.h"
#include "command_line/options.h"

namespace {

using elastane::libtorch::PlainModel;
using elastane::libtorch::StepModel;

struct StepOptions {
  std::string model;
  std::string style = "tuned";
  int steps = 0;
  int warmup = 200;  // steps before the measured ones; the state is reset after them
  bool check = false;
};

std::vector<float> inputs_at(int t, int inputs) {
  std::vector<float> x(static_cast<std::size_t>(inputs));
  for (int i = 0; i < inputs; ++i) x[i] = std::sin(0.1F * static_cast<float>(t) + static_cast<float>(i));
  return x;
}

// each step's time in microseconds; the output of the last is left in y
template <class Rival>
std::vector<double> time_steps(Rival& rival, int inputs, int steps, std::vector<float>& y) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> times;
  times.reserve(static_cast<std::size_t>(steps));
  for (int t = 0; t < steps; ++t) {
    const std::vector<float> x = inputs_at(t, inputs);
    const auto begin = Clock::now();
    const std::span<const float> output = rival.step(x);
    times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - begin).count());
    if (t + 1 == steps) y.assign(output.begin(), output.end());
  }
  return times;
}

// the largest of max|y − y'|/max|y'| over all steps, y' by elastane::Stream
template <class Rival>
double deviation(Rival& rival, const elastane::Model& model, int steps) {
  elastane::Stream stream(model);
  rival.reset();
  double worst = 0;
  for (int t = 0; t < steps; ++t) {
    const std::vector<float> x = inputs_at(t, model.inputs());
    stream.advance(x);
    const std::span<const float> y = rival.step(x), expected = stream.output();
    double difference = 0, size = 0;
    for (std::size_t j = 0; j < y.size(); ++j) {
      difference = std::max(difference, std::fabs(static_cast<double>(y[j]) - static_cast<double>(expected[j])));
      size = std::max(size, std::fabs(static_cast<double>(expected[j])));
    }
    worst = std::max(worst, difference / std::max(size, 1e-30));
  }
  return worst;
}

double quantile(std::vector<double> times, double q) {
  const auto at = times.begin() + static_cast<std::ptrdiff_t>(q * static_cast<double>(times.size() - 1));
  std::ranges::nth_element(times, at);
  return *at;
}

template <class Rival>
void run_step(const StepOptions& options) {
  const elastane::ModelFile file = elastane::read_model(options.model).value();
  Rival rival = Rival::create(file, options.model).value();
  std::vector<float> y;
  time_steps(rival, file.config.inputs, options.warmup, y);
  rival.reset();
  const std::vector<double> times = time_steps(rival, file.config.inputs, options.steps, y);

  nlohmann::ordered_json report = {{"steps", options.steps},
                                   {"p50_us", quantile(times, 0.50)},
                                   {"p99_us", quantile(times, 0.99)},
                                   {"output", y},
                                   {"threads", at::get_num_threads()}};
  if (options.check) {
    report["deviation"] = deviation(rival, elastane::Model::load(options.model).value(), options.steps);
  }
  std::printf("%s\n", report.dump().c_str());
}

struct CorrectVerb {
  std::string model;
  std::string style = "tuned";
  int steps = 0;
  elastane::libtorch::CorrectOptions options;
};

// the outputs of all steps, one after the other, and whether each was accepted
struct Corrected {
  std::vector<float> outputs;
  std::vector<std::uint8_t> accepted;
  std::vector<double> times;
};

template <class Rival>
Corrected correct_steps(Rival& rival, int steps) {
  using Clock = std::chrono::steady_clock;
  std::vector<float> x(elastane::bench::kDriftInputs), target(elastane::bench::kDriftOutputs);
  Corrected all;
  rival.reset();
  for (int t = 0; t < steps; ++t) {
    elastane::bench::drift_inputs(t, x);
    elastane::bench::drift_target(t, target);
    const auto begin = Clock::now();
    const bool accepted = rival.step(x, target);
    all.times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - begin).count());
    all.accepted.push_back(accepted);
    all.outputs.insert(all.outputs.end(), rival.output().begin(), rival.output().end());
  }
  return all;
}

template <class Rival>
void run_correct(const CorrectVerb& verb) {
  const elastane::ModelFile file = elastane::read_model(verb.model).value();
  elastane::libtorch::check_correctable(file, verb.model).value();
  Rival rival(file, verb.options);
  correct_steps(rival, 200);  // warm-up
  const Corrected all = correct_steps(rival, verb.steps);
  const nlohmann::ordered_json report = {{"steps", verb.steps},
                                         {"p50_us", quantile(all.times, 0.50)},
                                         {"p99_us", quantile(all.times, 0.99)},
                                         {"outputs", all.outputs},
                                         {"accepted", all.accepted},
                                         {"threads", at::get_num_threads()}};
  std::printf("%s\n", report.dump().c_str());
}

void add_style(elastane::command_line::Command& verb, std::string& style) {
  verb.option("--style", style, "plain: public operations; tuned: as fast as they get").one_of({"tuned", "plain"});
}

// both styles run in the same process: its environment, one thread, no autograd, ATen's own kernels
void set_up_process() {
  at::set_num_threads(1);
  at::set_num_interop_threads(1);
  at::globalContext().setUserEnabledMkldnn(false);  // its gelu takes 3.7 µs, ATen's own 0.4 to 0.8
}

int step(const StepOptions& options) {
  const c10::InferenceMode inference;
  set_up_process();
  options.style == "plain" ? run_step<PlainModel>(options) : run_step<StepModel>(options);
  return 0;
}

int correct(const CorrectVerb& verb) {
  using namespace elastane::libtorch;
  const c10::InferenceMode inference;
  set_up_process();
  verb.style == "plain" ? run_correct<PlainCorrect>(verb) : run_correct<TunedCorrect>(verb);
  return 0;
}

struct AttentionVerb {
  std::string style = "tuned";
  elastane::bench::AttentionProblem problem;
};

int attention(const AttentionVerb& verb) {
  const c10::InferenceMode inference;
  set_up_process();
  const elastane::libtorch::AttentionAnswer answer = elastane::libtorch::attend(verb.problem, verb.style);
  const nlohmann::ordered_json report = {{"ms", answer.ms}, {"last", answer.last}, {"threads", at::get_num_threads()}};
  std::printf("%s\n", report.dump().c_str());
  return 0;
}

void add_attention(elastane::command_line::Command& program, AttentionVerb& verb) {
  elastane::command_line::Command& command =
      program.command("attention", "Time LibTorch's attention over a prompt of random queries, keys and values");
  command.option("--style", verb.style, "masked: all pairs; tuned: in rows, only what is seen")
      .one_of({"tuned", "masked"});
  command.option("--length", verb.problem.length, "rows of the prompt").range(256, 1 << 20);
  command.option("--size", verb.problem.size, "of one head").range(1, 1024);
  command.option("--heads", verb.problem.heads, "of queries").range(1, 64);
  command.option("--kv-heads", verb.problem.kv_heads, "of keys").range(1, 64);
  command.option("--streaming", verb.problem.streaming, "query heads that see a sink and the newest blocks")
      .range(0, 64);
  command.action([&verb] { return attention(verb); });
}

int run(int count, char** arguments) {
  elastane::command_line::Command program("elastane-torch", "The rival by LibTorch, for elastane bench");
  StepOptions options;
  elastane::command_line::Command& steps =
      program.command("step", "Time LibTorch's step of a model, one stream, one thread");
  steps.option("model", options.model, "model file (.safetensors)").required();
  add_style(steps, options.style);
  steps.option("--steps", options.steps, "steps to measure").required().range(1, 1e8);
  steps.option("--warmup", options.warmup, "steps before them").range(0, 1e8);
  steps.flag("--check", options.check, "compare with elastane::Stream, as \"deviation\"");
  steps.action([&] { return step(options); });
  CorrectVerb verb;
  elastane::command_line::Command& corrections =
      program.command("correct", "Time LibTorch's corrected step of the model of bench correct");
  corrections.option("model", verb.model, "model file (.safetensors)").required();
  add_style(corrections, verb.style);
  corrections.option("--horizon", verb.options.horizon, "losses that decide").range(1, 64);
  corrections.option("--steps", verb.steps, "steps to measure").required().range(1, 1e8);
  corrections.action([&] { return correct(verb); });
  AttentionVerb asked;
  add_attention(program, asked);
  return elastane::command_line::parse_and_run(program, count, arguments);
}

}  // namespace

int main(int count, char** arguments) {
  elastane::libtorch::tune_process(arguments);
  try {
    return run(count, arguments);
  } catch (const c10::Error& error) {
    return std::fprintf(stderr, "elastane-torch: %s\n", error.what_without_backtrace()), 1;
  } catch (const std::exception& error) {
    return std::fprintf(stderr, "elastane-torch: %s\n", error.what()), 1;
  }
}
