#include "lab/plant/circuit.h"

#include <cmath>
#include <numbers>

namespace elastane::circuit {
namespace {

// of ln(R/R₀), ln(L/L₀), ln(C/C₀): the unit, and the range that plants are drawn from, in units
constexpr Parameters kScale = {1.5, 0.6, 1.6};
constexpr Parameters kLowest = {-0.35, -0.5, -0.28}, kHighest = {1.0, 0.97, 1.0};

State slope(const State& s, const Parts& parts, double source) {
  return {s.current / parts.capacitance,
          (source - s.voltage - parts.resistance * s.current) / inductance(parts, s.current)};
}

State moved(const State& s, const State& d, double h) { return {s.voltage + h * d.voltage, s.current + h * d.current}; }

}  // namespace

double inductance(const Parts& parts, double current) {
  return parts.inductance * (0.9 / std::numbers::pi * std::atan(-5 * (std::fabs(current) - 5)) + 0.6);
}

State advance(const State& state, const Parts& parts, double from, double to, int substeps) {
  const double h = kStep / substeps;
  State s = state;
  for (int k = 0; k < substeps; ++k) {
    const double begin = from + (to - from) * k / substeps, end = from + (to - from) * (k + 1) / substeps;
    const double middle = (begin + end) / 2;
    const State a = slope(s, parts, begin), b = slope(moved(s, a, h / 2), parts, middle),
                c = slope(moved(s, b, h / 2), parts, middle), d = slope(moved(s, c, h), parts, end);
    s.voltage += h / 6 * (a.voltage + 2 * b.voltage + 2 * c.voltage + d.voltage);
    s.current += h / 6 * (a.current + 2 * b.current + 2 * c.current + d.current);
  }
  return s;
}

Parameters parameters_of(const Parts& parts) {
  const Parts nominal;
  return {std::log(parts.resistance / nominal.resistance) / kScale[0],
          std::log(parts.inductance / nominal.inductance) / kScale[1],
          std::log(parts.capacitance / nominal.capacitance) / kScale[2]};
}

Parts parts_of(const Parameters& parameters) {
  const Parts nominal;
  return {nominal.resistance * std::exp(kScale[0] * parameters[0]),
          nominal.inductance * std::exp(kScale[1] * parameters[1]),
          nominal.capacitance * std::exp(kScale[2] * parameters[2])};
}

Parts random_parts(Random& random) {
  Parameters drawn;
  for (std::size_t i = 0; i < drawn.size(); ++i) drawn[i] = random.uniform(kLowest[i], kHighest[i]);
  return parts_of(drawn);
}

std::vector<float> source(std::uint64_t seed, const Options& options) {
  Random random(seed);
  const double a = std::exp(-options.bandwidth * kStep), b = 1 - a;
  // deviation of white noise behind both lags: Σ (n + 1)²a²ⁿ = (1 + a²)/(1 − a²)³
  const double unit = b * b * std::sqrt((1 + a * a) / std::pow(1 - a * a, 3));
  const double scale = options.deviation / kSourceUnit / unit;
  double first = 0, second = 0;
  std::vector<float> source;
  const int settle = static_cast<int>(20 / (options.bandwidth * kStep));
  for (int t = -settle; t < options.steps; ++t) {
    first = a * first + b * random.normal();
    second = a * second + b * first;
    if (t >= 0) source.push_back(static_cast<float>(scale * second));
  }
  return source;
}

plant::Record respond(std::span<const float> source, std::span<const Change> changes) {
  plant::Record record{.inputs = 1, .outputs = 2, .measured = 1, .u = {source.begin(), source.end()}, .y = {}};
  State s;
  Parts parts;
  for (int t = 0, steps = static_cast<int>(source.size()); t < steps; ++t) {
    for (const Change& change : changes) parts = change.step == t ? change.parts : parts;
    if (t > 0) s = advance(s, parts, kSourceUnit * source[t - 1], kSourceUnit * source[t]);
    record.y.push_back(static_cast<float>(s.voltage / kVoltageUnit));
    record.y.push_back(static_cast<float>(s.current / kCurrentUnit));
  }
  return record;
}

plant::Record simulate(std::uint64_t seed, const Options& options) {
  return respond(source(seed, options), options.changes);
}

}  // namespace elastane::circuit
