// The arithmetic of the hot path: one table of functions for each instruction set, chosen when a model is built.
//
// Every kernel has a naive twin of the same name in math/reference.h, which is its oracle. Lengths are padded to kLane.
// The value of an output never depends on how many rows are computed together: a fleet, a chunk and a single stream
// agree bit for bit.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "elastane/core/base/kernel_kinds.h"
#include "elastane/core/base/result.h"
#include "elastane/core/base/view.h"
#include "elastane/core/math/packed_matrix.h"

namespace elastane {

// what programs are made of: the activations of models, and the parts of gates and time steps
enum class Curve : std::uint8_t { tanh, silu, gelu, sigmoid, softplus, log_sigmoid, exponential };

inline constexpr float kNormEpsilon = 1e-5F;
inline constexpr float kStateLimit = 1e18F;  // a state value beyond this, or NaN, becomes zero
inline constexpr float kDriveLimit = 1e9F;   // the same for what drives a selective state

// the diagonal recurrence of one s4d block; planes are [pair][channel]
struct DiagonalPlanes {
  const float *e_re, *e_im;  // Ē = Ā − 1: slow modes keep their time constants in float32, which Ā would round away
  const float *b_re, *b_im;  // B̄
};

// How one attention block keeps keys and values: in panels of `block` steps, each first the keys of all key heads as
// [channel][step], then for every key head its values as [step][channel]. In bfloat16 two channels share a word: of keys
// 2i and 2i + 1, of values 32g + i and 32g + 16 + i; the first is the low half.
struct AttentionShape {
  int heads, kv_heads, size;  // size of one head
  int window;                 // steps that a full head sees, this one included; the sink comes on top
  int block;                  // steps per panel: 16, 32 or 64
  int sink = 0;               // panels that are never overwritten
  int local = 0;              // panels that a streaming head sees besides them, the newest included
  int turning = 0;            // panels that are overwritten in turn
  bool bfloat16 = false;

  int group() const { return heads / kv_heads; }
  int panels() const { return sink + turning; }
  int slots() const { return panels() * block; }
  int key_rows() const { return bfloat16 ? (size + 1) / 2 : size; }  // words of one step's key, of one head
  int value_words() const { return bfloat16 ? (padded(size) + 31) / 32 * 16 : padded(size); }
  int key_words() const { return kv_heads * key_rows() * block; }  // of a panel
  int panel_words() const { return key_words() + kv_heads * value_words() * block; }

  // where the keys and the values of one key head begin, from the first word of all panels
  std::ptrdiff_t keys_at(int panel, int head) const {
    return static_cast<std::ptrdiff_t>(panel) * panel_words() + static_cast<std::ptrdiff_t>(head) * key_rows() * block;
  }
  std::ptrdiff_t values_at(int panel, int head) const {
    return static_cast<std::ptrdiff_t>(panel) * panel_words() + key_words() +
           static_cast<std::ptrdiff_t>(head) * block * value_words();
  }
};

inline constexpr int kMostBlock = 64;      // steps per panel
inline constexpr int kQueryRows = 64;      // rows of queries that attend_rows takes at once
inline constexpr int kStride = 16;         // rows of one antidiagonal score
inline constexpr int kFarBack = 1 << 29;   // what lies farther back counts as this far
inline constexpr int kAnyReach = 1 << 30;  // beyond all of that

// One panel that queries read. Key j is `age` = row − from − j steps old as row `row` of the queries sees it; it is
// seen where 0 ≤ age < reach.
struct KeyBlock {
  int panel;
  int from;  // time of the first key, from that of the first row
  int reach;
};

// scratch of the kernels, in floats: of one query head, and of rows of queries
constexpr int attend_floats(int size) { return 2 * padded(size) + kLane + kMostBlock; }
constexpr int attend_scratch_floats(const AttentionShape& shape) {
  return shape.heads * attend_floats(shape.size) + (shape.bfloat16 ? 2 * padded(shape.size) * kMostBlock : 0);
}
constexpr int attend_rows_floats(const AttentionShape& shape) {
  return (2 * shape.size + kMostBlock + 2) * kQueryRows + 2 * padded(shape.size) * kMostBlock;
}

// A write to a memory's matrix: M ← keep·M + gain·errorᵀ, gain [keys], error [values].
struct MemoryWrite {
  float keep = 1;
  const float* gain = nullptr;
  const float* error = nullptr;
};
// squares of a residual and of the value that it is of
struct MemoryResidual {
  float error, value;
};

inline constexpr int kMaxEigen = 64;  // the most rows of a matrix in eigen_symmetric

struct Kernels {
  Isa isa;

