#include "lab/training/router.h"

#include <ATen/Parallel.h>
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "command_line/bar.h"
#include "elastane/io/model_file.h"
#include "elastane/io/router_file.h"
#include "lab/training/keep_pages.h"
#include "lab/training/router_journal.h"

namespace elastane::lab {
namespace {

using at::Tensor;
using train::RouterData;

constexpr double kKept = 0.99;           // of the dense accuracy, for the fewest heads of a task
constexpr std::int64_t kTimedRows = 12;  // sequences on which the engine is timed

const std::vector<std::string> kPoolings(std::begin(train::kPoolingNames), std::end(train::kPoolingNames));

template <class T, class Names>
T chosen(const std::string& word, const Names& names) {
  return static_cast<T>(std::ranges::find(names, word) - std::begin(names));
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const train::RouterMethod method : train::kRouterMethods) names.emplace_back(name(method));
  return names;
}

class RouterRun {
 public:
  RouterRun(const RouterOptions& options, const RouterWorld& world, const TrainingRecord& record)
      : options_(options),
        world_(world),
        record_(record),
        file_(read_model(options.model).value()),
        model_(train::SequenceModel::create(file_.config, file_.tensors, at::kFloat, options.model).value()) {
    freeze(model_);
    const auto take = [](int given, int usual) { return given > 0 ? given : usual; };
    if (options.sink >= 0) world_.mask.sink = options.sink;
    if (options.local > 0) world_.mask.local = options.local;
    for (BlockConfig& block : file_.config.blocks) {
      auto* attention = std::get_if<AttentionConfig>(&block.kind);
      if (attention == nullptr) continue;
      attention->block = world_.mask.block, attention->sink = world_.mask.sink, attention->local = world_.mask.local;
    }
    length_ = take(options.length, world.length);
    sequences_ = take(options.sequences, world.sequences), tests_ = take(options.tests, world.tests);
  }

  int run() {
    if (options_.method == "static") {
      search();
    } else {
      train();
    }
    bar_.clear();
    fmt::print("{}", table_);
    return 0;
  }

 private:
  void train() {
    train::RouterTraining training = options_.training;
    training.method = chosen<train::RouterMethod>(options_.method, method_names());
    training.pooling = chosen<train::Pooling>(options_.pooling, kPoolings);
    training.mask = world_.mask, training.seed = options_.seed, training.targets = world_.targets;
    training.progress = [&](double share, double) { bar_.update(share, options_.method); };
    const RouterData data = world_.draw(options_.seed * 1'000'003, sequences_, length_, options_.position);
    const train::TrainedRouter router = train_router(model_, data, training);
    save(router);
    test("dense", [&](Tensor&) { return std::unique_ptr<train::HeadModes>(); });
    for (const bool by_block : {false, true}) {
      train::RoutedModes modes(router.network, router.mask, router.pooling, by_block);
      test_routed(options_.method + (by_block ? "_stream" : ""), modes, cost_of(router, by_block));
    }
  }

  // nothing where the engine has no such streams: other pools, or blocks of another size
  StepCost cost_of(const train::TrainedRouter& router, bool by_block) const {
    const Result<Model> model = Model::create(file_.config, file_.tensors);
    if (!model || router.pooling != train::Pooling::edges_maximum) return {};
    return timed({.router = router_weights(router, model->fingerprint()), .whole_prompt = !by_block});
  }
  StepCost timed(const HeadChoice& choice) const {
    if (!validate(file_.config)) return {};
    const at::Tensor x = test_data(world_.positions.front()).x;
    return step_cost(file_, choice, x.narrow(0, 0, std::min(kTimedRows, x.size(0))));
  }

  void save(const train::TrainedRouter& router) const {
    if (options_.output.empty()) return;
    const ModelFile file = read_model(options_.model).value();
    const Model model = Model::create(file.config, file.tensors).value();
    save_router(options_.output, router_weights(router, model.fingerprint()),
                {{"command", record_.command}, {"version", record_.version}, {"commit", record_.commit}})
        .value();
  }

  // static subsets of up to half of the heads, or as many as are tried exhaustively: the best of each size for all tasks,
  // and the fewest heads for each task and position alone
  void search() {
    const std::vector<RouterData> parts = search_parts();
    const RouterData all = joined(parts);
    const Tensor dense = dense_logits(model_, all.x);
    const std::vector<train::SubsetScore> scores =
        search_subsets(model_, all, dense,
                       {.mask = world_.mask,
                        .exhaustive = options_.exhaustive,
                        .most = std::max(options_.exhaustive, (heads() + 1) / 2)},
                       [&](double share) { bar_.update(share, "subsets of heads"); });
    const Tensor hits = train::label_hits(dense, all.target), labels = train::label_count(all.target);
    std::size_t group = 0;
    for (const std::string& position : world_.positions) {
      for (const std::string& task : world_.tasks) {
        const Tensor rows = (all.task == static_cast<std::int64_t>(group)).nonzero().squeeze(1);
        const double dense_hits = train::mean_hits(hits.index_select(0, rows), labels.index_select(0, rows));
        const train::SubsetScore* best = fewest_for(scores, group++, dense_hits, kKept);
        if (best != nullptr) test_static("search", best->full, task, position);
      }
    }
    for (int count = heads(); count >= 0; --count) {
      const train::SubsetScore* best = best_static(scores, count);
      if (best != nullptr) test_static(fmt::format("static_{}", count), best->full, {}, {});
    }
  }

