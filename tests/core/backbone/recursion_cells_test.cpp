// Tests of elastane/core/backbone/recursion_cells.cpp: grids and lines against naive loops, a scan, and a search.
#include "elastane/core/backbone/recursion_cells.h"

#include <gtest/gtest.h>

#include <queue>

#include "tests/core/backbone/recursions.h"

namespace elastane {
namespace {

RecursionConfig cells(RecursionShape shape, int rows, int cols, int depth) {
  return {.hidden = 2,
          .shape = shape,
          .lipschitz_norm = LipschitzNorm::sup,
          .lipschitz = 0.95,
          .rows = rows,
          .cols = cols,
          .depth = depth,
          .start = RecursionStart::cold,
          .halt = Halt::uniform};
}

double cut(double x, double low, double high) { return std::min(std::max(x, low), high); }

double stretched(double x) { return cut(1.2 / (1 + std::exp(-x)) - 0.1, 0, 1); }

// the equations of recursion.h, cell by cell, in double
struct Naive {
  RecursionConfig c;
  std::vector<Tensor> tensors;

  double w(const std::string& name, int row, int col) {
    const Tensor& t = tensor_of(tensors, name);
    return t.values[static_cast<std::size_t>(row * (t.shape.size() > 1 ? t.shape[1] : 1) + col)];
  }
  // the mixing weight of a channel
  double mix(int o, int j) {
    const int count = (c.shape == RecursionShape::grid ? 2 : 3) * c.hidden;
    double sum = 0;
    for (int i = 0; i < count; ++i) sum += std::exp(kCellSharpness * w("mix.logits", o, i));
    const double sign = c.shape == RecursionShape::grid ? 1 : cut(w("mix.signs", o, j), -1, 1);
    return c.lipschitz * sign * std::exp(kCellSharpness * w("mix.logits", o, j)) / sum;
  }
  // what channel j of source k is at a cell: itself, neighbours; itself, left, right
  double seen(const Vector64& h, int k, int j, int row, int col) {
    const auto at = [&](int r, int q) {
      if (r < 0 || q < 0 || r >= c.rows || q >= c.cols) return 0.0;
      return h[static_cast<std::size_t>((j * c.rows + r) * c.cols + q)];
    };
    if (k == 0) return at(row, col);
    if (c.shape == RecursionShape::line) return at(row, k == 1 ? col - 1 : col + 1);
    return std::max({at(row - 1, col), at(row + 1, col), at(row, col - 1), at(row, col + 1)});
  }
  Vector64 iterate(const Vector64& h, const std::vector<float>& u) {
    Vector64 next(h.size());
    const bool grid = c.shape == RecursionShape::grid;
    for (int o = 0; o < c.hidden; ++o) {
      for (int cell = 0; cell < c.rows * c.cols; ++cell) {
        double inject = w("input.bias", o, 0), gate = w("gate.bias", o, 0), sum = 0;
        for (int f = 0; f < 2; ++f) {
          inject += w("input.weight", o, f) * u[static_cast<std::size_t>(2 * cell + f)];
          gate += w("gate.weight", o, f) * u[static_cast<std::size_t>(2 * cell + f)];
        }
        const double t = std::tanh(inject);
        inject = grid ? stretched(4 * inject - 2) : (t - cut(t, -0.25, 0.25)) / 0.75;
        gate = grid ? stretched(4 * gate) : cut(1.1 * std::tanh(2 * gate), -1, 1);
        for (int j = 0; j < (grid ? 2 : 3) * c.hidden; ++j) {
          sum += mix(o, j) * seen(h, j / c.hidden, j % c.hidden, cell / c.cols, cell % c.cols);
        }
        next[static_cast<std::size_t>(o * c.rows * c.cols + cell)] =
            grid ? std::max(inject, gate * sum) : inject + gate * sum;
      }
    }
    return next;
  }
  double read(const Vector64& h, int cell, int f) {
    double out = w("read.1.bias", f, 0);
    for (int unit = 0; unit < kCellHidden; ++unit) {
      double x = w("read.0.bias", unit, 0);
      for (int o = 0; o < c.hidden; ++o) {
        const double v = h[static_cast<std::size_t>(o * c.rows * c.cols + cell)];
        x += w("read.0.weight", unit, o) * v +
             w("read.0.weight", unit, c.hidden + o) * v / (std::fabs(v) + std::exp(w("soften", o, 0)));
      }
      out += w("read.1.weight", f, unit) * std::max(x, 0.0);
    }
    return out;
  }
};

TEST(RecursionCells, IterateAndReadLikeTheirEquations) {
  for (const auto& kind : {cells(RecursionShape::grid, 3, 5, 6), cells(RecursionShape::line, 1, 9, 6)}) {
    const int n = kind.rows * kind.cols;
    const ModelConfig config = lone_recursion(kind, 2 * n);
    Naive naive{kind, strong_tensors(config, 3)};
    Stream stream(Model::create(config, naive.tensors, {}).value());
    Random random(1);
    const std::vector<float> u = random_input(random, 2 * n);
    stream.advance(u);
    Vector64 h(static_cast<std::size_t>(2 * n));
    for (int k = 0; k < kind.depth; ++k) h = naive.iterate(h, u);
    for (std::size_t i = 0; i < h.size(); ++i) EXPECT_NEAR(state_of(stream)[i], h[i], 2e-5);
    for (int cell = 0; cell < n; ++cell) {
      for (int f = 0; f < 2; ++f)
        EXPECT_NEAR(stream.output()[static_cast<std::size_t>(2 * cell + f)], naive.read(h, cell, f), 1e-4);
    }
  }
}

// a cell's class is proven by intervals: it holds for every state within the bound, and fails where it should
TEST(RecursionCells, ACertainClassHoldsForAllStatesWithinTheBound) {
  const RecursionConfig kind = cells(RecursionShape::grid, 2, 3, 6);
  int certain = 0, open = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Model model = recursion_of(kind, 12, seed);
    const auto& block = std::get<Recursion>(model.network().layers[0].block);
    Random random(seed);
    std::vector<float> h(static_cast<std::size_t>(block.state().dense)),
        scratch(static_cast<std::size_t>(cell_scratch_floats(block)));
    for (float& value : h) value = static_cast<float>(random.uniform(-1, 1));
    const double bound = std::pow(10.0, random.uniform(-5, 0));
    const bool sure = classes_are_certain(block, h.data(), bound);
    (sure ? certain : open) += 1;
    const auto classes = [&](const std::vector<float>& at) {
      std::vector<float> o(12);
      std::vector<bool> above;
      read_cells(block, at.data(), cell_scratch(block, scratch.data()), o.data());
      for (std::size_t i = 0; i < 12; i += 2) above.push_back(o[i + 1] > o[i]);
      return above;
    };
    const std::vector<bool> here = classes(h);
    for (int draw = 0; sure && draw < 200; ++draw) {
      std::vector<float> near = h;
      for (float& value : near)
        value += static_cast<float>(random.uniform() < 0.5 ? bound * random.sign() : bound * random.uniform(-1, 1));
      ASSERT_EQ(classes(near), here) << "seed " << seed;
    }
  }
  EXPECT_GT(certain, 5);
  EXPECT_GT(open, 5);
}

// with the left tap alone, Jacobi sweeps solve a selective recurrence: the fixed point is the scan
TEST(RecursionCells, ALineThatLooksLeftIsAScan) {
  constexpr int kCells = 40;
  RecursionConfig kind = cells(RecursionShape::line, 1, kCells, kCells);
  const ModelConfig config = lone_recursion(kind, 2 * kCells);
  Naive naive{kind, strong_tensors(config, 3)};
  for (int o = 0; o < 2; ++o) {
    for (int j = 0; j < 6; ++j)
      tensor_of(naive.tensors, "mix.logits").values[static_cast<std::size_t>(6 * o + j)] = j == 2 + o ? 9.0F : 0.0F;
    for (int j = 0; j < 6; ++j) tensor_of(naive.tensors, "mix.signs").values[static_cast<std::size_t>(6 * o + j)] = 1;
  }
  Stream stream(Model::create(config, naive.tensors, {}).value());
  Random random(1);
  const std::vector<float> u = random_input(random, 2 * kCells);
  stream.advance(u);
  const Vector64 drive = naive.iterate(Vector64(2 * kCells), u);  // I, because h is 0
  for (int o = 0; o < 2; ++o) {
    double s = 0;
    for (int i = 0; i < kCells; ++i) {
      double gate = naive.w("gate.bias", o, 0);
      for (int f = 0; f < 2; ++f) gate += naive.w("gate.weight", o, f) * u[static_cast<std::size_t>(2 * i + f)];
      s = drive[static_cast<std::size_t>(o * kCells + i)] + cut(1.1 * std::tanh(2 * gate), -1, 1) * kind.lipschitz * s;
      EXPECT_NEAR(state_of(stream)[static_cast<std::size_t>(o * kCells + i)], s, 1e-4);
    }
  }
}

// the grid form with weights set by hand: reachability, decided after eccentricity + 1 iterations and then for good
TEST(RecursionCells, AFrontierReachesEveryCellWhenABreadthFirstSearchDoes) {
  constexpr int kSide = 9;
  RecursionConfig kind = cells(RecursionShape::grid, kSide, kSide, 1);
  kind.hidden = 1;
  const ModelConfig config = lone_recursion(kind, 2 * kSide * kSide);
  std::vector<Tensor> tensors = random_tensors(config, 1);
  tensor_of(tensors, "input.weight").values = {0, 6};  // features: free, start
  tensor_of(tensors, "input.bias").values = {-2};
  tensor_of(tensors, "gate.weight").values = {4, 0};
  tensor_of(tensors, "gate.bias").values = {-2};
  tensor_of(tensors, "mix.logits").values = {0, 9};
  Random random(3);
  for (int maze = 0; maze < 20; ++maze) {
    std::vector<float> u(2 * kSide * kSide);
    for (int i = 0; i < kSide * kSide; ++i) u[static_cast<std::size_t>(2 * i)] = random.uniform() < 0.65 ? 1.0F : 0.0F;
    u[0] = u[1] = 1;
    std::vector<int> distance(kSide * kSide, -1);
    std::queue<int> queue({0});
    distance[0] = 0;
    int farthest = 0;
    for (; !queue.empty(); queue.pop()) {
      const int c = queue.front();
      farthest = distance[static_cast<std::size_t>(c)];
      for (const auto& [dx, dy] : {std::pair(1, 0), {-1, 0}, {0, 1}, {0, -1}}) {
        const int x = c % kSide + dx, y = c / kSide + dy;
        if (x < 0 || y < 0 || x >= kSide || y >= kSide) continue;
        const auto to = static_cast<std::size_t>(y * kSide + x);
        if (u[2 * to] == 0 || distance[to] >= 0) continue;
        distance[to] = farthest + 1;
        queue.push(static_cast<int>(to));
      }
    }
    for (const int depth : {farthest, farthest + 1, 3 * farthest + 3}) {
      if (depth == 0) continue;
      ModelConfig deep = config;
      std::get<RecursionConfig>(deep.blocks[0].kind).depth = depth;
      Stream stream(Model::create(deep, tensors, {}).value());
      stream.advance(u);
      const Vector64 h = state_of(stream);
      for (std::size_t i = 0; i < distance.size(); ++i) {
        EXPECT_EQ(h[i] > 0, distance[i] >= 0 && distance[i] < depth) << "maze " << maze << " depth " << depth;
      }
    }
    ModelConfig halting = config;
    auto& block = std::get<RecursionConfig>(halting.blocks[0].kind);
    block.depth = 200, block.halt = Halt::certificate;
    Stream stream(Model::create(halting, tensors, {}).value());
    EXPECT_EQ(stream.advance(u).blocks[0].depth, farthest + 2);  // one more iteration shows that nothing moves
  }
}

}  // namespace
}  // namespace elastane
