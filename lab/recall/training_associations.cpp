#include "lab/recall/training_associations.h"

#include <ATen/Parallel.h>
#include <fmt/core.h>

#include <cmath>
#include <ctime>

#include "elastane/core/network/network.h"
#include "elastane/core/stream/stream.h"
#include "elastane/io/model_file.h"
#include "elastane/train/adamw.h"
#include "elastane/train/schedule.h"
#include "elastane/train/sequence_model.h"
#include "lab/recall/association_models.h"
#include "lab/recall/copy_exact.h"
#include "lab/recall/recall_rows.h"

namespace elastane::recall {
namespace {

constexpr std::uint64_t kValidationSeed = 1ULL << 40U, kAssociationTestSeed = 1ULL << 41U;

struct AssociationTraining {
  std::string task = "mqar", model = "ssm_delta32", journal, output;
  int pairs = 32, vocabulary = 192, steps = 300, batch = 16, tests = 64, threads = 1;
  double rate = 0.01, enough = 0.998;  // enough: accuracy on validation sequences at which training ends
  int patience = 0;                    // validations without a smaller loss after which it ends as well; 0: any number
  bool curriculum = false;             // of mqar: begin with four pairs
  std::uint64_t seed = 1;

  // as rows name it
  std::string title() const {
    const bool usual = task != "mqar" || vocabulary == AssociationOptions{}.vocabulary;
    return usual ? model : model + ", " + std::to_string(vocabulary) + " symbols";
  }