  // a group for each position and task
  std::vector<RouterData> search_parts() const {
    std::vector<RouterData> parts;
    for (std::size_t p = 0; p < world_.positions.size(); ++p) {
      RouterData part = world_.draw(kSearchSeed, sequences_, length_, world_.positions[p]);
      part.task = part.task + static_cast<std::int64_t>(p * world_.tasks.size());
      parts.push_back(part);
    }
    return parts;
  }
  static RouterData joined(const std::vector<RouterData>& parts) {
    std::vector<Tensor> x, target, task;
    for (const RouterData& part : parts) x.push_back(part.x), target.push_back(part.target), task.push_back(part.task);
    return {at::cat(x, 0), at::cat(target, 0), at::cat(task, 0)};
  }

  void test_static(const std::string& method, std::uint64_t full, const std::string& task,
                   const std::string& position) {
    const Tensor heads_full = train::heads_of(full, heads());
    test(
        method,
        [&](Tensor& used) -> std::unique_ptr<train::HeadModes> {
          used = heads_full.to(at::kDouble);
          return std::make_unique<train::GivenModes>(world_.mask, heads_full, model_.attention_blocks());
        },
        task, position);
  }

  void test_routed(const std::string& method, train::RoutedModes& modes, const StepCost& cost) {
    const at::NoGradGuard no_grad;
    for (const std::string& position : world_.positions) {
      const RouterData data = test_data(position);
      std::vector<Tensor> y, full;
      for (std::int64_t at = 0; at < data.size(); at += train::kRoutedRows) {
        y.push_back(
            routed_logits(model_, data.x.narrow(0, at, std::min(train::kRoutedRows, data.size() - at)), &modes));
        full.push_back(modes.full());
      }
      report(method, position, data, at::cat(y, 0), at::cat(full, 0), cost, {});
    }
  }

  // modes that do not depend on the sequence; a null one is dense
  template <class MakeModes>
  void test(const std::string& method, MakeModes make, const std::string& task = {}, const std::string& only = {}) {
    const at::NoGradGuard no_grad;
    Tensor used = at::ones({1, heads()}, at::kDouble);
    const std::unique_ptr<train::HeadModes> modes = make(used);
    const StepCost cost = task.empty() ? timed({.full = chosen_heads(used)}) : StepCost{};
    for (const std::string& position : world_.positions) {
      if (!only.empty() && position != only) continue;
      const RouterData data = test_data(position);
      std::vector<Tensor> y;
      for (std::int64_t at = 0; at < data.size(); at += train::kRoutedRows) {
        y.push_back(
            routed_logits(model_, data.x.narrow(0, at, std::min(train::kRoutedRows, data.size() - at)), modes.get()));
      }
      report(method, position, data, at::cat(y, 0), used.expand({data.size(), heads()}), cost, task);
    }
  }
  static std::vector<bool> chosen_heads(const Tensor& used) {
    const Tensor flat = used.reshape({-1}).to(at::kDouble).contiguous();
    std::vector<bool> full;
    for (std::int64_t i = 0; i < flat.numel(); ++i) full.push_back(flat.data_ptr<double>()[i] > 0.5);
    return full;
  }

  RouterData test_data(const std::string& position) const {
    return world_.draw(options_.on_validation ? kValidationSeed : kTestSeed, tests_, length_, position);
  }

  void report(const std::string& method, const std::string& position, const RouterData& data, const Tensor& y,
              const Tensor& full, const StepCost& cost, const std::string& only) {
    const Tensor hits = train::label_hits(y, data.target), labels = train::label_count(data.target),
                 nats = train::label_loss(y, data.target);
    for (std::size_t task = 0; task < world_.tasks.size(); ++task) {
      if (!only.empty() && world_.tasks[task] != only) continue;
      const Tensor rows = (data.task == static_cast<std::int64_t>(task)).nonzero().squeeze(1);
      const RouterLine line = {.part = options_.part,
                               .backbone = std::filesystem::path(options_.model).stem(),
                               .method = method,
                               .setting = options_.setting,
                               .task = world_.tasks[task],
                               .position = position,
                               .seed = options_.seed,
                               .command = record_.command,
                               .commit = record_.commit,
                               .hits = hits.index_select(0, rows),
                               .labels = labels.index_select(0, rows),
                               .nats = nats.index_select(0, rows),
                               .full = full.index_select(0, rows),
                               .cost = cost};
      append(options_.journal, line);
      table_ += fmt::format("| {:<16} | {:<10} | {:<6} | {:.4f} | {:.4f} | {:.3f} |\n", method, line.task, position,
                            train::mean_hits(line.hits, line.labels), line.nats.mean().item<double>(),
                            1 - line.full.mean().item<double>());
    }
  }

