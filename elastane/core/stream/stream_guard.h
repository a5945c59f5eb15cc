// The guard of a stream: where its memory and the frozen twin lie in the stream's state, and how losses reach it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "elastane/core/allocation/guard.h"
#include "elastane/core/network/network.h"
#include "elastane/core/objective/objective.h"

namespace elastane {

class StreamGuard {
 public:
  // `begin`: bytes of the state before what it keeps there
  //   memory   of the guard                                          allocation/guard.h
  //   outputs  of the stream, then of the twin, as doubles           [2][outputs]
  //   twin     a state of the network
  StreamGuard(const LossGuardOptions& options, const Network& network, std::size_t begin, int judged);

  std::size_t doubles_bytes() const { return twin_begin_ - begin_; }  // of the first two
  std::size_t twin_begin() const { return twin_begin_; }
  std::size_t twin_bytes() const { return twin_bytes_; }
  std::byte* twin(std::byte* state) const { return state + twin_begin_; }

  void reset(std::byte* state) const;

  // after a step, with the outputs of both: who is heard?
  void begin_step(std::byte* state, std::span<const float> adapted, std::span<const float> frozen) const;
  // before a correction by this objective
  GuardReport judge(std::byte* state, const Objective& objective) const;
  // after it
  void keep_adapted(std::byte* state, std::span<const float> adapted) const;
  // what is heard, from the outputs of both
  void publish(const std::byte* state, std::span<const float> adapted, std::span<const float> frozen);
  std::span<const float> spoken() const { return spoken_; }
  std::span<float> mutable_spoken() { return spoken_; }
  // the outputs of both as the state has them
  void recall(const std::byte* state, std::span<float> adapted, std::span<float> frozen) const;

  GuardReport report(const std::byte* state) const { return guard_.report(memory(state)); }
  std::uint64_t fingerprint() const { return fingerprint_; }

 private:
  GuardMemory& memory(const std::byte* state) const {
    return *reinterpret_cast<GuardMemory*>(const_cast<std::byte*>(state) + begin_);
  }
  std::span<double> outputs(const std::byte* state, int row) const {
    auto* first = reinterpret_cast<double*>(const_cast<std::byte*>(state) + begin_) + kGuardDoubles;
    return {first + static_cast<std::size_t>(row) * spoken_.size(), spoken_.size()};
  }

  Guard guard_;
  std::size_t begin_, twin_begin_, twin_bytes_;
  int judged_;  // outputs that objectives see
  std::uint64_t fingerprint_;
  std::vector<float> spoken_;
};

}  // namespace elastane
