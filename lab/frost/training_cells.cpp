#include "lab/frost/training_cells.h"

#include <ATen/Parallel.h>
#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "elastane/core/backbone/recursion.h"
#include "elastane/core/base/random.h"
#include "elastane/train/adamw.h"
#include "elastane/train/block.h"
#include "elastane/train/schedule.h"
#include "lab/frost/training_hardening.h"
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

// Some weights lead nowhere: half-way they know no more than which cells are free, or in the end they do not solve
// held-out episodes of the training size, or solve them by a hair. Then others are drawn, for all methods alike, and the
// best start counts
constexpr int kStarts = 6, kHeldOut = 256;
constexpr double kLearnedNothing = 0.25;  // loss half-way
constexpr double kSolved = 0.99;          // share of held-out episodes at the end
constexpr double kSure = 0.01;            // loss of the last step

// what a start came to
struct Learned {
  double solved = -1, loss = 1e9;

  bool is_enough() const { return solved >= kSolved && loss <= kSure; }
  bool is_better(const Learned& than) const {
    return solved >= kSolved && than.solved >= kSolved ? loss < than.loss : solved > than.solved;
  }
};
std::uint64_t seed_of(const CellsTraining& t, int start) { return t.seed + 1000 * static_cast<std::uint64_t>(start); }

// the steps of one call of optimise, of a cycle that begins with step `cycle` and has `length` steps
struct Span {
  int first = 0, last = 0, start = 0;
  int cycle = 0, length = 0;
};

// beyond all steps
std::uint64_t held_out_episodes(const CellsTraining& t) { return (t.seed << 32U) + (1ULL << 31U); }

std::uint64_t episodes_of(const CellsTraining& t, int step) {
  return (t.seed << 32U) + static_cast<std::uint64_t>(step) * static_cast<std::uint64_t>(t.batch);
}

// The same for all: Adam over one cycle, on fresh episodes, loss at the last iteration alone. Returns the
// last loss; none: this start was given up half-way
template <class Logits, class Extra, class Harden>
std::optional<double> optimise(const CellsTraining& t, const Span& span, double rate, train::AdamW& optimiser,
                               Logits logits, Extra extra, Harden harden) {
  const train::Schedule schedule{.kind = train::ScheduleKind::one_cycle, .steps = span.length};
  double last = 0;
  for (int step = span.first; step < span.last; ++step) {
    const std::uint64_t first = episodes_of(t, step);
    const Batch batch = draw_batch(t.task, training_size(t.task), t.batch, first);
    const Tensor loss = cross_entropy(logits(batch.x), batch.y);
    (loss + extra(static_cast<double>(step) / t.steps)).backward();
    optimiser.step(rate * schedule(step - span.cycle));
    harden();
    const double now = loss.item<double>();
    if (step % 40 == 0 || step + 1 == span.last) fmt::print(stderr, "step {} loss {:.4f}\n", step, now);
    if (step == t.steps / 2 && span.start + 1 < kStarts && !(now < kLearnedNothing)) return {};
    last = now;
  }
  return last;
}

constexpr double kPressed = 0.4;   // share of training from which on the pressure rises
constexpr double kPressure = 0.1;  // at its end

// In the last third every row mixes one channel alone and curves are at their ends. Of a grid, the channels that decide are
// chosen then, on episodes of the training size, and the others go
constexpr double kHardened = 0.66;
constexpr int kChoiceEpisodes = 256, kReadOutSteps = 160;

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

namespace {

// a recursion under way; in its last part it may have fewer channels
class Trainee {
 public:
  Trainee(const CellsTraining& training, const ModelConfig& config, std::span<const elastane::Tensor> tensors)
      : t_(training),
        config_(config),
        weights_(train::Weights::create(config, tensors).value()),
        twin_(train::twin(std::get<RecursionConfig>(config.blocks[0].kind), config.width,
                          train::Scope(weights_, "blocks.0.recursion."))),
        optimiser_(weights_, config, {.decay = 0}) {}
  Trainee(const Trainee&) = delete;  // the twin looks at these weights
  Trainee& operator=(const Trainee&) = delete;

  const train::Weights& weights() const { return weights_; }
  const ModelConfig& config() const { return config_; }

  Tensor logits(const Tensor& x, train::BlockState& state) const {
    const train::Steps steps{.recursion = {.unrolled = t_.depth, .from_start = true}};
    state = twin_->start(x.size(0));
    return twin_->forward(x.flatten(1).unsqueeze(1), steps, state).view({x.size(0), -1, 2});
  }

  // false: given up
  bool optimise_steps(const Span& span, bool hard) {
    const std::optional<double> loss = optimise(
        t_, span, t_.rate > 0 ? t_.rate : cells_rate(t_.task), optimiser_,
        [&](const Tensor& x) {
          train::BlockState state;
          return logits(x, state);
        },
        [&](double done) {
          return kPressure * std::max(0.0, done - kPressed) / (1 - kPressed) * indecision(weights_, t_.task);
        },
        [&] { hard ? harden() : void(); });
    loss_ = loss.value_or(0);
    return loss.has_value();
  }
  double loss() const { return loss_; }  // of the last step