  // y_r = start + W x_r for every row r; start may be null
  void (*linear)(const PackedMatrix& w, const float* start, ConstRows x, Rows y);

  // elementwise, n padded
  void (*activate)(Activation kind, float* x, int n);
  void (*add)(const float* x, float* y, int n);                                // y ← y + x
  void (*multiply)(const float* x, float* y, int n);                           // y ← y ⊙ x
  void (*gated_linear_unit)(const float* p, const float* q, float* y, int n);  // y = p ⊙ σ(q)
  void (*softplus)(float scale, float* x, int n);                              // x ← scale·log(1 + eˣ)
  void (*bound)(float limit, float* x, int n);                                 // x ← 0 where not |x| ≤ limit
  void (*scale_rows)(const float* f, ConstRows x, int n, Rows y);              // y_r = f ⊙ x_r

  // y = φ(x), and unless null, slope = φ′(x) and curvature = φ″(x); any of them may be x
  void (*activation_jet)(Curve kind, const float* x, int n, float* y, float* slope, float* curvature);

  // y = w ⊙ x/√(mean x² + ε), or w ⊙ (x − mean)/√(var + ε) + b; n is the true length
  void (*rms_norm)(const float* x, const float* w, int n, float* y);
  void (*layer_norm)(const float* x, const float* w, const float* b, int n, float* y);

  // one step of a depthwise causal convolution: y = silu(b + Σ_k w_k ⊙ x_{t−k}); `ring` holds the last `taps` inputs,
  // of which this one goes to slot `newest` and the one before lies one slot before; w is [tap][channel], tap 0 the
  // newest
  void (*convolve)(const float* w, const float* b, int taps, int newest, const float* x, int n, float* ring, float* y);

  // selective recurrence: s ← e^(ΔA)s + (Δ ⊙ x)B, with a = A·log2(e) in planes [state][channel]; y = C·s + D ⊙ x.
  // b must be within kDriveLimit; Δ and Δ ⊙ x beyond their limits count as zero
  void (*selective_advance)(const float* a, const float* delta, const float* x, const float* b, int states, int n,
                            float* s);
  void (*selective_read)(const float* c, const float* d, const float* x, const float* s, int states, int n, float* y);

  // leaky recurrence, a step of the selective block: z ← e^(ΔA)z + (1 − e^(ΔA))b, with a = A·log2(e) not above zero.
  // Δ beyond kStateLimit and b beyond kDriveLimit count as zero
  void (*leaky_advance)(const float* a, const float* delta, const float* b, int n, float* z);

  // diagonal complex recurrence: s ← s + (Ēs + B̄u); y = Re Σ C s + D ⊙ u (C holds the factor 2)
  void (*diagonal_advance)(const DiagonalPlanes& p, const float* u, int pairs, int n, float* s_re, float* s_im);
  void (*diagonal_read)(const float* c_re, const float* c_im, const float* d, const float* u, const float* s_re,
                        const float* s_im, int pairs, int n, float* y);
  // Ē and B̄ of zero-order hold or bilinear for time steps dt·step; `out` has four planes: Ē re, im, B̄ re, im
  void (*discretise)(bool bilinear, const float* a_re, const float* a_im, const float* step, float dt, int pairs, int n,
                     float* out);

  // a step of a convolution as above, without bias and activation: y = Σ_k w_k ⊙ x_{t−k}
  void (*convolve_linear)(const float* w, int taps, int newest, const float* x, int n, float* ring, float* y);

