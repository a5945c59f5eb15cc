#include "elastane/train/trainer.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "elastane/io/json.h"

namespace elastane::train {

using at::Tensor;

namespace {
constexpr std::int64_t kHeldOutChunk = 512;   // steps of held-out series at once
constexpr std::int64_t kHeldOutStreams = 64;  // series at once
constexpr const char* kKey = "train";         // of a checkpoint's metadata

Result<Counters> read_counters(const Checkpoint& checkpoint, std::int64_t steps) {
  const auto text = checkpoint.metadata.find(kKey);
  const auto json = text == checkpoint.metadata.end() ? Result<nlohmann::json>(Error{}) : parse_json(text->second);
  if (!json || !json->is_object()) {
    return Error{"[checkpoint] expected metadata \"train\", found none; this is not a checkpoint of a training run"};
  }
  Counters found;
  const std::pair<const char*, std::int64_t*> counts[] = {{"step", &found.step},
                                                          {"best_step", &found.best_step},
                                                          {"without_progress", &found.without_progress},
                                                          {"since", &found.since}};
  for (const auto& [key, to] : counts) {
    const nlohmann::json count = json->value(key, nlohmann::json());
    if (!count.is_number_unsigned() || count > steps) {
      return Error{std::string("[checkpoint] ") + key + ": expected 0 to " + std::to_string(steps) + ", found " +
                   count.dump()};
    }
    *to = count.get<std::int64_t>();
  }
  const nlohmann::json losses = json->value("losses", nlohmann::json()),
                       best = json->value("best_loss", nlohmann::json());
  if (losses.is_number()) found.losses = losses.get<double>();
  if (best.is_number()) found.best_loss = best.get<double>();  // null before the first validation
  return found;
}

}  // namespace

Trainer::Trainer(const SequenceModel& model, const Dataset& learn, const Dataset& held_out,
                 const TrainerOptions& options, Peers& peers)
    : model_(&model),
      held_out_(&held_out),
      options_(options),
      peers_(&peers),
      sampler_(learn, options.sampler),
      adamw_(model.weights(), model.config(), options.adamw) {
  if (options.sampler.batch < peers.ranks()) {
    throw std::runtime_error("[train] expected at least one stream for each of " + std::to_string(peers.ranks()) +
                             " ranks, found a batch of " + std::to_string(options.sampler.batch));
  }
  const SamplerOptions& sampler = options.sampler;
  if (sampler.warm_up >= sampler.length * (sampler.carry + 1)) {
    throw std::runtime_error("[train] a warm-up of " + std::to_string(sampler.warm_up) + " steps leaves nothing of " +
                             std::to_string(sampler.length * (sampler.carry + 1)) +
                             " to be judged; make it shorter, or length or carry larger");
  }
  for (const Tensor& w : model.weights().values()) best_.push_back(w.detach().clone());
  state_ = model.start(first_stream(peers.rank() + 1) - first_stream(peers.rank())).detached();
}

void Trainer::synchronise() {
  std::vector<Tensor> all = model_->weights().values();
  for (const NamedTensor& moment : adamw_.moments()) all.push_back(moment.value);
  peers_->copy_first(all);
}

TrainStep Trainer::step() {
  const std::int64_t first = first_stream(peers_->rank()), count = first_stream(peers_->rank() + 1) - first;
  const Batch batch = sampler_.next(first, count);
  const SequenceState start = state_.where(batch.fresh, model_->start(count));
  const Forward forward = model_->forward(batch.inputs, start);
  const LossSum part = loss(options_.loss, forward.y, batch.target);

  // the mean over the targets of all processes
  const Tensor totals = at::stack({part.sum.detach().to(at::kDouble), part.count});
  peers_->sum({totals});
  const double targets = std::max(totals[1].item<double>(), 1.0);
  TrainStep done = {.step = step_ + 1, .loss = totals[0].item<double>() / targets};
  if (!std::isfinite(done.loss)) {
    throw Diverged("[train] the loss is not finite at step " + std::to_string(done.step) + "; lower the rate (now " +
                   std::to_string(options_.rate) + "), or look for outliers in the data");
  }
  (part.sum / targets).backward();
  std::vector<Tensor> gradients;
  for (const Tensor& w : model_->weights().values()) {
    if (w.grad().defined()) gradients.push_back(w.grad());
  }
  peers_->sum(gradients);
  done.rate = options_.rate * options_.schedule(step_);
  done.gradient_norm = adamw_.step(done.rate);
  model_->constrain();
  if (!std::isfinite(done.gradient_norm)) {
    throw Diverged("[train] the gradient is not finite at step " + std::to_string(done.step) +
                   "; lower the rate (now " + std::to_string(options_.rate) + ")");
  }
  state_ = forward.state.detached();
  ++step_, ++since_;
  losses_ += done.loss;
  return done;
}

// f(y, target) for every chunk of this process's share of the series, state carried from their beginning
template <class F>
void Trainer::over_held_out(F f) const {
  const at::NoGradGuard no_grad;
  const auto all = static_cast<std::int64_t>(held_out_->size());
  const std::int64_t first = all * peers_->rank() / peers_->ranks(),
                     last = all * (peers_->rank() + 1) / peers_->ranks();
  for (std::int64_t begin = first; begin < last;) {
    // neighbours of equal length go together
    std::int64_t end = begin + 1;
    const Series& like = (*held_out_)[begin];
    while (end < last && end - begin < kHeldOutStreams && (*held_out_)[end].length() == like.length() &&
           (*held_out_)[end].dt.defined() == like.dt.defined()) {
      ++end;
    }
    const auto stacked = [&](auto part) {
      std::vector<Tensor> rows;
      for (std::int64_t i = begin; i < end; ++i) rows.push_back(part((*held_out_)[i]));
      return at::stack(rows, 0);
    };
    const Tensor x = stacked([](const Series& s) { return s.x; });
    const Tensor target = stacked([](const Series& s) { return s.target; });
    const std::int64_t unjudged = std::min(options_.sampler.warm_up, like.length());
    if (unjudged > 0) target.narrow(1, 0, unjudged).fill_(NAN);  // stacked, so a copy
    const Tensor dt = like.dt.defined() ? stacked([](const Series& s) { return s.dt; }) : Tensor();
    SequenceState state = model_->start(end - begin);
    for (std::int64_t t = 0; t < like.length(); t += kHeldOutChunk) {
      const std::int64_t rows = std::min(kHeldOutChunk, like.length() - t);
      const Sequences chunk = {x.narrow(1, t, rows), {}, dt.defined() ? dt.narrow(1, t, rows) : Tensor()};
      Forward forward = model_->forward(chunk, state);
      state = std::move(forward.state);
      f(forward.y, target.narrow(1, t, rows));
    }
    begin = end;
  }
}

Validation Trainer::validate() {
  Tensor sum = at::zeros({}, at::kDouble), count = at::zeros({}, at::kDouble);
  over_held_out([&](const Tensor& y, const Tensor& target) {
    const LossSum part = loss(options_.loss, y, target);
    sum += part.sum.to(at::kDouble);
    count += part.count;
  });
  peers_->sum({sum, count});
  if (count.item<double>() == 0) {
    throw std::runtime_error("[train] no target of the held-out data is left after a warm-up of " +
                             std::to_string(options_.sampler.warm_up) + " steps; make it shorter");
  }
  Validation found = {.step = step_,
                      .loss = sum.item<double>() / count.item<double>(),
                      .learned = since_ > 0 ? losses_ / static_cast<double>(since_) : 0.0};
  since_ = 0, losses_ = 0;
  if (!std::isfinite(found.loss)) {
    throw Diverged("[train] the held-out loss is not finite at step " + std::to_string(step_) +
                   "; lower the rate (now " + std::to_string(options_.rate) + ")");
  }
  found.best = found.loss < best_loss_;
  without_progress_ = found.best ? 0 : without_progress_ + 1;
  if (found.best) {
    best_loss_ = found.loss;
    best_step_ = step_;
    const std::vector<Tensor> weights = model_->weights().values();
    for (std::size_t i = 0; i < weights.size(); ++i) best_[i] = weights[i].detach().clone();
  }
  return found;
}

std::vector<elastane::Tensor> Trainer::best() const {
  std::vector<elastane::Tensor> tensors;
  for (std::size_t i = 0; i < best_.size(); ++i) tensors.push_back(to_file(model_->weights().all()[i].name, best_[i]));
  return tensors;
}

std::vector<double> Trainer::measure_noise() {
  const at::NoGradGuard no_grad;
  // with the best weights in place, and the last ones back afterwards
  std::vector<Tensor> weights = model_->weights().values(), last;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    last.push_back(weights[i].clone());
    weights[i].copy_(best_[i]);
  }
  NoiseSums sums = {at::zeros({model_->config().outputs}, at::kDouble),
                    at::zeros({model_->config().outputs}, at::kDouble)};
  over_held_out([&](const Tensor& y, const Tensor& target) {
    const NoiseSums part = noise_sums(y, target);
    sums.squares += part.squares;
    sums.counts += part.counts;
  });
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i].copy_(last[i]);
  peers_->sum({sums.squares, sums.counts});
  return noise(sums);
}

