#include "lab/training/run.h"

#include <ATen/Parallel.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <thread>

#include "elastane/core/base/checksum.h"
#include "elastane/io/config_json.h"
#include "elastane/io/model_file.h"
#include "lab/training/keep_pages.h"
#include "lab/training/progress.h"
#include "lab/training/run_folder.h"

namespace elastane::lab {
namespace {

std::atomic<bool> interrupted = false;  // by Ctrl-C

class Run {
 public:
  Run(const TrainingTask& task, const RunOptions& options)
      : task_(task),
        options_(options),
        peers_(options.peers),
        folder_(options.folder, record(), options.resume, peers_.first()),
        model_(train::SequenceModel::create(task.config, start_weights(), at::kFloat,
                                            options.init.empty() ? "fresh weights" : options.init)
                   .value()),
        trainer_(model_, task.learn, task.held_out, task.options, peers_) {}

  int train() {
    resume();
    const std::string options = record()["options"].dump();
    peers_.check_same(hash64(std::as_bytes(std::span(options))), "options or data");
    peers_.check_same(static_cast<std::uint64_t>(trainer_.steps_done()), "checkpoints");
    trainer_.synchronise();  // only after the check that all have the same tensors
    Progress progress(trainer_.steps_done(), task_.options.schedule.steps, peers_.first());
    progress.line(fmt::format("{}: {} weights, {} threads{}, {}", task_.name, model_.weights().count(),
                              at::get_num_threads(),
                              peers_.ranks() > 1 ? fmt::format(", {} ranks", peers_.ranks()) : "", folder_.path()));
    double held_out = NAN;
    while (!trainer_.finished()) {
      if (peers_.any(interrupted)) return stop(progress);
      const train::TrainStep step = trainer_.step();
      if (trainer_.validation_due()) {
        const train::Validation v = trainer_.validate();
        held_out = v.loss;
        folder_.add({step.step, v.learned, v.loss, step.rate, step.gradient_norm, seconds()});
        progress.line(fmt::format("step {:>6}  loss {:.6g}  held out {:.6g}{}", step.step, v.learned, v.loss,
                                  v.best ? "  best" : ""));
        if (v.best) save_model_to(folder_.model_path());
      }
      if (step.step % options_.checkpoint_every == 0) save();
      progress.update(step.step, step.loss, held_out);
    }
    finish(progress);
    return 0;
  }

 private:
  using Clock = std::chrono::steady_clock;

  nlohmann::ordered_json record() const {
    return {{"command", options_.record.command},
            {"version", options_.record.version},
            {"commit", options_.record.commit},
            {"seed", options_.seed},
            {"threads", at::get_num_threads()},
            {"ranks", options_.peers.ranks},
            {"options",
             {{"task", task_.name},
              {"data", task_.description},
              {"training", to_json(task_.options)},
              {"init", options_.init.empty() ? options_.onto : options_.init},
              {"model", nlohmann::ordered_json::parse(config_to_json(task_.config))}}}};
  }

  std::vector<Tensor> start_weights() const {
    if (!options_.onto.empty()) return grown_weights();
    if (options_.init.empty()) return random_tensors(task_.config, options_.seed);
    ModelFile file = read_model(options_.init).value();
    return std::move(file.tensors);
  }

  // of a model that the file's is a part of
  std::vector<Tensor> grown_weights() const {
    std::vector<Tensor> tensors = random_tensors(task_.config, options_.seed);
    for (Tensor& own : read_model(options_.onto).value().tensors) {
      const auto place = std::ranges::find(tensors, own.name, &Tensor::name);
      if (place == tensors.end() || place->shape != own.shape) {
        throw std::runtime_error(
            fmt::format("[model] {}: {} has no place in the model to train", options_.onto, own.name));
      }
      place->values = std::move(own.values);
    }
    return tensors;
  }

  void resume() {
    if (!options_.resume || !folder_.has_checkpoint()) return;
    const train::Checkpoint checkpoint = train::load_checkpoint(folder_.checkpoint_path()).value();
    if (const Status status = trainer_.restore(checkpoint); !status) {
      throw std::runtime_error(fmt::format("{} (in {})", status.error(), folder_.checkpoint_path()));
    }
    earlier_ = folder_.continue_from(trainer_.steps_done());
  }

