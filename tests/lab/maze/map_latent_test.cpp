// lab/maze/map_latent.cpp: a map whose Gauss–Newton step is policy iteration.
#include "lab/maze/map_latent.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "elastane/core/base/random.h"
#include "elastane/core/corrector/corrector.h"
#include "elastane/core/math/kernels.h"
#include "lab/maze/lattice.h"
#include "lab/maze/objective.h"
#include "tests/lab/maze/serpentine.h"

namespace elastane::maze {
namespace {

constexpr double kDiscount = MapOptions{}.discount;

// the map of an agent that has walked a little, so that values no longer agree with what it saw
struct Explored {
  explicit Explored(std::uint64_t seed, Moves moves = Moves::four, int steps = 12)
      : episode(draw_lattice({.size = 9, .doors = 2}, seed)), map(9, 9, moves) {
    Random random(seed);
    map.begin(episode.plan, episode.goal);
    Environment environment(episode);
    for (int t = 0; t < steps; ++t) {
      observation = environment.observe();
      map.write(observation);
      objective.observe(map, observation);
      environment.step(random.below(4));
    }
  }
  std::vector<double> read() {
    std::vector<double> y(static_cast<std::size_t>(map.outputs()));
    map.linearise(map.z(), y);
    return y;
  }
  Episode episode;
  MapLatent map;
  MapObjective objective;
  Observation observation;
};

Eigen::MatrixXd dense_jacobian(MapLatent& map) {
  const int n = map.latents();
  Eigen::MatrixXd jacobian(n, n);
  std::vector<double> q(static_cast<std::size_t>(n)), jq(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) {
    q.assign(q.size(), 0);
    q[static_cast<std::size_t>(i)] = 1;
    map.jvp({q.data(), 1, n}, {jq.data(), 1, n});
    jacobian.col(i) = Eigen::Map<Eigen::VectorXd>(jq.data(), n);
  }
  return jacobian;
}

TEST(MapLatent, FindsALongDetourAsSoonAsTheShortPathTurnsOutToBeClosed) {
  Grid open = serpentine(65);
  for (int y = 1; y < 65; y += 2) open.set_wall({32, y}, false);  // the short path, straight ahead
  Grid closed = open;
  closed.set_wall({32, 63}, true);
  MapLatent map(65, 65, Moves::four);
  map.begin(open, {32, 64});
  const double thought = map.value({32, 62});
  Episode episode{.plan = open, .before = closed, .after = closed, .doors = {}, .start = {32, 62}, .goal = {32, 64}};
  MapObjective objective;
  objective.begin();
  const CorrectorOptions options{.metric = {.kind = Metric::native},
                                 .trust = {.radius = 1e3, .largest = 1e6, .low = 1e-9, .trials = 1},
                                 .retraction = {},
                                 .gate = {.depth = 4}};
  Corrector corrector(options, map.latents(), map.outputs(), *kernels().value());
  std::vector<double> memory(corrector.memory_doubles()), y(static_cast<std::size_t>(map.outputs()));
  corrector.reset(memory.data());
  for (int step = 0; step < 2; ++step) {  // the first finds that there is no path, the second where one begins
    map.write(Environment(episode).observe());
    objective.observe(map, Environment(episode).observe());
    corrector.correct(map, objective, Budget::none(), map.z(), y, memory.data());
    map.commit();
  }
  const auto here = static_cast<std::size_t>(open.index({32, 62}));
  const double length = distances_to(closed, {32, 64}, Moves::four)[here];
  ASSERT_GT(length, 60);
  EXPECT_EQ(thought, std::pow(kDiscount, 2));
  EXPECT_NEAR(map.value({32, 62}), std::pow(kDiscount, length), 1e-9 * std::pow(kDiscount, length));
}

TEST(MapLatent, HasTheJacobianThatDifferencesShow) {
  Explored at(5);
  // away from ties, where the best move is one
  Random random(1);
  for (double& u : at.map.z()) u *= random.uniform(0.9, 1.1);
  const std::vector<double> y = at.read();
  const Eigen::MatrixXd jacobian = dense_jacobian(at.map);
  std::vector<double> z(at.map.z().begin(), at.map.z().end()), moved(y.size());
  for (std::size_t i = 0; i < z.size(); ++i) {
    if (z[i] == 0) continue;  // a kink
    const double step = 1e-6 * z[i];
    z[i] += step;
    at.map.output(z, moved);
    z[i] -= step;
    for (std::size_t c = 0; c < y.size(); ++c) {
      EXPECT_NEAR((moved[c] - y[c]) / step, jacobian(static_cast<int>(c), static_cast<int>(i)), 1e-5);
    }
  }
}

TEST(MapLatent, ItsVjpIsTheAdjointOfItsJvp) {
  Explored at(6);
  at.read();
  const int n = at.map.latents();
  Random random(2);
  std::vector<double> q(static_cast<std::size_t>(n)), w = q, jq = q, jtw = q;
  for (double& value : q) value = random.normal();
  for (double& value : w) value = random.normal();
  at.map.jvp({q.data(), 1, n}, {jq.data(), 1, n});
  at.map.vjp({w.data(), 1, n}, {jtw.data(), 1, n});
  double left = 0, right = 0;
  for (std::size_t i = 0; i < q.size(); ++i) left += w[i] * jq[i], right += jtw[i] * q[i];
  EXPECT_NEAR(left, right, 1e-9);
}

TEST(MapLatent, SolvesWhatADenseGaussNewtonStepSolvesAndKappaIsTheSquaredResidual) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Explored at(seed);
    const std::vector<double> y = at.read();
    const int n = at.map.latents();
    std::vector<double> s(y.size()), g(y.size()), v(y.size()), weights(y.size());
    at.objective.gradient(y, s);
    at.map.vjp({s.data(), 1, n}, {g.data(), 1, n});
    ASSERT_TRUE(at.map.solve(at.objective, y, g, v));