Checkpoint Trainer::checkpoint() {
  Checkpoint c;
  const nlohmann::json counters = {
      {"step", step_},   {"best_step", best_step_}, {"without_progress", without_progress_},
      {"since", since_}, {"losses", losses_},       {"best_loss", best_loss_}};  // null before the first validation
  c.metadata[kKey] = counters.dump();
  for (std::size_t i = 0; i < best_.size(); ++i) {
    const NamedTensor& weight = model_->weights().all()[i];
    c.tensors.push_back({weight.name, weight.value.detach().clone()});
    c.tensors.push_back({"best." + weight.name, best_[i].clone()});
  }
  for (const NamedTensor& moment : adamw_.moments()) c.tensors.push_back({moment.name, moment.value.clone()});
  if (options_.sampler.carry == 0) return c;  // every batch starts from zero
  // streams of all processes: each puts its own where they belong, and zeros elsewhere
  SequenceState state = state_;
  int number = 0;
  state.each([&](const Tensor& own) {
    std::vector<std::int64_t> shape = own.sizes().vec();
    shape[0] = options_.sampler.batch;
    const Tensor all = at::zeros(shape, own.options());
    all.narrow(0, first_stream(peers_->rank()), own.size(0)).copy_(own);
    peers_->sum({all});
    c.tensors.push_back({"state." + std::to_string(number++), all});
  });
  return c;
}

