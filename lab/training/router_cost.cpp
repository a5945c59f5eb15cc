#include "lab/training/router_cost.h"

#include <algorithm>
#include <span>

#include "elastane/core/stream/stream.h"
#include "lab/benchmark/latency.h"

namespace elastane::lab {
namespace {

// the model with some of its heads full, the others streaming
Model with_heads(const ModelFile& file, const std::vector<bool>& full) {
  ModelConfig config = file.config;
  std::size_t next = 0;
  for (BlockConfig& block : config.blocks) {
    auto* attention = std::get_if<AttentionConfig>(&block.kind);
    if (attention == nullptr) continue;
    const int heads = attention->kv_heads > 0 ? attention->kv_heads : attention->heads;
    attention->modes.clear();
    for (int head = 0; head < heads; ++head) {
      const bool is_full = full.empty() || full[std::min(next++, full.size() - 1)];
      attention->modes.push_back(is_full ? HeadMode::full : HeadMode::stream);
    }
  }
  return Model::create(config, file.tensors).value();
}

struct TimedStream {
  Stream stream;
  bool whole_prompt;
  double macs = 0;
  std::vector<double> micros = {};  // of one step, sequence by sequence

  void add(std::span<const float> x, std::int64_t steps) {
    stream.reset();
    const std::size_t inputs = x.size() / static_cast<std::size_t>(steps);
    const double begun = benchmark::processor_micros();
    if (whole_prompt) {
      macs += static_cast<double>(stream.prefill(x).macs);
    } else {
      for (std::size_t at = 0; at < x.size(); at += inputs) {
        macs += static_cast<double>(stream.advance(x.subspan(at, inputs)).macs);
      }
    }
    micros.push_back((benchmark::processor_micros() - begun) / static_cast<double>(steps));
  }
  double median_micros() {
    const auto middle = micros.begin() + static_cast<std::ptrdiff_t>(micros.size() / 2);
    std::nth_element(micros.begin(), middle, micros.end());
    return *middle;
  }
};

}  // namespace

StepCost step_cost(const ModelFile& file, const HeadChoice& choice, const at::Tensor& x) {
  const at::Tensor rows = x.to(at::kFloat).contiguous();
  const std::int64_t sequences = rows.size(0), steps = rows.size(1);
  const auto floats = static_cast<std::size_t>(rows[0].numel());
  const StreamOptions options{.prefill_rows = static_cast<int>(steps)};
  StreamOptions routed = options;
  routed.router = choice.router;
  const Model dense = with_heads(file, {});
  const Model chosen =
      choice.router.present() ? Model::create(file.config, file.tensors).value() : with_heads(file, choice.full);
  TimedStream run{Stream(chosen, routed), choice.whole_prompt}, base{Stream(dense, options), choice.whole_prompt};
  for (std::int64_t i = 0; i < sequences; ++i) {
    const std::span<const float> sequence(rows.data_ptr<float>() + static_cast<std::size_t>(i) * floats, floats);
    run.add(sequence, steps), base.add(sequence, steps);
  }
  const double all = static_cast<double>(sequences * steps);
  return {run.macs / all, base.macs / all, run.median_micros(), base.median_micros()};
}

}  // namespace elastane::lab
