// One call of a block: a tile of rows that go through the stack together.
//
// The rows are either many streams at one time (a fleet: the rows are independent) or one stream at many times (a
// chunk: row r+1 continues from row r). A single stream is a tile of one row. A block treats all alike:
//
//   project   what depends on the inputs alone, for all rows together
//   advance   s ← f(s, u), for independent rows together, otherwise row by row
//   read      o from s, right after the row was advanced; a block may take several rows of one stream `together`
//   finish    what follows the read-out, for all rows together
//   charge    what the call took, in multiply-adds
#pragma once

#include <cstdint>

#include "elastane/core/allocation/budget.h"
#include "elastane/core/backbone/advance_report.h"
#include "elastane/core/backbone/state_classes.h"
#include "elastane/core/base/result.h"
#include "elastane/core/base/view.h"
#include "elastane/core/math/kernels.h"

namespace elastane {

// one step of one stream
struct Row {
  float* dense;            // the stream's state, all of which may change in a step
  float* ring;             // the stream's windows, of which a step writes one slot
  float* slow;             // the stream's slow states, written through SlowState only
  float* slow_log;         // what this step changes of them
  std::uint64_t position;  // steps before this one
  double time;             // sum of dt before this step
  float dt;
};

// a block's read-out and step as a differentiable program: Register describe(block, u, description)
struct Register;
class Description;

struct HeadRouter;

// the router of one attention block, and what it sees beside its own pools
struct RoutedBlock {
  const HeadRouter* router = nullptr;  // or null
  int codes = 0;                       // numbers of the code of the router before
  int code_begin = 0;                  // where they lie in the stream's dense state
};

// what a stream was given for the elastic blocks of its model
struct ElasticCall {
  RoutedBlock routed = {};  // of this attention block
  Budget budget = {};       // of one row in this block, for heads that choose their blocks
  Budget depth = {};        // of one row in this block, for iterations in depth
};

struct BlockCall {
  const Kernels& k;
  const Row* rows;
  ConstRows u;     // inputs of the block
  float* scratch;  // scratch_floats(block, rows)
  Rows out;        // read-outs of the block
  BlockReport& report;
  ElasticCall elastic = {};
};

// rows of one stream, from `first` on, that a block advances before it reads the first of them
template <class Block>
int together(const Block&, const BlockCall&, int /*first*/) {
  return 1;
}

// has the block a description that correctors can use?
template <class Block>
bool is_described(const Block&) {
  return true;
}

// do the weights keep what the configuration declares?
template <class Block>
Status check_weights(const Block&) {
  return {};
}

// a block whose cost does not depend on the data
template <class Block>
void charge(const Block& block, const BlockCall& call) {
  call.report.macs += call.u.count * block.macs();
}

// hands out consecutive arrays of the scratch
class Carver {
 public:
  Carver(float* scratch, int rows) : at_(scratch), rows_(rows) {}
  Rows take(int floats) {
    const Rows rows = {at_, rows_, padded(floats)};
    at_ += static_cast<std::ptrdiff_t>(rows_) * rows.stride;
    return rows;
  }
  // one array for all rows
  float* array(int floats) {
    float* first = at_;
    at_ += padded(floats);
    return first;
  }

 private:
  float* at_;
  int rows_;
};

}  // namespace elastane