Status Trainer::restore(const Checkpoint& c) {
  // look at everything before touching anything
  std::vector<std::pair<Tensor, Tensor>> copies;  // to, from
  std::string misfit;
  const auto plan = [&](const std::string& name, const Tensor& to) {
    const Tensor* from = c.find(name);
    if (from == nullptr || from->sizes() != to.sizes() || from->scalar_type() != to.scalar_type()) {
      if (misfit.empty()) misfit = name;
    } else {
      copies.emplace_back(to, *from);
    }
  };
  for (std::size_t i = 0; i < best_.size(); ++i) {
    const NamedTensor& weight = model_->weights().all()[i];
    plan(weight.name, weight.value);
    plan("best." + weight.name, best_[i]);
  }
  for (const NamedTensor& moment : adamw_.moments()) plan(moment.name, moment.value);
  SequenceState whole = model_->start(options_.sampler.batch).detached();
  int number = 0;
  whole.each([&](Tensor& t) {
    t = t.contiguous().clone();
    if (options_.sampler.carry > 0) plan("state." + std::to_string(number++), t);
  });
  if (!misfit.empty()) {
    return Error{"[checkpoint] " + misfit + " is missing or of another shape; this is the checkpoint of another model"};
  }
  const auto counters = read_counters(c, options_.schedule.steps);
  if (!counters) return Error{counters.error()};

  const at::NoGradGuard no_grad;
  for (const auto& [to, from] : copies) to.copy_(from);
  const std::int64_t first = first_stream(peers_->rank()), count = state_.streams();
  whole.each([&](Tensor& t) { t = t.narrow(0, first, count).clone(); });
  state_ = whole;
  set(*counters);
  return {};
}

void Trainer::set(const Counters& counters) {
  step_ = counters.step;
  best_step_ = counters.best_step;
  without_progress_ = counters.without_progress;
  since_ = counters.since;
  losses_ = counters.losses;
  best_loss_ = counters.best_loss;
  adamw_.set_steps(step_);
  sampler_.seek(step_);
}

}  // namespace elastane::train
