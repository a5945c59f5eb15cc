// A recorded stream of keys and values, and memories that write by different policies: what was written, when and why.
#pragma once

#include <optional>
#include <vector>

#include "lab/benchmark/recording.h"
#include "lab/recall/memory_rule.h"

namespace elastane::recall {

enum class StepKind : std::uint8_t { known, first, changed, junk };  // what a step shows: a key as it was, a key's first
                                                                     // sighting, another value, a key that never returns
inline constexpr const char* kStepKinds[] = {"known", "first", "changed", "junk"};

// the stream, which is the same for all memories
struct ShownStep {
  StepKind kind = StepKind::known;
  int key = -1;             // −1: junk
  std::vector<int> values;  // of every key after the step, −1 where it was not shown yet
};

struct MemoryMoment {
  benchmark::Moment moment;  // depth: 1 where the step wrote; violation: the key's known value was not recalled
  double surprise = 0;       // ‖e‖²/‖v‖²
  double threshold = 0;      // above which a step may write; 0: there is none
  double tokens = 0;         // of a budget: writes that it may still make
  std::vector<int> answers;  // what each key retrieves after the step
};

struct MemoryAgent {
  benchmark::Caption caption;
  std::vector<MemoryMoment> steps;
  double recalled = 0, write_share = 0;
  std::size_t bytes = 0;
};

struct MemoryRecording final : benchmark::Recording {
  using Recording::Recording;
  std::vector<benchmark::Caption> captions() const override { return benchmark::captions_of(agents); }
  Status validate() const override;
  std::string json() const override;
  std::vector<std::string> scripts() const override { return {"memory"}; }
  std::string figure() const override;

  std::vector<ShownStep> shown;
  std::vector<MemoryAgent> agents;
};

// names of policies: always, surprise, budget, seen_twice, random
Result<MemoryRecording> record_memories(const benchmark::RecordingRequest& request);

}  // namespace elastane::recall
