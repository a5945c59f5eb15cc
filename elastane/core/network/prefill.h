// Many steps of one stream, layer by layer: attention then reads blocks of 64 queries, and a router may look at the whole
// prompt before it decides, which is not causal (arXiv 2601.17367).
//
// The result equals that of advance with the same modes of heads, bit for bit; with heads in mode `blocks`, which here
// choose by antidiagonals, it does not.
#pragma once

#include "elastane/core/network/step.h"
#include "elastane/core/stream/stream.h"

namespace elastane {

struct PrefillArrays {
  // what one item did
  struct Done {
    std::int64_t blocks;
    double share;
  };
  //                         meaning                                     shape                        written by
  Row* row;              // state, position and dt of every row         [rows]                       encode
  LevelScale* restored;  // for outputs that stand for an input         [rows][restore]              encode
  Rows hidden;           // h, the residual stream                      [rows][width]                encode, mix
  Rows query;            // q of an attention block                     [rows][width]                project
  Rows attended;         // its weighted values                         [rows][width]                items
  Done* done;            // what every item did                         [items]                      items
  float* work;           // of the kernels                              [workers][work_floats]       items
  float* scores;         // along antidiagonals                         [workers][score_floats]      items
  KeyBlock* list;        // panels of an item                           [workers][panels]            items
  float* candidates;     // blocks that it may choose, as pairs         [workers][2·panels]          items

  PrefillArrays(const Network& network, int rows, int workers);
  void lay_out(Cutter& cutter);

  int capacity() const { return rows_; }
  int workers() const { return workers_; }
  int work_floats = 0, score_floats = 0, panels = 0, items = 0;  // of one worker; of all, the most blocks and items

 private:
  const Network* network_;
  int rows_, workers_;
};
using PrefillWorkspace = Arena<PrefillArrays>;  // PrefillWorkspace(network, rows, workers)

// Whole rows of inputs x for the stream whose state this is; y gets a row of outputs each, or is empty. Returns where in
// the workspace the last row's input and output are. Prompts that are longer than the arrays or than a window's room
// are taken in spans, and a router decides for each. Cannot fail.
int prefill(const Network& network, std::span<const float> x, std::span<float> y, std::byte* state,
            const PrefillOptions& options, const ElasticOptions& elastic, Workspace& workspace,
            PrefillWorkspace& prefill, AdvanceReport& report);

}  // namespace elastane
