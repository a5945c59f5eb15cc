// Scratch of one step. Only outputs and reports last until the next one; streams that take turns may share a workspace.
#pragma once

#include "elastane/core/backbone/batch.h"
#include "elastane/core/base/arena.h"
#include "elastane/core/network/network.h"

namespace elastane {

// rows that go through the stack together: enough to use a weight many times while it is in the cache
inline constexpr int kChunkRows = 16;
inline constexpr int kFleetRows = 16;

struct LevelScale {
  double level, scale;
};

struct WorkspaceArrays {
  //                        meaning                                    shape                    written by
  Row* row;              // state, position and dt of every row        [rows]                   begin
  Rows slow_log;         // rows of slow states before the step        [rows][log_floats]       begin, block
  BlockReport* blocks;   // what every block did                       [blocks]                 begin_report, block
  Rows input;            // x̂, then the mask if the model wants it     [rows][inputs, or twice] normalise
  LevelScale* restored;  // for outputs that stand for an input        [rows][restore]          normalise
  Rows hidden;           // h, the residual stream                     [rows][width]            encode, mix
  Rows normed;           // u, what a block sees                       [rows][width]            norm
  Rows readout;          // o, what a block answers                    [rows][widest block]     block
  float* scratch;        // of blocks, mixes and the head              what they ask for        block, mix, head
  Rows output;           // y                                          [rows][outputs]          head, restore

  WorkspaceArrays(const Network& network, int rows) : network_(&network), capacity_(rows) {}
  void lay_out(Cutter& cutter);

  int capacity() const { return capacity_; }
  int block_count() const { return static_cast<int>(network_->layers.size()); }

 private:
  const Network* network_;
  int capacity_;
};

using Workspace = Arena<WorkspaceArrays>;  // Workspace(network, rows)

}  // namespace elastane