    at.objective.diagonal(y, weights);
    Eigen::VectorXd w = Eigen::Map<Eigen::VectorXd>(weights.data(), n);
    double kappa = 0, residual = 0;
    for (std::size_t i = 0; i < y.size(); ++i) kappa -= g[i] * v[i];
    residual = 2 * at.objective.value(y);
    EXPECT_NEAR(kappa, residual, 1e-9 * (1 + residual));

    const Eigen::MatrixXd jacobian = dense_jacobian(at.map);
    for (int i = 0; i < n; ++i) w[i] = w[i] > 0 ? w[i] : 1;  // hidden cells may keep their value
    const Eigen::MatrixXd metric = jacobian.transpose() * w.asDiagonal() * jacobian;
    const Eigen::VectorXd step = -metric.ldlt().solve(Eigen::Map<Eigen::VectorXd>(g.data(), n));
    const double unit = at.objective.scale();
    for (int i = 0; i < n; ++i)
      EXPECT_NEAR(v[static_cast<std::size_t>(i)], step[i], 1e-5 * std::max(unit, std::fabs(step[i])));
  }
}

TEST(MapLatent, EvaluatesAPolicyFromTheGoalAsOneStepAfterAnotherDoes) {
  Explored at(7);
  const std::vector<double> y = at.read();
  std::vector<double> v(y.size()), g(y.size());
  at.map.solve(at.objective, y, g, v);
  const Eigen::MatrixXd jacobian = dense_jacobian(at.map);
  const int cells = at.map.latents() - kViewCells;
  // u ← γPu + 1 at the goal, until nothing changes
  const Eigen::MatrixXd policy = Eigen::MatrixXd::Identity(cells, cells) - jacobian.topLeftCorner(cells, cells);
  Eigen::VectorXd goal = Eigen::VectorXd::Zero(cells), u = goal;
  goal[(at.episode.goal.y + 1) * 11 + at.episode.goal.x + 1] = 1;
  for (int t = 0; t < 200; ++t) u = policy * u + goal;
  for (int c = 0; c < cells; ++c) {
    const double there = at.map.z()[static_cast<std::size_t>(c)] + v[static_cast<std::size_t>(c)];
    EXPECT_NEAR(there, u[c], 1e-12);
  }
}

TEST(MapLatent, ComesToTheLengthsOfWhatItKnowsWhenCorrected) {
  const CorrectorOptions options{.metric = {.kind = Metric::native},
                                 .trust = {.radius = 1e3, .largest = 1e6, .low = 1e-9},
                                 .retraction = {},
                                 .gate = {.depth = 12}};
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Explored at(seed, Moves::four, 40);
    Corrector corrector(options, at.map.latents(), at.map.outputs(), *kernels().value());
    std::vector<double> memory(corrector.memory_doubles()), y(static_cast<std::size_t>(at.map.outputs()));
    corrector.reset(memory.data());
    const StepReport report = corrector.correct(at.map, at.objective, Budget::none(), at.map.z(), y, memory.data());
    EXPECT_LE(report.loss_after, report.loss_before);
    Grid known(9, 9, true);
    for (int i = 0; i < known.cells(); ++i) known.set_wall(known.cell(i), !at.map.is_free(known.cell(i)));
    const double length = distances_to(known, at.episode.goal,
                                       Moves::four)[static_cast<std::size_t>(known.index(at.observation.position))];
    const double value = std::pow(kDiscount, length);
    EXPECT_NEAR(at.map.value(at.observation.position), value, 1e-9 * value);
  }
}

}  // namespace
}  // namespace elastane::maze
