// Networks that a recursion over cells is compared with. They are LibTorch's alone: none of them runs in the engine.
//
//   free            the recursion itself, maximum, gates, cuts and read-out alike, but its mixing weights are free
//   untied_maximum  the same with other free weights in every layer
//   untied          16 layers of two 3 x 3 convolutions
//   tied            the same layer again and again: h ← h + F(h, x), a BasicSSM
//   literal         h ← h + λ(F(h) + λ^H Bx), as FROST prints it
#pragma once

#include <ATen/ATen.h>

#include <memory>
#include <string>
#include <vector>

#include "elastane/train/weights.h"
#include "lab/frost/episode.h"

namespace elastane::frost {

class Rival {
 public:
  virtual ~Rival() = default;
  // logits (batch, cells, 2) after `depth` iterations; x (batch, rows, cols, 2)
  virtual at::Tensor logits(const at::Tensor& x, int depth) const = 0;
  virtual int depth() const = 0;    // that it is trained for
  virtual double rate() const = 0;  // largest, of the optimiser
  virtual bool can_be_deeper() const { return true; }
  const std::vector<train::NamedTensor>& leaves() const { return leaves_; }
  std::int64_t parameters() const;

 protected:
  at::Tensor leaf(const std::string& name, at::Tensor start);
  std::vector<train::NamedTensor> leaves_;
};

// of networks over cells, the recursion among them
inline double cells_rate(Task task) { return task == Task::grid ? 2e-2 : 1e-2; }

inline constexpr const char* kRivals[] = {"free", "untied_maximum", "untied", "tied", "literal"};
std::unique_ptr<Rival> make_rival(const std::string& method, Task task, int depth, std::uint64_t seed);  // throws

}  // namespace elastane::frost