  double seconds() const { return earlier_ + std::chrono::duration<double>(Clock::now() - begin_).count(); }

  // all ranks gather it, the first writes it
  void save() {
    const train::Checkpoint checkpoint = trainer_.checkpoint();
    if (peers_.first()) train::save_checkpoint(folder_.checkpoint_path(), checkpoint).value();
    peers_.any(false);  // no rank continues or ends before it is written
  }

  void save_model_to(const std::string& path, const std::vector<double>& noise = {}) const {
    if (!peers_.first()) return;
    ModelConfig config = task_.config;
    config.noise = noise;
    std::map<std::string, std::string> metadata = task_.metadata;
    metadata["trained"] =
        fmt::format("{}, seed {}, step {}, held-out loss {:.6g}, commit {}", task_.name, options_.seed,
                    trainer_.best_step(), trainer_.best_loss(), options_.record.commit);
    metadata["command"] = options_.record.command;
    save_model(path, config, trainer_.best(), metadata).value();
  }

  int stop(Progress& progress) {
    save();
    progress.line(
        fmt::format("stopped at step {}; the checkpoint is written, continue with --resume", trainer_.steps_done()));
    return 130;
  }

  void finish(Progress& progress) {
    const std::vector<double> noise = trainer_.measure_noise();
    save();
    save_model_to(folder_.model_path(), noise);
    if (!options_.output.empty()) save_model_to(options_.output, noise);
    const std::string where = options_.output.empty() ? folder_.model_path() : options_.output;
    progress.line(fmt::format("{} in {}: held-out loss {:.6g} at step {}, noise {:.3g} to {:.3g}; the model is {}",
                              trainer_.stopped_early() ? "stopped early" : "done", duration(seconds()),
                              trainer_.best_loss(), trainer_.best_step(), *std::ranges::min_element(noise),
                              *std::ranges::max_element(noise), where));
  }

  const TrainingTask& task_;
  const RunOptions& options_;
  train::Peers peers_;
  RunFolder folder_;
  train::SequenceModel model_;
  train::Trainer trainer_;
  Clock::time_point begin_ = Clock::now();
  double earlier_ = 0;  // seconds before the last interruption
};

// fail now, not after hours
void check_writable(const std::string& output) {
  if (output.empty()) return;
  std::filesystem::path folder = std::filesystem::path(output).parent_path();
  if (folder.empty()) folder = ".";
  if (::access(folder.c_str(), W_OK) != 0) {
    throw std::runtime_error(fmt::format("[train] cannot write {}: {}", output, std::strerror(errno)));
  }
}

}  // namespace

nlohmann::ordered_json to_json(const train::TrainerOptions& o) {
  return {{"seed", o.sampler.seed},
          {"steps", o.schedule.steps},
          {"batch", o.sampler.batch},
          {"length", o.sampler.length},
          {"carry", o.sampler.carry},
          {"warm_up", o.sampler.warm_up},
          {"classes", o.sampler.classes},
          {"rate", o.rate},
          {"schedule", train::kScheduleNames[static_cast<std::size_t>(o.schedule.kind)]},
          {"rate_warm_up", o.schedule.warm_up},
          {"decay", o.adamw.decay},
          {"clip", o.adamw.clip},
          {"loss", train::to_string(o.loss)},
          {"validate_every", o.validate_every},
          {"patience", o.patience}};
}

int run_training(const TrainingTask& task, const RunOptions& options) {
  const auto cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  const int shared = options.local_ranks ? options.peers.ranks : 1;
  at::set_num_threads(options.threads > 0 ? options.threads : std::max(1, cores / shared));
  validate(task.config).value();
  check(task.learn, task.config, task.name + ", to learn from").value();
  check(task.held_out, task.config, task.name + ", held out").value();
  check_writable(options.output);
  keep_pages();
  for (const int signal : {SIGINT, SIGTERM}) {
    std::signal(signal, [](int again) {
      interrupted = true;
      std::signal(again, SIG_DFL);  // a second one ends the program at once
    });
  }
  return Run(task, options).train();
}

}  // namespace elastane::lab
