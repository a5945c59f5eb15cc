#include "lab/recall/world.h"

#include "lab/recall/benchmark.h"
#include "lab/recall/memory_recording.h"
#include "lab/recall/memory_reproduction.h"
#include "lab/recall/recording.h"
#include "lab/recall/reproduction.h"

namespace elastane::recall {
namespace {

Result<lab::RecordingPointer> record_prompt(const std::string& models, const benchmark::RecordingRequest& request) {
  const auto model = GlassModel::load(models + "/recall_small.safetensors");
  if (!model) return Error{model.error()};
  const auto router = router_beside(models, "recall_small");
  if (!router) return Error{router.error()};
  auto recording = record(*model, request, *router);
  if (!recording) return Error{recording.error()};
  return lab::RecordingPointer(std::make_unique<PromptRecording>(std::move(*recording)));
}

Result<lab::RecordingPointer> record_stream(const std::string&, const benchmark::RecordingRequest& request) {
  auto recording = record_memories(request);
  if (!recording) return Error{recording.error()};
  return lab::RecordingPointer(std::make_unique<MemoryRecording>(std::move(*recording)));
}

}  // namespace

lab::World world() {
  lab::World world{.name = "recall", .what = "Prompts with an instruction: recall, needle, copy and others"};
  world.benchmarks = {{.name = "attention",
                       .what = "A prompt, and what the heads of a Transformer read of it",
                       .cost = "5 minutes",
                       .open = make_benchmark,
                       .record = record_prompt},
                      {.name = "recall",
                       .what = "A stream of keys, and memories that write by different rules",
                       .cost = "",
                       .open = {},
                       .record = record_stream}};
  world.reproductions = {elastic_attention_reproduction(), recall_reproduction()};
  return world;
}

}  // namespace elastane::recall
