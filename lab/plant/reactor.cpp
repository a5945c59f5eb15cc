#include "lab/plant/reactor.h"

#include <cmath>

namespace elastane::reactor {
namespace {

constexpr std::array<double, 4> kRates = {1, 0.7, 0.1, 0.006};  // k⁰
constexpr double kLowest = 0.7, kHighest = 1.05;                // of flow and temperature

// The published data are standardised. Units and levels were fitted to the training split, which they reproduce with R²
// above .9999. As in the source's program, outputs have the inputs' units there.
constexpr double kFlowLevel = 0.871719, kFlowUnit = 0.102289;
constexpr double kTemperatureLevel = 0.873061, kTemperatureUnit = 0.090263;
constexpr double kLevelA = 0.565699, kUnitA = kFlowUnit;
constexpr double kLevelR = 0.330755, kUnitR = kTemperatureUnit;

constexpr Parameters kScale = {2, 2, 20, 20, 0.1};  // the unit of the energies and the feed

State slope(const State& s, const std::array<double, 4>& k, double feed, double flow) {
  return {flow * (feed - s.a) - k[0] * s.a + k[3] * s.r,
          flow * (1 - feed - s.r) + k[0] * s.a + k[2] * (1 - s.a - s.r) - (k[1] + k[3]) * s.r};
}

State moved(const State& s, const State& d, double h) { return {s.a + h * d.a, s.r + h * d.r}; }

}  // namespace

std::array<double, 4> rates(const Chemistry& chemistry, double temperature) {
  std::array<double, 4> k;
  for (std::size_t i = 0; i < k.size(); ++i) {
    k[i] = kRates[i] * std::exp(-chemistry.energies[i] * (1 / temperature - 1));
  }
  return k;
}

State advance(const State& state, const Chemistry& chemistry, const Drive& drive, int substeps) {
  const std::array<double, 4> k = rates(chemistry, drive.temperature);
  const double h = kStep / substeps;
  const auto at = [&](const State& s) { return slope(s, k, chemistry.feed, drive.flow); };
  State s = state;
  for (int n = 0; n < substeps; ++n) {
    const State a = at(s), b = at(moved(s, a, h / 2)), c = at(moved(s, b, h / 2)), d = at(moved(s, c, h));
    s.a += h / 6 * (a.a + 2 * b.a + 2 * c.a + d.a);
    s.r += h / 6 * (a.r + 2 * b.r + 2 * c.r + d.r);
  }
  return s;
}

Drive drive_of(std::span<const float> input) {
  return {kFlowLevel + kFlowUnit * input[0], kTemperatureLevel + kTemperatureUnit * input[1]};
}

std::array<float, 2> output_of(const State& state) {
  return {static_cast<float>((state.a - kLevelA) / kUnitA), static_cast<float>((state.r - kLevelR) / kUnitR)};
}

State state_of(std::span<const float> output) { return {kLevelA + kUnitA * output[0], kLevelR + kUnitR * output[1]}; }

Parameters parameters_of(const Chemistry& chemistry) {
  const Chemistry nominal;
  Parameters parameters;
  for (std::size_t i = 0; i < 4; ++i) parameters[i] = (chemistry.energies[i] - nominal.energies[i]) / kScale[i];
  parameters[4] = (chemistry.feed - nominal.feed) / kScale[4];
  return parameters;
}

Chemistry chemistry_of(const Parameters& parameters) {
  Chemistry chemistry;
  for (std::size_t i = 0; i < 4; ++i) chemistry.energies[i] += kScale[i] * parameters[i];
  chemistry.feed += kScale[4] * parameters[4];
  return chemistry;
}

Chemistry random_chemistry(Random& random) {
  Parameters drawn;
  for (double& value : drawn) value = random.uniform(-1, 1);
  return chemistry_of(drawn);
}

std::vector<float> drives(std::uint64_t seed, const Options& options) {
  Random random(seed);
  std::vector<float> rows;
  double temperature = 0;
  const int half = options.period / 2;
  for (int t = 0; t < options.steps; ++t) {
    const int phase = t % options.period;
    if (phase == 0) temperature = random.uniform(kLowest, kHighest);
    const double rise = phase < half ? static_cast<double>(phase) / half
                                     : static_cast<double>(options.period - phase) / (options.period - half);
    rows.push_back(static_cast<float>((kLowest + rise * (kHighest - kLowest) - kFlowLevel) / kFlowUnit));
    rows.push_back(static_cast<float>((temperature - kTemperatureLevel) / kTemperatureUnit));
  }
  return rows;
}

plant::Record respond(std::span<const float> drives, const State& start, std::span<const Change> changes) {
  plant::Record record{.inputs = 2, .outputs = 2, .measured = 2, .u = {drives.begin(), drives.end()}, .y = {}};
  for (const float y : output_of(start)) record.start.push_back(y);
  State s = start;
  Chemistry chemistry;
  for (int t = 0, steps = static_cast<int>(drives.size()) / 2; t < steps; ++t) {
    for (const Change& change : changes) chemistry = change.step == t ? change.chemistry : chemistry;
    s = advance(s, chemistry, drive_of(record.input(t)));
    for (const float y : output_of(s)) record.y.push_back(y);
  }
  return record;
}

plant::Record simulate(std::uint64_t seed, const Options& options) {
  Random random(seed, 1ULL << 32U);
  const State start{random.uniform(), random.uniform()};
  return respond(drives(seed, options), start, options.changes);
}

}  // namespace elastane::reactor