  AssociationOptions largest() const {
    if (task == "copy") return {.task = AssociationTask::copy, .length = 20};
    if (task == "rebind") return {.task = AssociationTask::rebind, .pairs = 24, .vocabulary = 128};
    return {.task = AssociationTask::mqar, .length = 4 * pairs, .pairs = pairs, .vocabulary = vocabulary};
  }
};

// sequences of equal length as tensors
struct AssociationBatch {
  at::Tensor x;       // (batch, length, inputs)
  at::Tensor target;  // (batch, length), −1 where nothing is asked
};
AssociationBatch batch_of(const AssociationOptions& o, std::uint64_t first_seed, int count) {
  AssociationBatch batch;
  for (int i = 0; i < count; ++i) {
    const AssociationSequence sequence = draw_associations(o, first_seed + static_cast<std::uint64_t>(i));
    if (i == 0) {
      const auto length = static_cast<std::int64_t>(sequence.size());
      batch = {at::zeros({count, length, input_size(o)}), at::full({count, length}, -1, at::kLong)};
    }
    float* x = batch.x[i].data_ptr<float>();
    for (const AssociationStep& step : sequence) {
      x[step.symbol] = 1;
      if (step.second >= 0) x[step.second] = 1;
      x += input_size(o);
    }
    for (std::size_t t = 0; t < sequence.size(); ++t) {
      batch.target.data_ptr<std::int64_t>()[static_cast<std::size_t>(i) * sequence.size() + t] = sequence[t].target;
    }
  }
  return batch;
}

// what a step of training is given: half as many pairs in turn, and copies of 6 to 20 letters
AssociationOptions size_of_step(const AssociationTraining& o, int step) {
  AssociationOptions size = o.largest();
  if (o.task == "copy") size.length = 6 + Random(o.seed, static_cast<std::uint64_t>(step)).below(15);
  if (o.task != "mqar") return size;
  // a curriculum doubles the pairs in equal stages of the first half
  for (int pairs = o.pairs / 2, stage = 1; o.curriculum && pairs >= 4; pairs /= 2, ++stage) {
    const int stages = static_cast<int>(std::log2(o.pairs / 4));
    if (step * 2 * stages < o.steps * (stages - stage + 1)) size.length = 4 * pairs, size.pairs = pairs;
  }
  if (step % 2 == 0) size.length /= 2, size.pairs /= 2;
  return size;
}

struct Scored {
  at::Tensor loss;
  double accuracy;
};
Scored score(const train::SequenceModel& model, const AssociationBatch& batch) {
  const at::Tensor y =
      model.forward({.x = batch.x}, model.start(batch.x.size(0))).y.reshape({-1, model.config().outputs});
  const at::Tensor asked = (batch.target.reshape({-1}) >= 0).nonzero().squeeze(1);
  const at::Tensor answers = y.index_select(0, asked), target = batch.target.reshape({-1}).index_select(0, asked);
  return {at::cross_entropy_loss(answers, target), answers.argmax(1).eq(target).to(at::kDouble).mean().item<double>()};
}

// CPU seconds
double train_model(const AssociationTraining& o, const train::SequenceModel& model) {
  const std::clock_t begin = std::clock();
  train::AdamW adamw(model.weights(), model.config(), {.decay = 0.01, .beta2 = 0.98});
  const train::Schedule schedule{.steps = o.steps, .warm_up = 20};
  const auto per_step = static_cast<std::uint64_t>(o.batch);
  double least = HUGE_VAL;
  int since = 0;  // validations
  for (int step = 0; step < o.steps; ++step) {
    const std::uint64_t seed = (o.seed * 1'000'003 + static_cast<std::uint64_t>(step)) * per_step;
    const Scored scored = score(model, batch_of(size_of_step(o, step), seed, o.batch));
    scored.loss.backward();
    adamw.step(o.rate * schedule(step));
    if (step % 20 != 19) continue;
    const at::NoGradGuard no_grad;
    const Scored held = score(model, batch_of(o.largest(), kValidationSeed, 32));
    const double loss = held.loss.item<double>();
    fmt::print("step {:4}  loss {:.4f}  validation {:.4f}, accuracy {:.4f}\n", step + 1, scored.loss.item<double>(),
               loss, held.accuracy);
    since = loss < 0.995 * least ? 0 : since + 1;
    least = std::min(least, loss);
    if (held.accuracy >= o.enough || (o.patience > 0 && since >= o.patience)) break;
  }
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

// answers of a stream, in float32 and step by step; copies count as whole strings
RecallRow test_stream(const Model& model, const AssociationOptions& size, int sequences) {
  int hits[2] = {}, asked[2] = {}, strings = 0;
  std::int64_t written = 0, steps = 0;
  for (int i = 0; i < sequences; ++i) {
    Stream stream(model);
    std::vector<float> x(static_cast<std::size_t>(input_size(size)));
    bool whole = true;
    for (const AssociationStep& step : draw_associations(size, kAssociationTestSeed + static_cast<std::uint64_t>(i))) {
      std::ranges::fill(x, 0.0F);
      x[static_cast<std::size_t>(step.symbol)] = 1;
      if (step.second >= 0) x[static_cast<std::size_t>(step.second)] = 1;
      for (const BlockReport& block : stream.advance(x).blocks) written += block.tokens_written;
      ++steps;
      if (step.target < 0) continue;
      const auto answer = std::ranges::max_element(stream.output()) - stream.output().begin();
      hits[step.changed] += answer == step.target ? 1 : 0;
      asked[step.changed] += 1;
      whole &= answer == step.target;
    }
    strings += whole ? 1 : 0;
  }
  RecallRow row{.length = size.task == AssociationTask::copy ? size.length : steps / sequences};
  if (size.task != AssociationTask::copy) row.pairs = size.pairs;
  row.accuracy = size.task == AssociationTask::copy ? static_cast<double>(strings) / sequences
                                                    : static_cast<double>(hits[0]) / std::max(1, asked[0]);
  if (asked[1] > 0) row.accuracy_changed = static_cast<double>(hits[1]) / asked[1];
  const StateLayout& layout = model.network().layout;
  row.state_bytes = static_cast<std::int64_t>(layout.size - layout.dense);
  row.write_share = static_cast<double>(written) / static_cast<double>(steps);
  if (size.task == AssociationTask::copy) row.accuracy_changed = copy_bound(kLetters, *row.state_bytes, size.length);
  return row;
}

bool attends(const std::string& model) {
  return model.find("attention") != std::string::npos || model.find("window") != std::string::npos;
}

std::vector<AssociationOptions> test_sizes(const AssociationTraining& o) {
  const AssociationOptions own = o.largest();
  std::vector<AssociationOptions> sizes;
  const auto add = [&](int length, int pairs) {
    sizes.push_back(own);
    sizes.back().length = length, sizes.back().pairs = pairs;
  };
  if (o.task == "rebind") return {own};
  if (o.task == "copy") {
    for (const int length : {8, 16, 32, 64, 128}) add(length, own.pairs);
    if (!attends(o.model)) add(1024, own.pairs);  // where the smallest states are below the bound
    return sizes;
  }
  for (const int scale : {1, 2}) add(2 * o.pairs * scale, o.pairs * scale / 2);  // as in training
  if (o.pairs > 32) return sizes;
  add(8 * o.pairs, o.pairs);
  add(8 * o.pairs, 2 * o.pairs);
  return sizes;
}

// the same weights used in other ways: least squares with inflation, memories that write on surprise alone
std::vector<std::pair<std::string, ModelConfig>> deployments(const AssociationTraining& o, const ModelConfig& trained) {
  std::vector<std::pair<std::string, ModelConfig>> all = {{o.title(), trained}};
  const auto add = [&](const std::string& name, auto change) {
    ModelConfig config = trained;
    bool changed = false;
    for (BlockConfig& block : config.blocks) {
      if (auto* d = std::get_if<DeltaConfig>(&block.kind)) changed |= change(*d);
    }
    if (changed) all.emplace_back(o.title() + name, config);
  };
  add(" inflated", [](DeltaConfig& d) {
    d.inflate = 2;
    return d.rule == WriteRule::least_squares;
  });
  add(" on surprise", [](DeltaConfig& d) {
    d.write = WritePolicy::surprise;
    return true;
  });
  return all;
}

Status check_options(const AssociationTraining& o, const std::vector<AssociationOptions>& sizes) {
  const AssociationTraining usual;
  if (o.task != "mqar" && (o.pairs != usual.pairs || o.vocabulary != usual.vocabulary || o.curriculum)) {
    return Error{"[associations] --pairs, --vocabulary and --curriculum: expected with --task mqar, found " + o.task};
  }
  int most = 0;
  for (const AssociationOptions& size : sizes) most = std::max(most, size.pairs);
  if (o.task != "mqar" || 2 * most <= o.vocabulary) return {};
  return Error{fmt::format(
      "[associations] --vocabulary: expected at least {}, two symbols for each of the {} pairs of the largest test, "
      "found {}",
      2 * most, most, o.vocabulary)};
}

int run_association_training(const AssociationTraining& o) {
  at::set_num_threads(o.threads);
  const std::vector<AssociationOptions> sizes = test_sizes(o);
  check_options(o, sizes).value();
  int longest = 0;
  for (const AssociationOptions& size : sizes) {
    longest = std::max(longest, static_cast<int>(draw_associations(size, 1).size()));
  }
  const ModelConfig config = association_config(o.model, o.largest(), longest).value();
  const train::SequenceModel model =
      train::SequenceModel::create(config, association_start(config, o.largest(), o.seed)).value();
  const double seconds = train_model(o, model);
  const std::vector<elastane::Tensor> tensors = model.weights().tensors();
  if (!o.output.empty()) save_model(o.output, config, tensors).value();
  for (const auto& [name, used] : deployments(o, config)) {
    const Model core = Model::create(used, tensors).value();
    for (const AssociationOptions& size : sizes) {
      RecallRow row = test_stream(core, size, o.tests);
      row.part = o.task, row.model = name, row.seed = o.seed, row.train_seconds = seconds;
      fmt::print(
          "{} {}: {} steps, accuracy {:.4f}, changed {:.4f}, {} bytes, {:.3f} of steps write, trained in {:.1f} s\n",
          o.task, name, *row.length, *row.accuracy, row.accuracy_changed.value_or(NAN), *row.state_bytes,
          *row.write_share, seconds);
      if (!o.journal.empty()) append_row(o.journal, row);
    }
  }
  return 0;
}

}  // namespace

void add_association_training(lab::TrainingCommands& commands) {
  auto options = std::make_shared<AssociationTraining>();
  command_line::Command& task = commands.add("associations", "Pairs to recall, keys bound again, strings to copy");
  task.option("--task", options->task, "what is learned").one_of({"mqar", "rebind", "copy"});
  task.option("--stack", options->model, "the blocks of the model").one_of(association_models());
  task.option("--pairs", options->pairs, "of mqar: the most in a sequence of training").range(4, 512);
  task.option("--vocabulary", options->vocabulary, "of mqar: keys and values").range(16, 8192);
  task.option("--steps", options->steps, "of training at most").range(0, 1e6);
  task.option("--batch", options->batch, "sequences per step").range(1, 4096);
  task.option("--rate", options->rate, "largest learning rate").range(0, 1);
  task.option("--enough", options->enough, "accuracy on validation sequences at which training ends").range(0, 2);
  task.option("--patience", options->patience, "validations, one in 20 steps, without a smaller loss; 0: no limit")
      .range(0, 1e6);
  task.flag("--curriculum", options->curriculum, "of mqar: begin with four pairs");
  task.option("--tests", options->tests, "sequences of each size").range(1, 1e6);
  task.option("--seed", options->seed, "of weights and sequences");
  task.option("--threads", options->threads, "of LibTorch").range(1, 1024);
  task.option("--journal", options->journal, "append the rows of the test to this file").type("FILE");
  task.option("-o,--output", options->output, "write the model to this file").type("FILE");
  task.footer(
      "Examples:\n"
      "  elastane train associations --task mqar --stack ssm_delta32 --journal recall.jsonl\n"
      "  elastane train associations --task copy --stack ssm_attention --steps 200 --rate 0.0001 --enough 2\n\n"
      "A stack names its blocks in order: ssm (a selective SSM, or Mamba before attention), delta memories and "
      "memories\n"
      "by least squares (squares) with channels per key, attention over the whole sequence or a window; x2: twice.\n"
      "delta32, squares32 and attention have one block, for --task rebind.");
  task.action([=] { return run_association_training(*options); });
}

}  // namespace elastane::recall
