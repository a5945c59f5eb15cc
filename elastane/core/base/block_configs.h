// The settings of every block kind, of the normaliser before the blocks and of the head behind them: plain data.
// docs/model_format.md says what each field means and how files spell it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "elastane/core/base/kernel_kinds.h"

namespace elastane {

class CustomKind;  // custom_block.h

enum class Discretisation : std::uint8_t { zoh, bilinear };

struct S4dConfig {
  int state = 16;  // real size; state/2 complex pairs
  Discretisation discretisation = Discretisation::zoh;
  bool operator==(const S4dConfig&) const = default;
};

struct MambaConfig {
  int state = 16;
  int conv = 4;
  int expand = 2;
  int dt_rank = 0;  // 0: ⌈width/16⌉
  bool operator==(const MambaConfig&) const = default;
};

struct SelectiveConfig {
  int hidden = 0;  // 0: the model's width
  bool operator==(const SelectiveConfig&) const = default;
};

struct GruConfig {
  int hidden = 0;  // 0: the model's width
  bool operator==(const GruConfig&) const = default;
};

struct LstmConfig {
  int hidden = 0;  // 0: the model's width
  bool operator==(const LstmConfig&) const = default;
};

struct MlpConfig {
  int hidden = 0;  // 0: 4·width
  Activation activation = Activation::gelu;
  bool gated = false;
  bool operator==(const MlpConfig&) const = default;
};

// what a key head of attention reads; core/backbone/head_modes.h says which blocks those are
enum class HeadMode : std::uint8_t { full, stream, blocks };
inline constexpr int kHeadModes = 3;

struct AttentionConfig {
  int heads = 4;
  int kv_heads = 0;  // 0: heads
  int window = 128;
  bool rotary = true;
  double rotary_base = 10000;
  int block = 64;  // keys per panel: 16, 32 or 64; without sparse modes at most that, and no more than the window needs
  int sink = 0;    // first steps of a stream that are never overwritten; a multiple of block
  int local = 0;   // steps that a streaming head sees besides the sink; a multiple of block; 0: all heads are full
  std::vector<HeadMode> modes = {};  // of every key head before a router decides; empty: all full
  bool bfloat16_cache = false;       // keys and values in bfloat16
  bool operator==(const AttentionConfig&) const = default;
};

// how a recursion in depth iterates, over what, and when it stops; core/backbone/recursion.h has the equations
enum class RecursionForm : std::uint8_t { contraction, damped, literal };
enum class RecursionShape : std::uint8_t { flat, grid, line };
enum class LipschitzNorm : std::uint8_t { two, sup };
enum class RecursionStart : std::uint8_t { warm, cold };
enum class Halt : std::uint8_t { certificate, margin, learned, ranking, uniform };

struct RecursionConfig {
  int hidden = 0;  // values of h, 0: the model's width; of grid and line per cell, 0: 8
  int inner = 0;   // hidden units of N, 0: hidden; flat only
  RecursionForm form = RecursionForm::contraction;
  RecursionShape shape = RecursionShape::flat;
  LipschitzNorm lipschitz_norm = LipschitzNorm::two;  // sup for grid and line
  double lipschitz = 0.9;   // what N contracts by at most; checked against the weights; none for literal
  int rows = 1, cols = 0;   // of a grid; a line has cols
  int depth = 16;           // iterations at most
  double tolerance = 1e-3;  // distance to the fixed point that a certificate must prove
  RecursionStart start = RecursionStart::warm;
  Halt halt = Halt::certificate;
  int classes = 0;        // of the read-out that margin and learned look at
  double threshold = 0;   // of learned, in logits; of margin where nothing is certified
  double quantile = 0.5;  // of ranking: larger is deeper
  double hurst = 0.8;     // H of damped and literal
  bool chord = false;     // the file has a constant matrix for longer steps
  bool operator==(const RecursionConfig&) const = default;
};

// how a memory is written: M ← αM + g eᵀ, e = v − αMᵀk
enum class WriteRule : std::uint8_t {
  delta,          // g = βk
  least_squares,  // g = βPk/(R + βkᵀPk), P the inverse of what the keys so far have shown
};
// which steps write; core/allocation/write_gate.h
enum class WritePolicy : std::uint8_t { always, surprise, budget, seen_twice };

// how a delta block makes its keys, and how fast it forgets
enum class DeltaForm : std::uint8_t {
  plain,      // convolutions alone; α = σ(·)^dt
  published,  // as in flash-linear-attention: silu behind convolutions, queries over √key, α = σ(·)^(dt·exp(A_log))
};

struct DeltaConfig {
  int heads = 1;
  int key = 0, value = 0;  // sizes in one head; 0: width/heads
  int taps = 4;            // of the convolution behind each projection
  bool decay = true;       // may M fade? Where not every step writes, it fades at writes only
  DeltaForm form = DeltaForm::plain;
  bool gated = false;  // what is read is multiplied with silu(W_g u)
  WriteRule rule = WriteRule::delta;
  double noise = 0.05;  // R, of least squares: the variance of a value around what its key tells
  double relax = 0;     // the share of the way back to the prior that P goes with a write
  double inflate = 0;   // P is as at the start along a key whose residual is so many times what P lets expect; 0: never
  WritePolicy write = WritePolicy::always;
  double threshold = 0.5;  // of ‖e‖²/‖v‖², above which a step is surprising
  double share = 0.1;      // of `budget`: of steps that may write
  int burst = 64;          // of `budget`: writes that may be saved up
  int sightings = 128;     // of `seen_twice`: surprising keys that are remembered
  bool operator==(const DeltaConfig&) const = default;
};

struct CustomConfig {
  std::shared_ptr<const CustomKind> kind;
  bool operator==(const CustomConfig& other) const;
};

enum class NormaliserKind : std::uint8_t { none, running };

struct NormaliserConfig {
  NormaliserKind kind = NormaliserKind::none;
  double decay = 0.99;
  double epsilon = 1e-8;
  std::vector<int> restore;  // input channel whose level and scale output j gets back, −1 for none
  bool operator==(const NormaliserConfig&) const = default;
};

struct HeadConfig {
  std::vector<int> hidden;  // empty: a linear head
  Activation activation = Activation::tanh;
  bool operator==(const HeadConfig&) const = default;
};

}  // namespace elastane