  int heads() const { return train::head_count(model_); }

  const RouterOptions& options_;
  RouterWorld world_;
  const TrainingRecord& record_;
  ModelFile file_;  // for the engine, with the mask that is asked for
  train::SequenceModel model_;
  int length_ = 0, sequences_ = 0, tests_ = 0;
  command_line::Bar bar_;
  std::string table_ =
      "| method | task | position | accuracy | nats per label | sparse share |\n| --- | --- | --- | --: | --: | --: "
      "|\n";
};

void declare_study(command_line::Command& command, RouterOptions& o, const RouterWorld& world) {
  std::vector<std::string> positions = world.positions;
  if (positions.size() > 1) {
    positions.insert(positions.begin(), "any");
    command.option("--position", o.position, "of the instruction, in the sequences to learn from")
        .one_of(positions)
        .only_with("--method", method_names());
  }
  command.option("--length", o.length, "steps of a sequence; 0: as usual").range(0, 1 << 16);
  command.option("--sequences", o.sequences, "to learn from, per task; 0: as usual").range(0, 1e6);
  command.option("--sink", o.sink, "steps at the begin that a streaming head sees; -1: as usual").range(-1, 1 << 20);
  command.option("--local", o.local, "steps of its window; 0: as usual").range(0, 1 << 20);
  command.option("--tests", o.tests, "test sequences per task and position; 0: as usual").range(0, 1e6);
  command.flag("--on-validation", o.on_validation, "test on sequences that no table shows, to choose settings by");
  command.option("--exhaustive", o.exhaustive, "full heads up to which all subsets are tried")
      .range(0, 16)
      .only_with("--method", {"static"});
  command.option("--journal", o.journal, "append what the tests show to this file").type("FILE");
  command.option("--part", o.part, "of the study, for the journal");
  command.option("--setting", o.setting, "what is varied, for the journal");
}

// what single methods use; the others refuse it
void declare_methods(command_line::Command& command, train::RouterTraining& t,
                     const std::vector<std::string>& trained) {
  const std::vector<std::string> drawn = {"paper", "released", "price"};
  command.option("--epsilon", t.epsilon, "nats per label that a full head must save")
      .above(0)
      .only_with("--method", {"examples"});
  command.option("--most-full", t.most_full, "full heads of an example; 0: half of all")
      .range(0, 4096)
      .only_with("--method", {"examples"});
  command.option("--steps", t.steps, "0: as the method has it").range(0, 1e6).only_with("--method", trained);
  command.option("--rate", t.rate, "largest learning rate").above(0).only_with("--method", trained);
  command.option("--price", t.price, "nats per label that all heads together cost")
      .at_least(0)
      .only_with("--method", {"price"});
  command.option("--first-temperature", t.first_temperature, "of drawn choices; 0: as the method has it")
      .at_least(0)
      .only_with("--method", drawn);
  command.option("--last-temperature", t.last_temperature, "at the end; 0: as the method has it")
      .at_least(0)
      .only_with("--method", drawn);
  command.option("--multiplier-rate", t.multiplier_rate, "0: as the method has it")
      .at_least(0)
      .only_with("--method", {"paper", "released"});
}

}  // namespace

void declare(command_line::Command& command, RouterOptions& o, const RouterWorld& world) {
  std::vector<std::string> methods = method_names();
  methods.emplace_back("static");
  command.option("--model", o.model, "the frozen model whose heads are routed").required().type("FILE");
  command.option("--method", o.method, "how it is trained; static: no router, a search for fixed heads")
      .one_of(methods);
  const std::vector<std::string> trained = method_names();
  command.option("--pooling", o.pooling, "what a router sees of its layer's keys")
      .one_of(kPoolings)
      .only_with("--method", trained);
  command.option("--seed", o.seed, "of sequences, weights and noise");
  command.option("--threads", o.threads, "0: all cores").range(0, 1024);
  command.option("-o,--output", o.output, "router file to write, for StreamOptions::router")
      .type("FILE")
      .only_with("--method", trained);
  declare_methods(command, o.training, trained);
  declare_study(command, o, world);
}

int run_router(const RouterOptions& options, const RouterWorld& world, const TrainingRecord& record) {
  keep_pages();
  if (options.threads > 0) at::set_num_threads(options.threads);
  return RouterRun(options, world, record).run();
}

}  // namespace elastane::lab
