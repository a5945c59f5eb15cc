// Your own block kind: a recurrence, a memory or a router that the library does not know, without editing core.
//
//   class Decay final : public CustomKind { … };                         its sizes, and how its weights are bound
//   config.blocks = {{.kind = CustomConfig{std::make_shared<Decay>()}}};
//   register_custom_kind("decay", …);                                    only if model files shall name it
//
// Snapshots, rewinding, forks, fleets, cost and inspection follow from what the block declares. Its hot calls are
// virtual; like those of every block they must not allocate, throw or lock. Built-in kinds are called directly.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "elastane/core/backbone/batch.h"
#include "elastane/core/base/block_configs.h"
#include "elastane/core/math/binder.h"

namespace elastane {

// A block with its weights in place, shared by all streams of a model. batch.h says when each call comes.
class CustomBlock {
 public:
  virtual ~CustomBlock() = default;

  virtual StateClasses state() const = 0;
  virtual int out_size() const = 0;                    // floats of the read-out
  virtual std::int64_t macs() const = 0;               // multiply-adds per row: the most that a step can take
  virtual std::size_t scratch_floats(int rows) const;  // default: none
  // writes the state at reset where it is not zero
  virtual void start(float* dense, float* slow) const;

  // `slot` says where the block's state begins in every row. What a row really took is added to call.report.
  virtual void project(const BlockCall& call, const StateSlot& slot) const;
  virtual void advance(const BlockCall& call, const StateSlot& slot, int first, int count) const = 0;
  virtual void read(const BlockCall& call, const StateSlot& slot, int first, int count) const;
  virtual void finish(const BlockCall& call, const StateSlot& slot) const;

  // For correctors: values of the dense state that they may move, and the differentiable program (description.h).
  // A block without a description can be run, but a corrector cannot see through it and refuses the model.
  virtual int latents() const;
  virtual bool is_described() const;
  virtual Register describe(Register u, Description& description, const StateSlot& slot) const;
};

// one number of a kind's configuration
struct CustomSetting {
  std::string name;
  double value = 0;
  bool operator==(const CustomSetting&) const = default;
};

// The configuration of a custom block.
class CustomKind {
 public:
  virtual ~CustomKind() = default;

  virtual std::string_view name() const = 0;  // in files and tensor names; not that of a built-in kind
  // everything that makes two blocks of this kind differ: it enters fingerprints, files and `elastane inspect`
  virtual std::vector<CustomSetting> settings() const = 0;
  virtual Status validate(int width) const = 0;
  // declares the tensors; called once to count and once to fill (binder.h)
  virtual std::shared_ptr<const CustomBlock> bind(int width, bool learned_start, Binder& binder) const = 0;
};

// reads one number of a block in a model file; `absent` if it is not there
using ReadSetting = std::function<double(std::string_view name, double absent)>;
using MakeCustomKind = std::function<std::shared_ptr<const CustomKind>(const ReadSetting& read)>;

// Makes model files with this kind readable. Call it before the first such file is loaded, from one thread.
void register_custom_kind(std::string name, MakeCustomKind make);
// null if no such kind is registered
const MakeCustomKind* find_custom_kind(std::string_view name);

// the same as every other block, for the stack
struct Custom {
  std::shared_ptr<const CustomBlock> block;
  StateSlot slot = {};

  StateClasses state() const { return block->state(); }
  int out_size() const { return block->out_size(); }
  int latents() const { return block->latents(); }
  std::int64_t macs() const { return block->macs(); }
};

inline std::size_t scratch_floats(const Custom& c, int rows) { return c.block->scratch_floats(rows); }
inline void project(const Custom& c, const BlockCall& call) { c.block->project(call, c.slot); }
inline void advance(const Custom& c, const BlockCall& call, int first, int count) {
  c.block->advance(call, c.slot, first, count);
}
inline void read(const Custom& c, const BlockCall& call, int first, int count) {
  c.block->read(call, c.slot, first, count);
}
inline void finish(const Custom& c, const BlockCall& call) { c.block->finish(call, c.slot); }
inline bool is_described(const Custom& c) { return c.block->is_described(); }
inline void charge(const Custom&, const BlockCall&) {}  // it has charged what each row took

Register describe(const Custom& block, Register u, Description& description);

Custom bind(const CustomConfig& config, int width, bool learned_start, Binder& binder);

}  // namespace elastane
