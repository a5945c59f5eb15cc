// The three classes of state that a block may keep, and how each is put back when a step is undone.
//
//   dense   rewritten in every step                     history keeps a copy of it per step
//   ring    windows: a step writes one slot             history keeps the slot that the step overwrites
//   slow    large, a step changes at most a few rows    history keeps the rows that the step changed
//
// A block declares what it needs (StateClasses); the model gives it a place in every stream's state (StateSlot).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "elastane/core/base/view.h"

namespace elastane {

// A window: step t writes slot t, and later slots kept + (t − kept) mod window, so that the first `kept` slots are never
// overwritten. Float i of slot s lies at begin + s·slot_stride + i·stride; where slots lie in panels, at
// begin + (s / panel)·panel_stride + (s mod panel)·slot_stride + i·stride.
struct RingPart {
  int begin = 0;
  int window = 1;  // slots that are overwritten in turn
  int slot_stride = 1;
  int count = 0;  // floats of a slot
  int stride = 1;
  int kept = 0;
  int panel = 0;  // slots of one; 0: the slots follow each other
  int panel_stride = 0;

  int slot(std::uint64_t position) const {
    const auto first = static_cast<std::uint64_t>(kept);
    if (position < first) return static_cast<int>(position);
    return kept + static_cast<int>((position - first) % static_cast<std::uint64_t>(window));
  }
  int first(std::uint64_t position) const {
    const int s = slot(position);
    return panel == 0 ? begin + s * slot_stride : begin + s / panel * panel_stride + s % panel * slot_stride;
  }
};

// keep and put back the slot that the step at `position` writes
inline void save_slot(const RingPart& part, const float* ring, std::uint64_t position, float* kept) {
  const float* from = ring + part.first(position);
  for (int i = 0; i < part.count; ++i) kept[i] = from[std::ptrdiff_t{i} * part.stride];
}
inline void restore_slot(const RingPart& part, const float* kept, std::uint64_t position, float* ring) {
  float* to = ring + part.first(position);
  for (int i = 0; i < part.count; ++i) to[std::ptrdiff_t{i} * part.stride] = kept[i];
}

// the shape of a slow state
struct SlowShape {
  int rows = 0;          // the unit of change
  int row = 0;           // floats of one
  int most_changed = 0;  // rows that one step may change

  int floats() const { return rows * row; }
  // the log of one step: a count, then for each changed row its index and its old values; counts and indices are exact
  // as floats, because a state has at most 2^24 of them
  int log_floats() const { return rows > 0 ? 1 + most_changed * (1 + row) : 0; }
  int logged_floats(const float* log) const { return 1 + static_cast<int>(log[0]) * (1 + row); }
};

// The slow state of one stream. It can be written only through `change`, so every change can be undone. The log is
// always written, with or without a history, so a block does the same in both cases.
class SlowState {
 public:
  SlowState(float* rows, float* log, const SlowShape& shape) : rows_(rows), log_(log), shape_(&shape) {}

  const float* row(int index) const { return rows_ + std::ptrdiff_t{index} * shape_->row; }

  // The row, to be written. Null if there is no such row, or if this step has already changed as many others as the
  // block declared.
  float* change(int index) {
    if (index < 0 || index >= shape_->rows) return nullptr;
    const int changed = static_cast<int>(log_[0]), stride = 1 + shape_->row;
    float* entry = log_ + 1;
    for (int i = 0; i < changed; ++i, entry += stride) {
      if (static_cast<int>(entry[0]) == index) return row_of(index);
    }
    if (changed == shape_->most_changed) return nullptr;
    log_[0] = static_cast<float>(changed + 1);
    entry[0] = static_cast<float>(index);
    std::memcpy(entry + 1, row(index), sizeof(float) * static_cast<std::size_t>(shape_->row));
    return row_of(index);
  }

  // puts back what `change` gave away since the log was empty
  void undo() {
    const int changed = static_cast<int>(log_[0]);
    for (int i = 0; i < changed; ++i) {
      const float* entry = log_ + 1 + std::ptrdiff_t{i} * (1 + shape_->row);
      std::memcpy(row_of(static_cast<int>(entry[0])), entry + 1, sizeof(float) * static_cast<std::size_t>(shape_->row));
    }
    log_[0] = 0;
  }

 private:
  float* row_of(int index) { return rows_ + std::ptrdiff_t{index} * shape_->row; }

  float *rows_, *log_;
  const SlowShape* shape_;
};

// what a block keeps from step to step, in floats
struct StateClasses {
  int dense = 0;
  int ring = 0;
  std::vector<RingPart> rings = {};  // how slots lie in the ring, counted from the block's own first float
  SlowShape slow = {};
};

// where a block's part of each class begins, in floats; `log`: of the slow state's log
struct StateSlot {
  int dense = 0;
  int ring = 0;
  int slow = 0;
  int log = 0;
};

}  // namespace elastane
