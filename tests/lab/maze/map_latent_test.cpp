// lab/maze/map_latent.h: a map whose Gauss–Newton step is policy iteration.
#include "lab/maze/map_latent.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "elastane/core/base/random.h"
#include "elastane/core/corrector/corrector.h"
#include "elastane/core/math/kernels.h"
#include "lab/maze/lattice.h"
#include "lab/maze/map_objective.h"
#include "tests/lab/maze/serpentine.h"

namespace elastane::maze {
namespace {

constexpr double kDiscount = MapOptions{}.discount;

// a map of a maze that a walker has gone some way into, so that values no longer agree with what was seen
struct Explored {
  explicit Explored(std::uint64_t seed, Moves moves = Moves::four, int steps = 12)
      : task(draw_lattice({.size = 9, .doors = 2}, seed)), map(9, 9, moves) {
    Random random(seed);
    map.begin(task.plan, task.goal);
    Walk walk(task);
    for (int t = 0; t < steps; ++t) {
      sight = walk.look();
      map.write(sight);
      objective.look(map, sight);
      walk.move(random.below(4));
    }
  }
  std::vector<double> read() {
    std::vector<double> y(static_cast<std::size_t>(map.outputs()));
    map.linearise(map.z(), y);
    return y;
  }
  Task task;
  MapLatent map;
  MapObjective objective;
  Sight sight;
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

TEST(MapLatent, KnowsTheLengthsOfItsPlan) {
  for (const Moves moves : {Moves::four, Moves::eight}) {
    Task task = draw_lattice({}, 3);
    MapLatent map(15, 15, moves);
    map.begin(task.plan, task.goal);
    const std::vector<double> lengths = lengths_to(task.plan, task.goal, moves);
    for (int i = 0; i < task.plan.cells(); ++i) {
      const double length = lengths[static_cast<std::size_t>(i)];
      const double expected = length < kNoWay ? std::pow(kDiscount, length) : 0;
      EXPECT_NEAR(map.value(task.plan.cell(i)), expected, 1e-12 * expected);
    }
  }
}

TEST(MapLatent, KnowsTheLengthsOfVeryLongWays) {
  const Grid grid = serpentine(65);
  const Cell goal{0, 64};
  MapLatent map(65, 65, Moves::four);
  map.begin(grid, goal);
  const std::vector<double> lengths = lengths_to(grid, goal, Moves::four);
  const auto start = static_cast<std::size_t>(grid.index({0, 0}));
  ASSERT_GT(lengths[start], 2000);
  EXPECT_NEAR(std::log(map.value({0, 0})) / std::log(map.discount(0)), lengths[start], 1e-6 * lengths[start]);
}

TEST(MapLatent, FindsALongWayRoundAsSoonAsTheShortOneTurnsOutToBeClosed) {
  Grid open = serpentine(65);
  for (int y = 1; y < 65; y += 2) open.set_wall({32, y}, false);  // the short way, straight on
  Grid closed = open;
  closed.set_wall({32, 63}, true);
  MapLatent map(65, 65, Moves::four);
  map.begin(open, {32, 64});
  const double thought = map.value({32, 62});
  Task task{.plan = open, .before = closed, .after = closed, .doors = {}, .start = {32, 62}, .goal = {32, 64}};
  MapObjective objective;
  objective.begin();
  const CorrectorOptions options{.metric = {.kind = Metric::native},
                                 .trust = {.radius = 1e3, .largest = 1e6, .low = 1e-9, .trials = 1},
                                 .retraction = {},
                                 .gate = {.depth = 4}};
  Corrector corrector(options, map.latents(), map.outputs(), *kernels().value());
  std::vector<double> memory(corrector.memory_doubles()), y(static_cast<std::size_t>(map.outputs()));
  corrector.reset(memory.data());
  for (int step = 0; step < 2; ++step) {  // in the first it learns that there is no way, in the second where hope is
    map.write(Walk(task).look());
    objective.look(map, Walk(task).look());
    corrector.correct(map, objective, Budget::none(), map.z(), y, memory.data());
    map.commit();
  }
  const auto here = static_cast<std::size_t>(open.index({32, 62}));
  const double length = lengths_to(closed, {32, 64}, Moves::four)[here];
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

TEST(MapLatent, PullsAsItPushes) {
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
    for (int i = 0; i < n; ++i) w[i] = w[i] > 0 ? w[i] : 1;  // what is hidden is free to stay
    const Eigen::MatrixXd metric = jacobian.transpose() * w.asDiagonal() * jacobian;
    const Eigen::VectorXd step = -metric.ldlt().solve(Eigen::Map<Eigen::VectorXd>(g.data(), n));
    const double unit = at.objective.scale();
    for (int i = 0; i < n; ++i)
      EXPECT_NEAR(v[static_cast<std::size_t>(i)], step[i], 1e-5 * std::max(unit, std::fabs(step[i])));
  }
}

TEST(MapLatent, EvaluatesAPolicyByDoublingAsOneStepAfterAnotherDoes) {
  Explored at(7);
  const std::vector<double> y = at.read();
  std::vector<double> v(y.size()), g(y.size());
  at.map.solve(at.objective, y, g, v);
  const Eigen::MatrixXd jacobian = dense_jacobian(at.map);
  const int cells = at.map.latents() - kViewCells;
  // u ← γPu + 1 at the goal, until nothing changes
  const Eigen::MatrixXd policy = Eigen::MatrixXd::Identity(cells, cells) - jacobian.topLeftCorner(cells, cells);
  Eigen::VectorXd goal = Eigen::VectorXd::Zero(cells), u = goal;
  goal[(at.task.goal.y + 1) * 11 + at.task.goal.x + 1] = 1;
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
    const double length =
        lengths_to(known, at.task.goal, Moves::four)[static_cast<std::size_t>(known.index(at.sight.position))];
    const double worth = std::pow(kDiscount, length);
    EXPECT_NEAR(at.map.value(at.sight.position), worth, 1e-9 * worth);
  }
}

TEST(MapLatent, WritesNothingButWhatIsInView) {
  const Task task = draw_lattice({}, 8);
  MapLatent map(15, 15, Moves::four), before = map;
  map.begin(task.plan, task.goal);
  before.begin(task.plan, task.goal);
  map.write(Walk(task).look());
  for (int i = 0; i < task.plan.cells(); ++i) {
    const Cell c = task.plan.cell(i), away = c - task.start;
    if (std::abs(away.x) <= 1 && std::abs(away.y) <= 1) continue;
    EXPECT_EQ(map.value(c), before.value(c));
    EXPECT_EQ(map.occupancy(c), before.occupancy(c));
    EXPECT_EQ(map.trace(c), before.trace(c));
  }
}

}  // namespace
}  // namespace elastane::maze