  // A matrix M [keys][n] that is read and written by keys. read: Mᵀkey and Mᵀquery in one pass; fold: the same after a
  // write, in the same pass; write: the write alone
  void (*memory_read)(const float* key, const float* query, int keys, int n, const float* m, float* by_key,
                      float* by_query);
  void (*memory_fold)(const MemoryWrite& w, const float* key, const float* query, int keys, int n, float* m,
                      float* by_key, float* by_query);
  void (*memory_write)(const MemoryWrite& w, int keys, int n, float* m);
  // e = v − keep·Mᵀk; values and residuals beyond kDriveLimit count as zero
  MemoryResidual (*memory_residual)(float keep, const float* value, const float* by_key, int n, float* error);
  float (*dot)(const float* x, const float* y, int n);                                 // x·y
  void (*blend)(float a, const float* x, float b, const float* y, int n, float* out);  // a·x + b·y
  // A symmetric P as its lower triangle, row after row without padding; n is the true length: y = Px, and
  // P ← keep·(P + c·uuᵀ) + (1 − keep)·I
  void (*triangle_multiply)(const float* p, const float* x, int n, float* y);
  void (*triangle_update)(float c, const float* u, float keep, int n, float* p);

  // gates from the input (gi) and from the state (gh), each [gate][n]
  void (*gru_advance)(const float* gi, const float* gh, float dt, int n, float* h);
  void (*lstm_advance)(const float* gi, const float* gh, float dt, int n, float* h, float* c);

  // softmax(q·k/√size)·v over a list of panels, block by block with a running maximum, in base 2. One query, for the
  // query heads [first, first + heads), which share the list: start, then any number of times blocks, then finish.
  // `work` has attend_scratch_floats, of which every head uses its own part.
  void (*attend_start)(const AttentionShape& shape, const float* q, int first, int heads, float* work);
  void (*attend_blocks)(const AttentionShape& shape, const float* panels, const KeyBlock* list, int count, int first,
                        int heads, float* work);
  void (*attend_finish)(const AttentionShape& shape, int first, int heads, float* work, float* y);
  // The same for up to kQueryRows rows of queries of one head: equal to one query after the other, bit for bit, for
  // every instruction set. `work` has attend_rows_floats.
  void (*attend_rows)(const AttentionShape& shape, const float* panels, const KeyBlock* list, int count, int head,
                      ConstRows q, float* work, Rows y);

  // Σ_c max(q_c·low_c, q_c·high_c), rounded up: no key between low and high has a larger score. n is padded
  float (*bound_score)(const float* q, const float* low, const float* high, int n);
  // Antidiagonal scores of a block of queries (XAttention, arXiv 2503.16428): out of query group i and key group j, each
  // of kStride rows, is Σ_s q_(15−s)·k_s/(√size·kStride); key groups of all listed panels follow each other. `work` has
  // attend_rows_floats.
  void (*stride_scores)(const AttentionShape& shape, const float* panels, const KeyBlock* list, int count, int head,
                        ConstRows q, float* work, Rows out);

  // the corrector's, in double; n is padded to kDoubleLane and the padding of rows holds zeros
  void (*gram)(ConstDoubleRows a, ConstDoubleRows b, int n, double* out, int stride);    // out_ij = a_i·b_j
  void (*gram_self)(ConstDoubleRows a, int n, double* out, int stride);                  // out_ij = a_i·a_j
  void (*combine)(const double* m, int stride, ConstDoubleRows x, int n, DoubleRows y);  // y_i = Σ_j m_ij x_j
  void (*add_scaled)(double f, const double* x, int n, double* y);                       // y ← y + f·x
  void (*shrink)(const double* u, double c, double grow, DoubleRows p);                  // P ← grow·(P − c·uuᵀ)
  // A = RᵀR in place, of which only the upper triangle is read and written; false if A is not positive definite
  bool (*cholesky)(double* a, int n, int stride);
  // A = VᵀΛV for symmetric A, which is overwritten: values in descending order, vectors as rows of v. n ≤ kMaxEigen;
  // false if A is not finite. (Householder's reduction and implicit QL; Eigen's solver refers to malloc, which hot
  // objects must not. Its oracle is Eigen's)
  bool (*eigen_symmetric)(double* a, int n, int stride, double* values, double* v, int v_stride);
};

// what this build holds, best first; `target` is Highway's bit for the instruction set
struct CompiledKernels {
  std::int64_t target;
  const Kernels& (*table)();
};
std::span<const CompiledKernels> compiled_kernels();

// the kernels for an instruction set; `automatic` is the best one of this machine
Result<const Kernels*> kernels(Isa isa = Isa::automatic);

std::string_view name(Isa isa);
Result<Isa> parse_isa(std::string_view text);

}  // namespace elastane
