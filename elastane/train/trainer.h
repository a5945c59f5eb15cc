// One training run: draw, forward, loss, back, step; from time to time a validation on held-out data.
//
//   Trainer trainer(model, learn, held_out, options, peers);
//   while (!trainer.finished()) {
//     trainer.step();
//     if (trainer.validation_due()) trainer.validate();
//   }
//
// Steps, the checkpoint between them, and the number of processes do not change what is learned: batches depend on the
// seed and the step alone, and processes share a batch by its streams.
#pragma once

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "elastane/train/adamw.h"
#include "elastane/train/checkpoint.h"
#include "elastane/train/data.h"
#include "elastane/train/loss.h"
#include "elastane/train/peers.h"
#include "elastane/train/schedule.h"
#include "elastane/train/sequence_model.h"

namespace elastane::train {

// the loss is not finite
struct Diverged : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct TrainerOptions {
  SamplerOptions sampler;
  std::vector<LossTerm> loss = {LossTerm{}};
  AdamWOptions adamw;
  Schedule schedule;   // its steps are the run's
  double rate = 3e-3;  // the largest
  std::int64_t validate_every = 50;
  std::int64_t patience = 0;  // validations without progress before the run ends early; 0: never
};

struct TrainStep {
  std::int64_t step = 0;  // steps done, this one included
  double loss = 0;        // mean over the batch's targets
  double gradient_norm = 0;
  double rate = 0;
};

struct Validation {
  std::int64_t step = 0;
  double loss = 0;
  double learned = 0;  // mean loss of the steps since the previous validation
  bool best = false;   // so far
};

// what a checkpoint keeps of a run besides tensors
struct Counters {
  std::int64_t step = 0, best_step = 0, without_progress = 0, since = 0;
  double losses = 0, best_loss = std::numeric_limits<double>::infinity();
};

class Trainer {
 public:
  // keeps references to both data sets
  Trainer(const SequenceModel& model, const Dataset& learn, const Dataset& held_out, const TrainerOptions& options,
          Peers& peers);

  TrainStep step();
  Validation validate();
  bool validation_due() const { return step_ % options_.validate_every == 0 || step_ == options_.schedule.steps; }
  bool finished() const { return step_ >= options_.schedule.steps || stopped_early(); }
  bool stopped_early() const { return options_.patience > 0 && without_progress_ >= options_.patience; }

  std::int64_t steps_done() const { return step_; }
  double best_loss() const { return best_loss_; }
  std::int64_t best_step() const { return best_step_; }

  // the best weights on held-out data, and their noise there, in closed form
  std::vector<elastane::Tensor> best() const;
  std::vector<double> measure_noise();

  // weights and moments become those of the first process; all processes must call it together
  void synchronise();

  // all processes must call it together
  Checkpoint checkpoint();
  // refuses a checkpoint of another model or run, and then changes nothing
  Status restore(const Checkpoint& checkpoint);

 private:
  template <class F>
  void over_held_out(F f) const;
  void set(const Counters& counters);
  std::int64_t first_stream(int rank) const { return options_.sampler.batch * rank / peers_->ranks(); }

  const SequenceModel* model_;
  const Dataset* held_out_;
  TrainerOptions options_;
  Peers* peers_;
  Sampler sampler_;
  AdamW adamw_;
  SequenceState state_;  // of this process's streams
  std::vector<at::Tensor> best_;
  std::int64_t step_ = 0, best_step_ = 0, without_progress_ = 0;
  std::int64_t since_ = 0;  // steps since the last validation
  double losses_ = 0;       // sum of their losses
  double best_loss_ = std::numeric_limits<double>::infinity();
};

}  // namespace elastane::train
