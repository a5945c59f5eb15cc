#include "lab/plant/protocol.h"

#include <algorithm>
#include <chrono>

#include "elastane/core/base/random.h"

namespace elastane::plant {
namespace {

constexpr int kForkSteps = 200;  // of a free run

double median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
  return values[values.size() / 2];
}

// follows a run step by step, with the time of each step
std::vector<float> follow_timed(Stream& stream, const Record& record, std::vector<double>& micros) {
  std::vector<float> predicted;
  for (int t = 0; t < record.steps(); ++t) {
    const auto begun = std::chrono::steady_clock::now();
    const std::vector<float> y = follow(stream, record, t, t + 1);
    micros.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begun).count());
    predicted.insert(predicted.end(), y.begin(), y.end());
  }
  return predicted;
}

// mean squared error of a fork over the next steps, on the measured outputs
double fork_error(Stream fork, const Record& truth, int at) {
  const std::vector<float> y = free_run(fork, truth, at, at + kForkSteps);
  double sum = 0;
  for (int i = 0; i < truth.measured; ++i) sum += mean_squared_error(truth, y, i, at) / truth.measured;
  return sum;
}

}  // namespace

Scores free_scores(const Stream& stream, const std::vector<Record>& runs) {
  Scores scores{};
  for (const Record& run : runs) {
    Stream fork = stream;
    fork.restart();
    const std::vector<float> y = free_run(fork, run);
    for (int i = 0; i < 2; ++i) scores[i] += r_squared(run, y, i) / static_cast<double>(runs.size());
  }
  return scores;
}

Outcome adapt(const Model& model, const StreamOptions& options, const Case& given) {
  Stream stream(model, options);
  Outcome outcome;
  outcome.transfer_frozen = free_scores(stream, given.transfer);
  outcome.eval_frozen = free_scores(stream, given.eval);
  std::vector<double> micros;
  for (const Record& run : given.transfer) {
    stream.restart();
    const std::vector<float> y = follow_timed(stream, run, micros);
    outcome.followed += r_squared(run, y, 0) / static_cast<double>(given.transfer.size());
  }
  outcome.transfer = free_scores(stream, given.transfer);
  outcome.eval = free_scores(stream, given.eval);
  outcome.micros = median(micros);
  outcome.c.assign(stream.persistent().begin(), stream.persistent().end());
  return outcome;
}

ReturnErrors change_and_return(const Model& model, const StreamOptions& options, const Record& truth,
                               const Record& measured) {
  Stream stream(model, options), frozen(model, options);
  const int phase = truth.steps() / 3, late = phase / 2;
  const double forks = static_cast<double>((phase - late) / kForkSteps);
  ReturnErrors errors;
  double* const of_phase[] = {&errors.before, &errors.changed, &errors.after};
  for (int at = 0; at + kForkSteps <= truth.steps(); at += kForkSteps) {
    const int which = at / phase;
    if (at % phase >= late) {
      *of_phase[which] += fork_error(stream, truth, at) / forks;
      if (which == 0) errors.frozen += fork_error(frozen, truth, at) / forks;
      if (which == 1) errors.frozen_changed += fork_error(frozen, truth, at) / forks;
    }
    follow(stream, measured, at, at + kForkSteps);
    free_run(frozen, truth, at, at + kForkSteps);
  }
  return errors;
}

Record with_noise(Record record, double sigma, std::uint64_t seed) {
  Random random(seed, 1ULL << 50U);
  for (float& y : record.y) y += static_cast<float>(sigma * random.normal());
  return record;
}

}  // namespace elastane::plant
