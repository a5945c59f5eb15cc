#include "lab/images/training_images.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "elastane/train/adamw.h"
#include "elastane/train/schedule.h"
#include "lab/images/classifier.h"
#include "lab/images/training_geometry.h"
#include "lab/images/training_halting.h"

namespace elastane::images {
namespace {

using at::Tensor;
using benchmark::DepthRow;

constexpr int kChunk = 1000;                         // images that are run together
constexpr int kHeadImages = 6000, kHeadSteps = 300;  // for what is learned afterwards
constexpr int kProvenImages = 2000;
constexpr int kConstrainEvery = 8;  // steps; in between a norm may be a little too large
constexpr double kHaltingStart =
    -1.4;                             // of PonderNet and ACT: a fifth halts at every depth, as PonderNet's prior has it
constexpr int kTargets[] = {95, 98};  // % of full accuracy
constexpr int kQuantiles[] = {125, 250, 375, 500, 625, 750, 875, 1000};  // ‰, FROST's table

ImageTraining completed(ImageTraining t) {
  const bool digits = t.task == Task::digits;
  if (t.steps == 0) t.steps = digits ? 300 : 800;
  if (t.batch == 0) t.batch = digits ? 64 : 128;
  if (t.width == 0) t.width = digits ? 64 : 128;
  if (t.rate == 0) t.rate = 3e-3;
  return t;
}

struct Batch {
  Tensor x, y;
};
Batch gather(const ImageSet& set, std::span<const int> which) {
  Batch b{at::empty({static_cast<std::int64_t>(which.size()), set.features}),
          at::empty({static_cast<std::int64_t>(which.size())}, at::kLong)};
  float* x = b.x.data_ptr<float>();
  std::int64_t* y = b.y.data_ptr<std::int64_t>();
  for (const int i : which) {
    x = std::ranges::copy(set.image(i), x).out;
    *y++ = set.labels[static_cast<std::size_t>(i)];
  }
  return b;
}
Batch draw(const ImageSet& set, int count, Random& random) {
  std::vector<int> which(static_cast<std::size_t>(count));
  for (int& i : which) i = random.below(set.count());
  return gather(set, which);
}

// calls visit with the states of every image, some at a time
template <class Visit>
void each_chunk(const DeepNetwork& network, const ImageSet& set, int count, int depth, Visit visit) {
  const at::NoGradGuard guard;
  for (int first = 0; first < std::min(count, set.count()); first += kChunk) {
    std::vector<int> which(static_cast<std::size_t>(std::min(kChunk, std::min(count, set.count()) - first)));
    std::iota(which.begin(), which.end(), first);
    const Batch b = gather(set, which);
    visit(network.states(b.x, depth), b.y);
  }
}

void append_values(const Tensor& values, std::vector<float>& to) {
  const Tensor flat = values.to(at::kFloat).contiguous();
  to.insert(to.end(), flat.data_ptr<float>(), flat.data_ptr<float>() + flat.numel());
}

// trajectories of a set, and the scores of a head that looks at h
struct Recorded {
  Trajectories t;
  Scores halting;
};
Recorded record_depths(const DeepNetwork& network, const Method& method, const LinearHalting* halting,
                       const ImageSet& set, int count) {
  Recorded r{.t = {.depth = method.depth, .classes = kClasses}, .halting = {}};
  each_chunk(network, set, count, method.depth, [&](const std::vector<Tensor>& states, const Tensor& labels) {
    std::vector<Tensor> logits, change, size;
    for (std::size_t k = 0; k < states.size(); ++k) {
      const Tensor before = k == 0 ? at::zeros_like(states[0]) : states[k - 1];
      logits.push_back(network.logits(states[k]));
      change.push_back((states[k] - before).norm(2, 1));
      size.push_back(states[k].norm(2, 1));
    }
    append_values(at::stack(logits, 1), r.t.logits);
    append_values(at::stack(change, 1), r.t.change);
    append_values(at::stack(size, 1), r.t.size);
    if (halting != nullptr) append_values(rule_scores(method.halting, halting->scores(states)), r.halting);
    for (std::int64_t i = 0; i < labels.size(0); ++i) {
      r.t.labels.push_back(static_cast<std::uint8_t>(labels[i].item<std::int64_t>()));
    }
  });
  return r;
}

// a ranking head for a backbone that was trained without one
void train_ranking(const DeepNetwork& network, const ImageTraining& t, const ImageSet& learn, LinearHalting& head,
                   Random& random) {
  train::AdamW optimiser(head.leaves(), {.decay = 0});
  for (int step = 0; step < kHeadSteps; ++step) {
    const Batch b = draw(learn, t.batch, random);
    std::vector<Tensor> states, logits;
    {
      const at::NoGradGuard guard;
      states = network.states(b.x, t.method.depth);
      for (const Tensor& h : states) logits.push_back(network.logits(h));
    }
    const DepthView view = depth_view(logits, b.y);
    train::halt_loss(head.scores(states), {view.losses, view.answers}, {.kind = train::HaltLoss::ranking}, random)
        .backward();
    optimiser.step(1e-2);
  }
}

// the backbone, and its halting where both are trained together; λ on the way
std::vector<double> optimise(const DeepNetwork& network, const ImageTraining& t, const ImageSet& learn,
                             const LinearHalting* halting, Random& random) {
  std::vector<train::NamedTensor> leaves = network.leaves();
  if (halting != nullptr) {
    for (const train::NamedTensor& leaf : halting->leaves()) leaves.push_back(leaf);
  }
  train::AdamW optimiser(leaves, {.decay = 0});
  const train::Schedule schedule{.kind = train::ScheduleKind::one_cycle, .steps = t.steps};
  std::vector<double> lambda;
  const auto note = [&] {
    if (const auto now = network.lambda()) lambda.push_back(*now);
  };
  for (int step = 0; step < t.steps; ++step) {
    if (4 * step % t.steps < 4) note();
    const Batch b = draw(learn, t.batch, random);
    const Tensor loss = joint_loss(t.method, network, halting, b.x, b.y, random);
    loss.backward();
    optimiser.step(t.rate * schedule(step));
    if (step % kConstrainEvery == 0 || step + 1 == t.steps) network.constrain();
    if (step % 100 == 0 || step + 1 == t.steps) fmt::print(stderr, "step {} loss {:.4f}\n", step, loss.item<double>());
  }
  note();
  return lambda;
}

struct Rule {
  std::string name;
  Scores held_out, test;
  int looks;  // multiply-adds per iteration, in widths
};

// every rule on the same backbone
std::vector<Rule> rules_of(const Recorded& held_out, const Recorded& test, const LearnedHalting& learned,
                           const Method& method) {
  const bool certified = method.form() != RecursionForm::literal && method.backbone != Backbone::untied;
  std::vector<Rule> rules = {{certified ? "certificate" : "change", still_scores(held_out.t), still_scores(test.t), 0},
                             {"relative_change", relative_scores(held_out.t), relative_scores(test.t), 0},
                             {"margin", margin_scores(held_out.t), margin_scores(test.t), kClasses},
                             {"confidence", confidence_scores(held_out.t), confidence_scores(test.t), kClasses},
                             {"patience", patience_scores(held_out.t), patience_scores(test.t), kClasses},
                             {"learned", learned.scores(held_out.t), learned.scores(test.t), kClasses}};
  const char* names[] = {"ranking", "ranking", "ponder", "act"};
  if (!test.halting.empty()) {
    rules.push_back({names[static_cast<int>(method.halting)], held_out.halting, test.halting, 1});
  }
  return rules;
}

class RowsOfImages {
 public:
  RowsOfImages(const ImageTraining& t, int features, const Recorded& held_out, const Recorded& test)
      : t_(t), features_(features), held_out_(held_out), test_(test), ready_(ready_depths(test.t)) {}

