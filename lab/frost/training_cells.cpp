#include "lab/frost/training_cells.h"

#include <ATen/Parallel.h>
#include <fmt/core.h>

#include <algorithm>

#include "elastane/core/backbone/recursion.h"
#include "elastane/core/base/random.h"
#include "elastane/train/adamw.h"
#include "elastane/train/block.h"
#include "elastane/train/schedule.h"
#include "lab/frost/training_rivals.h"

namespace elastane::frost {
namespace {

using at::Tensor;

constexpr int kGridSide = 8, kBits = 12;
constexpr double kTrainedContraction = 0.85;

CellsTraining completed(CellsTraining t) {
  const bool grid = t.task == Task::grid;
  if (t.steps == 0) t.steps = grid ? 240 : 500;
  if (t.depth == 0) t.depth = grid ? 28 : 14;
  return t;
}
int training_size(Task task) { return task == Task::grid ? kGridSide : kBits; }

struct Batch {
  Tensor x, y;  // (batch, rows, cols, 2), (batch, cells)
  std::vector<Episode> episodes;
};
Batch draw_batch(Task task, int size, int count, std::uint64_t first_seed) {
  Batch batch;
  std::vector<Tensor> x, y;
  for (int i = 0; i < count; ++i) {
    batch.episodes.push_back(draw_episode(task, size, first_seed + static_cast<std::uint64_t>(i)));
    Episode& e = batch.episodes.back();
    x.push_back(at::from_blob(e.features.data(), {e.rows, e.cols, 2}).clone());
    y.push_back(at::from_blob(e.labels.data(), {e.cells()}, at::kByte).to(at::kLong));
  }
  batch.x = at::stack(x);
  batch.y = at::stack(y);
  return batch;
}

Tensor cross_entropy(const Tensor& logits, const Tensor& y) {
  return at::nll_loss(at::log_softmax(logits.flatten(0, 1), 1), y.flatten());
}

// Some weights lead nowhere: half-way they know no more than which cells are free. Then others are drawn, for all methods
// alike, by what training itself shows
constexpr int kStarts = 4;
constexpr double kLearnedNothing = 0.25;  // loss half-way
std::uint64_t seed_of(const CellsTraining& t, int start) { return t.seed + 1000 * static_cast<std::uint64_t>(start); }

// The same for all: Adam over one cycle, on fresh episodes, loss at the last iteration alone. False: this start was given
// up half-way
template <class Logits, class Extra, class Harden>
bool optimise(const CellsTraining& t, int start, double rate, train::AdamW& optimiser, Logits logits, Extra extra,
              Harden harden) {
  const train::Schedule schedule{.kind = train::ScheduleKind::one_cycle, .steps = t.steps};
  for (int step = 0; step < t.steps; ++step) {
    const std::uint64_t first =
        (t.seed << 32U) + static_cast<std::uint64_t>(step) * static_cast<std::uint64_t>(t.batch);
    const Batch batch = draw_batch(t.task, training_size(t.task), t.batch, first);
    const Tensor loss = cross_entropy(logits(batch.x), batch.y);
    (loss + extra(static_cast<double>(step) / t.steps)).backward();
    optimiser.step(rate * schedule(step));
    harden(step);
    const double now = loss.item<double>();
    if (step % 40 == 0 || step + 1 == t.steps) fmt::print(stderr, "step {} loss {:.4f}\n", step, now);
    if (step == t.steps / 2 && start + 1 < kStarts && !(now < kLearnedNothing)) return false;
  }
  return true;
}

// the kinds of cells that there are: wall, free, start; or the bits, and the same as the first
Tensor kinds_of_cells(Task task) {
  if (task == Task::grid) return at::tensor({0, 0, 1, 0, 1, 1}, at::kFloat).view({3, 2});
  return at::tensor({0, 0, 1, 0, 0, 1, 1, 1}, at::kFloat).view({4, 2});
}

Tensor of_recursion(const train::Weights& w, const char* name) { return w["blocks.0.recursion." + std::string(name)]; }

// How undecided gates and mixing weights still are. 8 x 8 cells do not tell a gate of .97 from one of 1, larger grids do; so
// in the last part of training they are pressed towards their ends.
Tensor indecision(const train::Weights& w, Task task) {
  const Tensor g = at::linear(kinds_of_cells(task), of_recursion(w, "gate.weight"), of_recursion(w, "gate.bias"));
  const Tensor p = at::softmax(kCellSharpness * of_recursion(w, "mix.logits"), 1);
  const Tensor rows = (1 - p.square().sum(1)).mean();
  if (task == Task::grid) {
    const Tensor gate = at::sigmoid(4 * g);
    return (gate * (1 - gate)).mean() + rows;
  }
  return at::relu(1 - 1.1 * at::tanh(2 * g).abs()).mean() + rows;
}

constexpr double kPressed = 0.4;   // share of training from which on the pressure rises
constexpr double kPressure = 0.1;  // at its end

// In the last third every row mixes one channel alone. With a share of another one, neighbouring cells fill each other
// up at rate c: h then approaches its value for a hundred iterations instead of reaching it.
constexpr double kHardened = 0.66;
constexpr double kApart = 4;  // logits: softmax(6P) leaves e⁻²⁴ to the others

void mix_one_channel(const train::Weights& w) {
  const at::NoGradGuard guard;
  Tensor logits = of_recursion(w, "mix.logits");
  const Tensor best = logits.argmax(1, /*keepdim=*/true);
  logits.fill_(-kApart).scatter_(1, best, 0.0);
}

// Gates to their ends, once, with the signs that they have: on a line, .9 loses the sign of the 48th bit.
void saturate_gates(const train::Weights& w, Task task) {
  constexpr double kMost = 4, kGridEnd = 2.5 / 4, kLineEnd = 1.6 / 2;  // where the curves of gates are cut
  const at::NoGradGuard guard;
  Tensor weight = of_recursion(w, "gate.weight"), bias = of_recursion(w, "gate.bias");
  const Tensor least = at::linear(kinds_of_cells(task), weight, bias).abs().amin(0) + 1e-9;
  const Tensor factor = ((task == Task::grid ? kGridEnd : kLineEnd) / least).clamp(1, kMost);
  weight.mul_(factor.unsqueeze(1));
  bias.mul_(factor);
}

constexpr double kTimes[] = {1, 1.25, 1.5, 2, 3, 4};

struct Score {
  double solved = 0, accuracy = 0;
};
Score score(const Rival& rival, const Batch& batch, int depth) {
  const at::NoGradGuard guard;
  const Tensor right = rival.logits(batch.x, depth).argmax(2) == batch.y;
  return {right.all(1).to(at::kDouble).mean().item<double>(), right.to(at::kDouble).mean().item<double>()};
}

}  // namespace

ModelFile train_recursion(const CellsTraining& given) {
  const CellsTraining t = completed(given);
  // trained with a smaller constant than it runs with: h = c^distance is then as small as it is far away on a large grid
  const ModelConfig deployed = cells_config(t.task, training_size(t.task));
  ModelConfig config = deployed;
  std::get<RecursionConfig>(config.blocks[0].kind).lipschitz = kTrainedContraction;
  const train::Steps steps{.recursion = {.unrolled = t.depth, .from_start = true}};
  for (int start = 0;; ++start) {
    const train::Weights weights = train::Weights::create(config, random_tensors(config, seed_of(t, start))).value();
    const auto twin = train::twin(std::get<RecursionConfig>(config.blocks[0].kind), config.width,
                                  train::Scope(weights, "blocks.0.recursion."));
    train::AdamW optimiser(weights, config, {.decay = 0});
    const bool learned = optimise(
        t, start, t.rate > 0 ? t.rate : cells_rate(t.task), optimiser,
        [&](const Tensor& x) {
          train::BlockState state = twin->start(x.size(0));
          return twin->forward(x.flatten(1).unsqueeze(1), steps, state).view({x.size(0), -1, 2});
        },
        [&](double done) {
          return kPressure * std::max(0.0, done - kPressed) / (1 - kPressed) * indecision(weights, t.task);
        },
        [&](int step) {
          const int first = static_cast<int>(kHardened * t.steps);
          if (step == first) saturate_gates(weights, t.task);
          if (step >= first) mix_one_channel(weights);
        });
    if (learned) return {.config = deployed, .tensors = weights.tensors(), .metadata = {}};
  }
}

namespace {

std::unique_ptr<Rival> trained_rival(const std::string& method, const CellsTraining& t) {
  for (int start = 0;; ++start) {
    std::unique_ptr<Rival> rival = make_rival(method, t.task, t.depth, seed_of(t, start));
    train::AdamW optimiser(rival->leaves(), {.decay = 0});
    const bool learned = optimise(
        t, start, t.rate > 0 ? t.rate : rival->rate(), optimiser,
        [&](const Tensor& x) { return rival->logits(x, rival->depth()); }, [](double) { return at::zeros({}); },
        [](int) {});
    if (learned) return rival;
  }
}

}  // namespace

std::vector<benchmark::DepthRow> train_rival(const std::string& method, const CellsTraining& given,
                                             const std::vector<CellsTest>& tests) {
  const CellsTraining t = completed(given);
  const std::unique_ptr<Rival> rival = trained_rival(method, t);
  std::vector<benchmark::DepthRow> rows;
  for (const CellsTest& test : tests) {
    benchmark::DepthRow row{.task = t.task == Task::grid ? "grid" : "parity", .method = method, .size = test.size};
    const Batch batch = draw_batch(t.task, test.size, test.episodes, test.first_seed);
    double oracle = 0;
    for (const Episode& e : batch.episodes) oracle += static_cast<double>(e.oracle_depth) / test.episodes;
    row.oracle_depth = oracle;
    for (const double times : kTimes) {
      if (times > 1 && !rival->can_be_deeper()) break;
      const Score found = score(*rival, batch, static_cast<int>(times * rival->depth()));
      row.curve.push_back(found.solved);
      if (found.solved > row.solved || row.solved < 0) {
        row.solved = found.solved, row.accuracy = found.accuracy, row.mean_depth = times * rival->depth();
      }
      if (times == 3) row.accuracy_at_3t = found.accuracy;
    }
    rows.push_back(row);
  }
  return rows;
}

}  // namespace elastane::frost
