// A machine that idles and moves, and a recursion that follows it: what the warm start saves, and where.
//
// The machine is a network of six coupled parts at rest: v = tanh(Av + Cx + d), where x are three set points. They hold
// still, drift, or swing, and jump when they change between these. A sensor model shall give two of the parts from x.
// Its recursion is drawn at random and contracts by .9 at most; a linear read-out is fitted to its fixed points by least
// squares. The rivals' read-outs are fitted to their own features alike.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lab/benchmark/depth_rows.h"

namespace elastane::frost {

enum class Regime : std::uint8_t { idle, slow, fast };
inline constexpr const char* kRegimeNames[] = {"idle", "slow", "fast"};

struct MachineStep {
  std::vector<float> x;   // set points
  std::vector<double> y;  // what the sensor model shall give
  Regime regime = Regime::idle;
};
// `idle`: the share of time at rest
std::vector<MachineStep> draw_machine(int steps, double idle, std::uint64_t seed);

// Rows of part "streams": methods infinite, cold, warm, warm_1, warm_2, trained_for_1, one_layer. accuracy is the mean
// squared error; curve: mean depth by regime; spearman: of depth and how far the fixed point moved
std::vector<benchmark::DepthRow> test_streams(int seeds);
std::string streams_table(const std::vector<benchmark::DepthRow>& rows);

}  // namespace elastane::frost