  DepthRow full(const Geometry& geometry) const {
    DepthRow row = row_of("", t_.method.depth, uniform(test_.t, t_.method.depth), 0);
    row.accuracy_at_3t = geometry.accuracy_at_3t;
    row.curve = geometry.values();
    row.spearman = benchmark::kNotMeasured;
    return row;
  }
  void add_rules(const std::vector<Rule>& rules, std::vector<DepthRow>& rows) const {
    // PonderNet and ACT are best at the depths that they choose, not at the last one
    double best = 0;
    for (int depth = 1; depth <= t_.method.depth; ++depth) best = std::max(best, uniform(held_out_.t, depth).accuracy);
    for (const int target : kTargets) {
      const double wanted = 0.01 * target * best;
      rows.push_back(row_of("/uniform", target, uniform(test_.t, choose_depth(held_out_.t, wanted)), 0));
      for (const Rule& rule : rules) {
        const double threshold = choose_threshold(held_out_.t, rule.held_out, wanted);
        rows.push_back(row_of("/" + rule.name, target, stopped(test_.t, rule.test, threshold), rule.looks));
      }
    }
  }
  void add_quantiles(std::vector<DepthRow>& rows) const {
    for (const int q : kQuantiles) {
      const double threshold = q == 1000 ? INFINITY : quantile(held_out_.halting, 0.001 * q);
      rows.push_back(row_of("/quantile", q, stopped(test_.t, test_.halting, threshold), 1));
    }
  }

