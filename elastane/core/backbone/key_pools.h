// Running pools of an attention block's keys, before rotation: what a router decides from.
//
// The mean of the first block of steps, the mean of the last whole blocks, each counting half as much as the one after it,
// and the maximum of every channel so far. The edges are the paper's (arXiv 2601.17367); the last blocks fade, so that a
// router sees about what a streaming head sees; the maximum keeps an instruction visible wherever it stood. Beside them
// lies the code of the router's last decision, which the router of the next attention block sees as well.
#pragma once

#include <cstdint>

#include "elastane/core/allocation/scoring_network.h"
#include "elastane/core/backbone/head_modes.h"

namespace elastane {

struct KeyPools {
  int kv_heads, size;
  int block;  // steps of one mean
  int begin;  // in the stream's dense state, in floats

  //                                                 meaning                        shape
  float* modes(float* dense) const { return dense + begin; }                    // of every key head  [kv_heads]
  float* first(float* dense) const { return modes(dense) + padded(kv_heads); }  // mean of the first block [kv]
  float* last(float* dense) const { return first(dense) + lane(); }             // of the last ones        [kv]
  float* sum(float* dense) const { return last(dense) + lane(); }               // of the present block    [kv]
  float* largest(float* dense) const { return sum(dense) + lane(); }            // maximum so far          [kv]
  float* code(float* dense) const { return dense + code_begin(); }              // [kRouterCode]

  int code_begin() const { return begin + padded(kv_heads) + 4 * lane(); }
  int floats() const { return padded(kv_heads) + 4 * lane() + padded(kRouterCode); }
  int features() const { return 3 * kv_heads * size; }

  HeadMode mode(const float* dense, int head) const;
  // the key of the step at `position`, before rotation
  void add(const float* key, std::uint64_t position, float* dense) const;
  // [first | last | largest], each of all key heads
  void read(const float* dense, double* features) const;

 private:
  int lane() const { return padded(kv_heads * size); }
};

}  // namespace elastane
