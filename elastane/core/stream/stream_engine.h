// The working parts of a Stream, hidden from its header: state, workspace, corrector, history, late labels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "elastane/core/latent/stream_corrector.h"
#include "elastane/core/network/prefill.h"
#include "elastane/core/network/step.h"
#include "elastane/core/stream/history.h"
#include "elastane/core/stream/late_labels.h"
#include "elastane/core/stream/routing.h"
#include "elastane/core/stream/stream.h"
#include "elastane/core/stream/stream_guard.h"

namespace elastane {

// what the functions of Stream of the same names do
class StreamEngine {
 public:
  StreamEngine(const Model& model, const StreamOptions& options);

  AdvanceReport advance(std::span<const float> x, std::span<const std::uint8_t> present, float dt);
  // advance of several streams of one model, which have no guard; `workspace` has a row for each
  static void advance_together(std::span<StreamEngine* const> streams, std::span<const Sample> samples,
                               Workspace& workspace, AdvanceReport& report);
  AdvanceReport advance_chunk(std::span<const float> x, std::span<float> y);
  AdvanceReport prefill(std::span<const float> x, std::span<float> y, const PrefillOptions& options);
  HeadMode head_mode(int block, int key_head) const;
  std::span<const float> output() const;
  std::span<const float> row_output(int row) const;  // 0: the stream that adapts, 1: its frozen twin
  const std::optional<StreamGuard>& guard() const { return guard_; }
  GuardReport guard_report() const { return guard_ ? guard_->report(state_.data()) : GuardReport{}; }

  StepReport correct(const Objective& objective, const Budget& budget);
  void anticipate();
  StepReport step(std::span<const float> x, const Objective& objective, const Budget& budget);
  StepReport observe(std::span<const float> label, std::uint64_t position, const Budget& budget);

  std::uint64_t position() const { return header().position; }
  double time() const { return header().time; }
  const Model& model() const { return model_; }
  Metric metric() const { return correction_ ? correction_->corrector().metric() : Metric::automatic; }
  std::span<const double> persistent() const;
  const std::optional<StreamCorrector>& correction() const { return correction_; }

  void reset();
  void restart();
  Status rewind(int n);
  int rewindable() const { return history_.kept(); }

  std::size_t snapshot_bytes() const;
  Status snapshot(std::span<std::byte> bytes) const;
  Status restore(std::span<const std::byte> bytes);
  std::span<const std::byte> state() const { return {state_.data(), state_.size()}; }

 private:
  const StateHeader& header() const { return *reinterpret_cast<const StateHeader*>(state_.data()); }
  std::span<float> mutable_output();
  void take_step(const Sample& sample, AdvanceReport& report);
  void advance_tile(std::span<const Sample> samples, AdvanceReport& report);
  std::optional<Stop> replay_obstacle(std::uint64_t at);
  StepReport replay_from(std::uint64_t at);
  StepReport correct_towards(std::span<const float> label, const Budget& budget);
  StepReport correct_guarded(const Objective& objective, const Budget& budget);
  void publish();
  void take_back(int steps);
  StepReport refuse(Stop why) const;
  std::uint64_t fingerprint() const;

  Model model_;
  Routing routing_;
  std::optional<StreamCorrector> correction_;
  std::optional<StreamGuard> guard_;
  std::vector<float> noise_;
  Buffer state_;  // the network's, then the correction's, then the guard's and its twin's
  Workspace workspace_;
  PrefillWorkspace prefill_;
  History history_, twin_history_;
  LateLabels labels_;
};

}  // namespace elastane