 private:
  DepthRow row_of(const std::string& rule, int size, const Outcome& found, int looks) const {
    DepthRow row{.method = t_.method.name + rule, .size = size};
    row.accuracy = found.accuracy;
    row.mean_depth = found.mean_depth;
    row.oracle_depth = std::accumulate(ready_.begin(), ready_.end(), 0.0) / std::max<double>(1, test_.t.examples());
    row.spearman = benchmark::spearman(found.depth, ready_);
    row.cases = test_.t.examples();
    const double d = t_.width;
    row.macs = d * (features_ + d + kClasses) + found.mean_depth * d * (2 * d + looks);
    return row;
  }

  const ImageTraining& t_;
  int features_;
  const Recorded &held_out_, &test_;
  std::vector<double> ready_;
};

}  // namespace

TrainedImages train_images(const ImageTraining& given, const Images& images) {
  const ImageTraining t = completed(given);
  Random random(t.seed, 47ULL << 48U);
  const std::unique_ptr<DeepNetwork> network = make_network(t.method, images.learn.features, t.width, t.seed);
  const bool together = t.method.halting != Halting::none;
  LinearHalting halting(t.width, together && t.method.halting != Halting::ranking ? kHaltingStart : 0);
  const std::vector<double> lambda = optimise(*network, t, images.learn, together ? &halting : nullptr, random);
  if (!together) train_ranking(*network, t, images.learn, halting, random);
  const Recorded held_out = record_depths(*network, t.method, &halting, images.held_out, images.held_out.count());
  const Recorded test = record_depths(*network, t.method, &halting, images.test, images.test.count());
  const LearnedHalting learned(record_depths(*network, t.method, nullptr, images.learn, kHeadImages).t, t.seed);

  TrainedImages trained{.rows = {}, .file = network->file()};
  GeometrySums sums(t.method.depth);
  const int deepest = network->can_be_deeper() ? 3 * t.method.depth : t.method.depth;
  each_chunk(*network, images.test, images.test.count(), deepest,
             [&](const std::vector<Tensor>& states, const Tensor& labels) { sums.add(*network, states, labels); });
  const RowsOfImages rows(t, images.learn.features, held_out, test);
  trained.rows.push_back(rows.full(sums.mean()));
  if (t.method.depth > 1) rows.add_rules(rules_of(held_out, test, learned, t.method), trained.rows);
  if (t.method.halting == Halting::ranking) rows.add_quantiles(trained.rows);
  if (!lambda.empty()) trained.rows.push_back({.method = std::string(t.method.name) + "/lambda", .curve = lambda});
  if (trained.file && t.method.form() == RecursionForm::contraction && t.method.depth > 1) {
    ImageSet some = images.test;
    some.labels.resize(std::min<std::size_t>(some.labels.size(), kProvenImages));
    trained.rows.push_back(test_proven(*trained.file, some));
    trained.rows.back().method = std::string(t.method.name) + "/proven";
  }
  return trained;
}

}  // namespace elastane::images
