// Real-time code only.
// The verbs of a step. What may allocate or fail is in stream_setup.cpp.
#include "elastane/core/stream/stream.h"

#include <cmath>
#include <cstring>

#include "elastane/core/base/clock.h"
#include "elastane/core/objective/gaussian.h"
#include "elastane/core/stream/stream_engine.h"

namespace elastane {

void StreamEngine::take_step(const Sample& sample, AdvanceReport& report) {
  const Network& network = model_.network();
  std::byte* state = state_.data();
  history_.push(network, state);
  if (correction_) correction_->before_step(state);
  if (guard_) {
    // both in one tile: weights are read once
    const Sample samples[] = {sample, sample};
    std::byte* const states[] = {state, guard_->twin(state)};
    twin_history_.push(network, states[1]);
    elastane::advance(network, samples, states, true, workspace_, report, routing_.options());
    twin_history_.keep_changes(network, workspace_.slow_log[1]);
  } else {
    elastane::advance(network, {&sample, 1}, &state, true, workspace_, report, routing_.options());
  }
  history_.keep_changes(network, workspace_.slow_log[0]);
  if (correction_) correction_->after_step(state, workspace_.input[0], workspace_.row[0].dt, mutable_output());
  if (!guard_) return;
  guard_->begin_step(state, row_output(0), row_output(1));
  publish();
}

void StreamEngine::publish() { guard_->publish(state_.data(), row_output(0), row_output(1)); }

AdvanceReport StreamEngine::advance(std::span<const float> x, std::span<const std::uint8_t> present, float dt) {
  AdvanceReport report = begin_report(workspace_);
  const Sample sample{x, present, dt};
  take_step(sample, report);
  labels_.keep(position(), sample);
  return report;
}

void StreamEngine::advance_together(std::span<StreamEngine* const> streams, std::span<const Sample> samples,
                                    Workspace& workspace, AdvanceReport& report) {
  const Network& network = streams[0]->model_.network();
  std::byte* states[kFleetRows] = {};
  for (std::size_t i = 0; i < streams.size(); ++i) {
    StreamEngine& stream = *streams[i];
    states[i] = stream.state_.data();
    stream.history_.push(network, states[i]);
    if (stream.correction_) stream.correction_->before_step(states[i]);
  }
  elastane::advance(network, samples, states, true, workspace, report, streams[0]->routing_.options());
  for (std::size_t i = 0; i < streams.size(); ++i) {
    StreamEngine& stream = *streams[i];
    const auto row = static_cast<int>(i);
    stream.history_.keep_changes(network, workspace.slow_log[row]);
    const std::span<float> output = stream.mutable_output();
    std::memcpy(output.data(), workspace.output[row], output.size_bytes());
    if (stream.correction_) {
      stream.correction_->after_step(states[i], workspace.input[row], workspace.row[row].dt, output);
    }
    stream.labels_.keep(stream.position(), samples[i]);
  }
}

// rows of one stream through the stack together; the correction sees the last one only
void StreamEngine::advance_tile(std::span<const Sample> samples, AdvanceReport& report) {
  std::byte* states[kChunkRows];
  for (std::size_t r = 0; r < samples.size(); ++r) states[r] = state_.data();
  elastane::advance(model_.network(), samples, states, false, workspace_, report, routing_.options());
  const auto last = static_cast<int>(samples.size()) - 1;
  if (correction_) correction_->after_step(states[0], workspace_.input[last], workspace_.row[last].dt, {});
}

AdvanceReport StreamEngine::advance_chunk(std::span<const float> x, std::span<float> y) {
  const auto inputs = static_cast<std::size_t>(model_.inputs()), outputs = static_cast<std::size_t>(model_.outputs());
  const int rows = static_cast<int>(x.size() / inputs);
  // with a history, or where derivatives are carried along, every step is taken on its own
  const bool one_by_one = history_.depth() > 0 || guard_ || (correction_ && correction_->carries());
  const int tile = one_by_one ? 1 : workspace_.capacity();
  AdvanceReport report = begin_report(workspace_);
  Sample samples[kChunkRows];
  for (int first = 0; first < rows; first += tile) {
    const int count = rows - first < tile ? rows - first : tile;
    for (int r = 0; r < count; ++r) samples[r] = {x.subspan((first + r) * inputs, inputs), {}, 1.0F};
    if (one_by_one) {
      take_step(samples[0], report);
      labels_.keep(position(), samples[0]);
    } else {
      advance_tile({samples, static_cast<std::size_t>(count)}, report);
    }
    for (int r = 0; r < count; ++r) {
      const std::size_t at = (first + r) * outputs;
      const float* made = guard_ ? output().data() : workspace_.output[r];
      if (at + outputs <= y.size()) std::memcpy(y.data() + at, made, sizeof(float) * outputs);
    }
    if (count > 1) std::memcpy(workspace_.output[0], workspace_.output[count - 1], sizeof(float) * outputs);
  }
  return report;
}

AdvanceReport StreamEngine::prefill(std::span<const float> x, std::span<float> y, const PrefillOptions& options) {
  const bool whole = x.size() >= static_cast<std::size_t>(model_.inputs());
  const bool one_by_one = guard_ || (correction_ && correction_->carries());
  if (prefill_.capacity() == 0 || !whole || one_by_one) return advance_chunk(x, y);
  AdvanceReport report = begin_report(workspace_);
  const int last = elastane::prefill(model_.network(), x, y, state_.data(), options, routing_.options(), workspace_,
                                     prefill_, report);
  if (last > 0) std::memcpy(workspace_.output[0], workspace_.output[last], output().size_bytes());
  if (correction_) correction_->after_step(state_.data(), workspace_.input[last], workspace_.row[last].dt, {});
  history_.clear();
  return report;
}

HeadMode StreamEngine::head_mode(int block, int key_head) const {
  const Network& network = model_.network();
  if (block < 0 || static_cast<std::size_t>(block) >= network.layers.size()) return HeadMode::full;
  const auto* attention = std::get_if<Attention>(&network.layers[block].block);
  if (attention == nullptr || !attention->elastic() || key_head < 0 || key_head >= attention->shape.kv_heads) {
    return HeadMode::full;
  }
  return attention->pools().mode(reinterpret_cast<const float*>(state_.data() + network.layout.dense), key_head);
}

std::span<const float> StreamEngine::output() const { return guard_ ? guard_->spoken() : row_output(0); }

std::span<const float> StreamEngine::row_output(int row) const {
  return {workspace_.output[guard_ ? row : 0], static_cast<std::size_t>(model_.network().config.outputs)};
}

std::span<float> StreamEngine::mutable_output() {
  return {workspace_.output[0], static_cast<std::size_t>(model_.network().config.outputs)};
}

std::span<const double> StreamEngine::persistent() const {
  return correction_ ? correction_->persistent(state_.data()) : std::span<const double>();
}

StepReport StreamEngine::refuse(Stop why) const {
  StepReport report;
  report.stop = why;
  report.metric = metric();
  return report;
}

void StreamEngine::anticipate() {
  if (!correction_ || position() == 0) return;
  if (labels_.depth() > 0) labels_.at(position()).anticipated = true;
  correction_->anticipate(state_.data());
}

StepReport StreamEngine::correct(const Objective& objective, const Budget& budget) {
  if (!correction_) return refuse(Stop::no_corrector);
  if (position() == 0) return refuse(Stop::no_such_step);
  if (labels_.depth() > 0) labels_.at(position()).corrected = LateLabels::Corrected::by_objective;
  return correct_guarded(objective, budget);
}

// the guard judges both predictions before the correction
StepReport StreamEngine::correct_guarded(const Objective& objective, const Budget& budget) {
  std::byte* state = state_.data();
  if (!guard_) return correction_->correct(state, objective, budget, mutable_output());
  const GuardReport judged = guard_->judge(state, objective);
  StepReport report = correction_->correct(state, objective, budget, mutable_output());
  report.guard = judged;
  guard_->keep_adapted(state, row_output(0));
  publish();
  return report;
}

StepReport StreamEngine::step(std::span<const float> x, const Objective& objective, const Budget& budget) {
  const double begun = now_micros();
  const AdvanceReport advanced = advance(x, {}, 1.0F);
  const double took = now_micros() - begun;
  StepReport report = correct(objective, budget);
  report.macs[static_cast<int>(Stage::advance)] = advanced.macs;
  report.micros[static_cast<int>(Stage::advance)] = took;
  report.elapsed += took;
  return report;
}

StepReport StreamEngine::correct_towards(std::span<const float> label, const Budget& budget) {
  const Target target{.values = label, .noises = noise_, .noise = noise_.back()};
  return correct_guarded(Gaussian(target), budget);
}

// may the steps from `at` on be taken again?
std::optional<Stop> StreamEngine::replay_obstacle(std::uint64_t at) {
  const std::uint64_t now = position();
  if (now - at + 1 > static_cast<std::uint64_t>(history_.kept())) return Stop::too_late;
  for (std::uint64_t s = at; s <= now; ++s) {
    if (labels_.at(s).corrected == LateLabels::Corrected::by_objective) return Stop::not_replayable;
  }
  return std::nullopt;
}

void StreamEngine::take_back(int steps) {
  for (int i = 0; i < steps; ++i) {
    history_.pop(model_.network(), state_.data());
    if (guard_) twin_history_.pop(model_.network(), guard_->twin(state_.data()));
  }
}

// back to before step `at`, then all steps since, with their inputs and labels
StepReport StreamEngine::replay_from(std::uint64_t at) {
  const std::uint64_t now = position();
  take_back(static_cast<int>(now - at + 1));
  StepReport report;
  for (std::uint64_t s = at; s <= now; ++s) {
    const LateLabels::Entry step = labels_.at(s);
    AdvanceReport advanced = begin_report(workspace_);
    take_step({step.x, step.present, step.dt}, advanced);
    if (step.anticipated) correction_->anticipate(state_.data());  // it counts in a budget
    if (step.corrected != LateLabels::Corrected::by_label) continue;
    const StepReport corrected = correct_towards(step.label, step.budget);
    if (s == at) report = corrected;
  }
  return report;
}

StepReport StreamEngine::observe(std::span<const float> label, std::uint64_t at, const Budget& budget) {
  const std::uint64_t now = position();
  if (!correction_) return refuse(Stop::no_corrector);
  if (at == 0 || at > now) return refuse(Stop::no_such_step);
  // a step that cannot be taken again can still be corrected, as long as it is the last one
  const bool repeatable = history_.kept() > 0 && labels_.at(now).corrected != LateLabels::Corrected::by_objective;
  if (at == now && !repeatable) return correct_towards(label, budget);
  if (const std::optional<Stop> obstacle = replay_obstacle(at)) return refuse(*obstacle);

  // the label joins what is known of its step
  const LateLabels::Entry entry = labels_.at(at);
  const bool repeats = at != now || entry.corrected == LateLabels::Corrected::by_label;
  for (std::size_t i = 0; i < entry.label.size() && i < label.size(); ++i) {
    if (std::fabs(label[i]) <= kLargestTarget) entry.label[i] = label[i];
  }
  entry.corrected = LateLabels::Corrected::by_label;
  entry.budget = budget;
  return repeats ? replay_from(at) : correct_towards(entry.label, budget);
}

void StreamEngine::reset() {
  restart();
  if (correction_) correction_->reset(state_.data());
  if (guard_) guard_->reset(state_.data());
}

void StreamEngine::restart() {
  const Network& network = model_.network();
  reset_state(network, state_.data());
  if (correction_) correction_->restart(state_.data());
  std::memset(workspace_.output[0], 0, sizeof(float) * workspace_.output.stride);
  history_.clear();
  if (!guard_) return;
  reset_state(network, guard_->twin(state_.data()));
  std::memset(workspace_.output[1], 0, sizeof(float) * workspace_.output.stride);
  twin_history_.clear();
  publish();
}

// the face of all that
AdvanceReport Stream::advance(std::span<const float> x, std::span<const std::uint8_t> present, float dt) {
  return engine_->advance(x, present, dt);
}
AdvanceReport Stream::advance_chunk(std::span<const float> x, std::span<float> y) {
  return engine_->advance_chunk(x, y);
}
AdvanceReport Stream::prefill(std::span<const float> x, std::span<float> y, const PrefillOptions& options) {
  return engine_->prefill(x, y, options);
}
HeadMode Stream::head_mode(int block, int key_head) const { return engine_->head_mode(block, key_head); }
std::span<const float> Stream::output() const { return engine_->output(); }
std::span<const float> Stream::frozen_output() const { return engine_->row_output(1); }
std::span<const float> Stream::adapted_output() const { return engine_->row_output(0); }
GuardReport Stream::guard() const { return engine_->guard_report(); }
bool Stream::has_guard() const { return engine_->guard().has_value(); }
StepReport Stream::correct(const Objective& objective, const Budget& budget) {
  return engine_->correct(objective, budget);
}
void Stream::anticipate() { engine_->anticipate(); }
StepReport Stream::step(std::span<const float> x, const Objective& objective, const Budget& budget) {
  return engine_->step(x, objective, budget);
}
StepReport Stream::observe(std::span<const float> label, std::uint64_t position, const Budget& budget) {
  return engine_->observe(label, position, budget);
}
std::uint64_t Stream::position() const { return engine_->position(); }
double Stream::time() const { return engine_->time(); }
const Model& Stream::model() const { return engine_->model(); }
Metric Stream::metric() const { return engine_->metric(); }
std::span<const double> Stream::persistent() const { return engine_->persistent(); }
std::uint64_t Stream::overruns() const { return has_corrector() ? engine_->correction()->overruns() : 0; }
bool Stream::has_corrector() const { return engine_->correction().has_value(); }
std::int64_t Stream::micro_step_macs() const { return has_corrector() ? engine_->correction()->micro_step_macs() : 0; }
void Stream::reset() { engine_->reset(); }
void Stream::restart() { engine_->restart(); }
int Stream::rewindable() const { return engine_->rewindable(); }
std::span<const std::byte> Stream::state() const { return engine_->state(); }

}  // namespace elastane
