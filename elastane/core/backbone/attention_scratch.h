// The scratch of one call of an attention block: what each array means, and who writes it.
#pragma once

#include <algorithm>

#include "elastane/core/backbone/attention.h"
#include "elastane/core/backbone/head_router.h"

namespace elastane {

// From this many rows of one stream on, vectors run along the queries; both ways give the same bits.
inline constexpr int kTileRows = 9;

// a key block that a head may choose
struct Candidate {
  float bound;  // of its scores, in powers of two
  int block;    // counted from the oldest that the head may see
};

struct AttentionScratch {
  //                      meaning                            shape                  written by
  Rows qkv;            // [q; k; v], turned                  [rows][qkv]            project
  Rows y;              // weighted values                    [rows][width]          read
  Rows turn;           // cos and sin of the step's angles   [rows][size]           project
  Rows raw;            // keys before they are turned        [rows][kv] or none     project
  float* work;         // of the kernels                     what they ask for      read
  KeyBlock* list;      // panels of a query                  [panels]               read
  Candidate* choices;  // blocks that may be chosen          [panels] or none       read
  double* features;    // of a router, its logits, scratch   [3·kv + c + …] or none advance

  AttentionScratch(const Attention& a, float* scratch, int rows) {
    Carver carve(scratch, rows);
    qkv = carve.take(a.qkv.rows);
    y = carve.take(a.width);
    turn = carve.take(a.shape.size);
    raw = carve.take(a.elastic() ? a.kv : 0);
    work = carve.array(work_floats(a));
    list = reinterpret_cast<KeyBlock*>(carve.array(list_floats(a)));
    choices = reinterpret_cast<Candidate*>(carve.array(choice_floats(a)));
    features = reinterpret_cast<double*>(carve.array(router_floats(a)));
  }

  static std::size_t floats(const Attention& a, int rows) {
    const int row = padded(a.qkv.rows) + padded(a.width) + padded(a.shape.size) + (a.elastic() ? padded(a.kv) : 0);
    return as_size(rows) * as_size(row) + as_size(padded(work_floats(a))) + as_size(padded(list_floats(a))) +
           as_size(padded(choice_floats(a))) + as_size(padded(router_floats(a)));
  }

 private:
  static int work_floats(const Attention& a) {
    return std::max(attend_scratch_floats(a.shape), attend_rows_floats(a.shape));
  }
  static int list_floats(const Attention& a) { return 3 * a.shape.panels(); }
  static int choice_floats(const Attention& a) { return a.chooses ? 2 * a.shape.panels() : 0; }
  static int router_floats(const Attention& a) {
    return a.elastic() ? 2 * (a.pools().features() + kRouterCode + a.shape.kv_heads + kMostRouterScratch) : 0;
  }
};
static_assert(sizeof(KeyBlock) == 3 * sizeof(float) && sizeof(Candidate) == 2 * sizeof(float));

// the router sets the mode of every key head, from the pools as they are, and leaves its code for the next one
void decide(const Attention& block, const RoutedBlock& routed, const AttentionScratch& scratch, float* dense);

// the mode of a key head now
inline HeadMode mode_of(const Attention& a, const float* dense, int head) {
  return a.elastic() ? a.pools().mode(dense, head) : HeadMode::full;
}

}  // namespace elastane
