// A custom block kind for tests: a memory that is written only where the input is large.
//
//   key = W u       write (if |key₀| > threshold): rows[slot] ← ½(rows[slot] + key), slot = steps written mod slots
//   o = key + mean of all rows, taken over `depth` passes: 2 where it wrote, else 1
//
// The rows are slow state, the number of tokens written is dense, and the cost depends on the data.
#pragma once

#include <cmath>
#include <memory>

#include "elastane/core/backbone/custom_block.h"

namespace elastane {

class DecayingMemory final : public CustomBlock {
 public:
  DecayingMemory(int width, int slots, float threshold, bool learned_start, Binder& binder)
      : width_(width), threshold_(threshold), shape_{.rows = slots, .row = width, .most_changed = 1} {
    key_ = binder.matrix("key.weight", {width}, width);
    if (learned_start) start_ = binder.vector("h0", {width}, constant(0.0));
  }

  StateClasses state() const override { return {.dense = padded(1), .slow = shape_}; }
  int out_size() const override { return width_; }
  std::int64_t macs() const override { return key_macs() + 2 * pass_macs(); }
  std::size_t scratch_floats(int rows) const override { return static_cast<std::size_t>(rows) * padded(width_); }
  void start(float*, float* slow) const override {
    for (int i = 0; i < shape_.floats(); ++i) slow[i] = start_ == nullptr ? 0.25F : start_[i % width_];
  }

  void project(const BlockCall& call, const StateSlot&) const override {
    call.k.linear(key_, nullptr, call.u, keys_of(call));
    call.report.macs += call.u.count * key_macs();
  }

  void advance(const BlockCall& call, const StateSlot& slot, int first, int count) const override {
    for (int r = first; r < first + count; ++r) {
      const float* key = keys_of(call)[r];
      SlowState memory = memory_of(call, slot, r);
      float* written = call.rows[r].dense + slot.dense;
      const bool writes = std::fabs(key[0]) > threshold_;
      if (writes) {
        // a damaged snapshot may hold any number
        const float steps = std::fmin(std::fmax(written[0], 0.0F), 1023.0F);
        float* row = memory.change(static_cast<int>(steps) % shape_.rows);
        for (int i = 0; i < width_; ++i) row[i] = 0.5F * (row[i] + std::fmin(std::fmax(key[i], -1e6F), 1e6F));
        written[0] = std::fmod(steps + 1, 1024.0F);
      }
      const int depth = writes ? 2 : 1;
      call.report.macs += depth * pass_macs();
      call.report.depth += depth;
      call.report.tokens_written += writes ? 1 : 0;
    }
  }

  void read(const BlockCall& call, const StateSlot& slot, int first, int count) const override {
    for (int r = first; r < first + count; ++r) {
      const SlowState memory = memory_of(call, slot, r);
      float* out = call.out[r];
      for (int i = 0; i < call.out.stride; ++i) out[i] = i < width_ ? keys_of(call)[r][i] : 0.0F;
      for (int s = 0; s < shape_.rows; ++s) {
        for (int i = 0; i < width_; ++i) out[i] += memory.row(s)[i] / static_cast<float>(shape_.rows);
      }
    }
  }

 private:
  std::int64_t key_macs() const { return std::int64_t{width_} * width_; }
  std::int64_t pass_macs() const { return shape_.floats(); }
  Rows keys_of(const BlockCall& call) const { return Carver(call.scratch, call.u.count).take(width_); }
  SlowState memory_of(const BlockCall& call, const StateSlot& slot, int r) const {
    return {call.rows[r].slow + slot.slow, call.rows[r].slow_log + slot.log, shape_};
  }

  int width_;
  float threshold_;
  SlowShape shape_;
  PackedMatrix key_;
  const float* start_ = nullptr;
};

class DecayingMemoryKind final : public CustomKind {
 public:
  explicit DecayingMemoryKind(int slots = 5, double threshold = 0.5) : slots_(slots), threshold_(threshold) {}

  std::string_view name() const override { return "decaying_memory"; }
  std::vector<CustomSetting> settings() const override {
    return {{"slots", static_cast<double>(slots_)}, {"threshold", threshold_}};
  }
  Status validate(int) const override {
    if (slots_ >= 1 && slots_ <= 1024) return {};
    return Error{"[config] decaying_memory.slots: expected 1 to 1024, found " + std::to_string(slots_)};
  }
  std::shared_ptr<const CustomBlock> bind(int width, bool learned_start, Binder& binder) const override {
    return std::make_shared<DecayingMemory>(width, slots_, static_cast<float>(threshold_), learned_start, binder);
  }

 private:
  int slots_;
  double threshold_;
};

inline CustomConfig decaying_memory(int slots = 5, double threshold = 0.5) {
  return {std::make_shared<DecayingMemoryKind>(slots, threshold)};
}

inline void register_decaying_memory() {
  register_custom_kind("decaying_memory", [](const ReadSetting& read) {
    return std::make_shared<DecayingMemoryKind>(static_cast<int>(read("slots", 5)), read("threshold", 0.5));
  });
}

}  // namespace elastane