  void harden() const {
    mix_one_channel(weights_);
    if (t_.task == Task::grid) round_cells(weights_);
  }

 private:
  const CellsTraining& t_;
  ModelConfig config_;
  train::Weights weights_;
  std::unique_ptr<train::Block> twin_;
  train::AdamW optimiser_;
  double loss_ = 0;
};

// the trainee of a grid with the channels that decide alone; null: none do
std::unique_ptr<Trainee> with_deciding_channels(const CellsTraining& t, const Trainee& trainee, std::uint64_t seed) {
  const at::NoGradGuard guard;
  const Batch batch = draw_batch(t.task, training_size(t.task), kChoiceEpisodes, held_out_episodes(t));
  train::BlockState state;
  trainee.logits(batch.x, state);
  const auto kept = deciding_channels(trainee.weights(), state[0], batch.y);
  if (!kept) return nullptr;
  fmt::print(stderr, "{} of the channels decide\n", kept->size());
  ModelConfig config = trainee.config();
  std::get<RecursionConfig>(config.blocks[0].kind).hidden = static_cast<int>(kept->size());
  auto fewer = std::make_unique<Trainee>(t, config, random_tensors(config, seed));
  keep_channels(trainee.weights(), *kept, fewer->weights());
  return fewer;
}

// null: this start was given up
std::unique_ptr<Trainee> trained(const CellsTraining& t, const ModelConfig& config, int start) {
  auto trainee = std::make_unique<Trainee>(t, config, random_tensors(config, seed_of(t, start)));
  const int hard = static_cast<int>(kHardened * t.steps);
  if (!trainee->optimise_steps({0, hard, start, 0, t.steps}, false)) return nullptr;
  if (t.task == Task::parity) saturate_gates(trainee->weights(), t.task);
  trainee->harden();
  if (t.task == Task::grid) {
    std::unique_ptr<Trainee> fewer = with_deciding_channels(t, *trainee, seed_of(t, start));
    if (fewer) {
      // their read-out is new, and learns over a cycle of its own
      fewer->optimise_steps({hard, hard + kReadOutSteps, start, hard, kReadOutSteps}, true);
      return fewer;
    }
    if (start + 1 < kStarts) return nullptr;
  }
  trainee->optimise_steps({hard, t.steps, start, 0, t.steps}, true);
  return trainee;
}

}  // namespace

ModelFile train_recursion(const CellsTraining& given) {
  const CellsTraining t = completed(given);
  ModelConfig config = cells_config(t.task, training_size(t.task));
  // trained with a smaller constant than it runs with: h = c^distance is then as small as it is far away on a large grid
  auto& block = std::get<RecursionConfig>(config.blocks[0].kind);
  const double deployed = block.lipschitz;
  block.lipschitz = kTrainedContraction;
  ModelFile best;
  Learned most;
  for (int start = 0; start < kStarts && !most.is_enough(); ++start) {
    const std::unique_ptr<Trainee> trainee = trained(t, config, start);
    if (!trainee) continue;
    ModelFile file{.config = trainee->config(), .tensors = trainee->weights().tensors(), .metadata = {}};
    std::get<RecursionConfig>(file.config.blocks[0].kind).lipschitz = deployed;
    const CellsTest test{.size = training_size(t.task),
                         .episodes = kHeldOut,
                         .first_seed = held_out_episodes(t) + kChoiceEpisodes,
                         .check_depth = 1};
    const Learned now{test_cells(file, t.task, test).solved, trainee->loss()};
    fmt::print(stderr, "start {}: {:.3f} of held-out episodes are solved\n", start, now.solved);
    if (now.is_better(most)) most = now, best = std::move(file);
  }
  return best;
}

namespace {

std::unique_ptr<Rival> trained_rival(const std::string& method, const CellsTraining& t) {
  const Batch held_out = draw_batch(t.task, training_size(t.task), kHeldOut, held_out_episodes(t) + kChoiceEpisodes);
  std::unique_ptr<Rival> best;
  Learned most;
  for (int start = 0; start < kStarts && !most.is_enough(); ++start) {
    std::unique_ptr<Rival> rival = make_rival(method, t.task, t.depth, seed_of(t, start));
    train::AdamW optimiser(rival->leaves(), {.decay = 0});
    const std::optional<double> loss = optimise(
        t, {0, t.steps, start, 0, t.steps}, t.rate > 0 ? t.rate : rival->rate(), optimiser,
        [&](const Tensor& x) { return rival->logits(x, rival->depth()); }, [](double) { return at::zeros({}); }, [] {});
    if (!loss) continue;
    const Learned now{score(*rival, held_out, rival->depth()).solved, *loss};
    fmt::print(stderr, "start {}: {:.3f} of held-out episodes are solved\n", start, now.solved);
    if (now.is_better(most)) most = now, best = std::move(rival);
  }
  return best;
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
