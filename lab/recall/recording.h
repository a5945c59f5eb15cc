// A recorded prompt: which blocks of keys each head of each agent read, and how much they weighed, for the page.
#pragma once

#include <vector>

#include "lab/benchmark/recording.h"
#include "lab/recall/roster.h"

namespace elastane::recall {

struct PromptStep {
  benchmark::Moment moment;  // depth: heads that read the whole prompt; violation: a wrong answer
  int answer = -1;           // of a query
};

struct PromptAgent {
  benchmark::Caption caption;
  std::vector<PromptStep> steps;
  std::vector<Reading> readings;   // of each attention
  double accuracy = 0, share = 0;  // over several prompts of the task: answers that are right, blocks read
};

struct PromptRecording final : benchmark::Recording {
  using Recording::Recording;
  std::vector<benchmark::Caption> captions() const override { return benchmark::captions_of(agents); }
  Status validate() const override;
  std::string json() const override;
  std::vector<std::string> scripts() const override { return {"attention"}; }
  std::string figure() const override;

  Episode prompt;
  int block = 0;
  std::vector<PromptAgent> agents;
};

Result<PromptRecording> record(const GlassModel& model, const benchmark::RecordingRequest& request,
                               const RouterWeights& router = {});

}  // namespace elastane::recall
