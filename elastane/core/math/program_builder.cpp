#include "elastane/core/math/program_builder.h"

#include <algorithm>
#include <cmath>
#include <memory>

namespace elastane {
namespace {

// a tape's length is an odd number of cache lines, so that rows of tangents do not share cache sets
int spread(int floats) { return floats / kLane % 2 == 0 ? floats + kLane : floats; }

// a fresh matrix, filled by value(row, col)
template <class Value>
PackedMatrix pack(int rows, int cols, std::vector<Buffer>& constants, Value value) {
  PackedMatrix packed{.data = nullptr, .rows = padded(rows), .cols = cols};
  Buffer& room = constants.emplace_back(packed.bytes());
  auto* to = reinterpret_cast<float*>(room.data());
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < cols; ++c) to[packed.at(r, c)] = value(r, c);
  }
  packed.data = room.data();
  return packed;
}

}  // namespace

Register ProgramBuilder::take(int n) {
  const Register r{program_.tape_floats, n};
  program_.tape_floats += r.lanes();
  active_.resize(as_size(program_.tape_floats / kLane));
  program_.scratch_floats = std::max(program_.scratch_floats, r.lanes());
  return r;
}

bool ProgramBuilder::active(Register r) const {
  return std::any_of(active_.begin() + r.offset / kLane, active_.begin() + (r.offset + r.lanes()) / kLane,
                     [](bool lane) { return lane; });
}

Source ProgramBuilder::source(Register r) const { return {r, r.exists() && active(r), false}; }

Register ProgramBuilder::input(int n, bool active) {
  const Register r = take(n);
  std::fill(active_.begin() + r.offset / kLane, active_.end(), active);
  inputs_.push_back(r);
  return r;
}

float* ProgramBuilder::constants(std::size_t floats) {
  return reinterpret_cast<float*>(program_.constants.emplace_back(floats * sizeof(float)).data());
}

template <class O>
void ProgramBuilder::append(O op, bool moves) {
  op.sources([&](Source& s) {
    s = source(s);
    moves |= s.active;
  });
  op.outputs([&](Register r) { std::fill_n(active_.begin() + r.offset / kLane, r.lanes() / kLane, moves); });
  (moves ? program_.moving : program_.fixed).push_back(op);
}

PackedMatrix ProgramBuilder::transpose(const PackedMatrix& w) {
  return pack(w.cols, w.rows, program_.constants, [&](int r, int c) { return element(w, c, r); });
}

Register ProgramBuilder::linear(const PackedMatrix& w, const float* bias, Register x, int n) {
  Register y = take(w.rows);
  y.n = n;
  const PackedMatrix transposed = adjoints_ && active(x) ? transpose(w) : PackedMatrix{};
  append(Linear{.w = w, .transposed = transposed, .bias = bias, .x = {x}, .y = {y.offset, w.rows}});
  return y;
}

Register ProgramBuilder::linear_rows(const PackedMatrix& w, int first, int n, Register x) {
  return linear(pack(n, w.cols, program_.constants, [&](int r, int c) { return element(w, first + r, c); }), nullptr, x,
                n);
}

Register ProgramBuilder::activate(Curve kind, Register x) {
  const Register y = take(x.n);
  append(Activate{.kind = kind, .x = {x}, .y = y, .slope = take(x.n), .curvature = take(x.n)});
  return y;
}

Register ProgramBuilder::activate(Activation kind, Register x) {
  switch (kind) {
    case Activation::none: return x;
    case Activation::tanh: return activate(Curve::tanh, x);
    case Activation::silu: return activate(Curve::silu, x);
    case Activation::gelu: return activate(Curve::gelu, x);
  }
  return x;
}

Register ProgramBuilder::multiply(Register a, Register b) {
  const Register y = take(a.n);
  append(Multiply{.a = {a}, .b = {b}, .y = y});
  return y;
}

Register ProgramBuilder::scale(Register s, Register x) {
  const Register y = take(x.n);
  append(Scale{.s = {s}, .x = {x}, .y = y});
  return y;
}

Register ProgramBuilder::append_scale_add(float gain, const float* p, const float* constant, Register x, Register r) {
  const Register y = take(x.n);
  append(ScaleAdd{.gain = gain, .weight = p, .constant = constant, .x = {x}, .r = {r}, .y = y});
  return y;
}

Register ProgramBuilder::add(Register x, Register r) { return append_scale_add(1, nullptr, nullptr, x, r); }
Register ProgramBuilder::subtract(Register r, Register x) { return append_scale_add(-1, nullptr, nullptr, x, r); }
Register ProgramBuilder::scale_add(const float* p, Register x, Register r) {
  return append_scale_add(1, p, nullptr, x, r);
}
Register ProgramBuilder::scale_add(const float* p, Register x, const float* r) {
  return append_scale_add(1, p, r, x, {});
}

Register ProgramBuilder::norm(Norm kind, const float* weight, const float* bias, Register x) {
  if (kind == Norm::none) return x;
  const Register y = take(x.n);
  append(
      Normalise{.kind = kind, .weight = weight, .bias = bias, .x = {x}, .y = y, .unit = take(x.n), .inverse = take(1)});
  return y;
}

Register ProgramBuilder::contract(Register c, Register s, int states, int n) {
  const Register y = take(n);
  append(Contract{.states = states, .n = padded(n), .c = {c}, .s = {s}, .y = y});
  return y;
}

Register ProgramBuilder::weigh(const float* planes, Register s, int states, int n) {
  const Register y = take(n);
  append(Weigh{.states = states, .n = padded(n), .weight = planes, .s = {s}, .y = y});
  return y;
}

Register ProgramBuilder::adapt(const float* directions, Register c, Register f, int rank, int n) {
  const Register y = take(n);
  append(Adapt{.rank = rank, .directions = directions, .c = {c}, .f = {f}, .y = y});
  return y;
}

ProgramBuilder::Angles ProgramBuilder::turn(const double* frequency, int half, Register elapsed) {
  const Angles angles{take(half), take(half)};
  append(
      Turn{.frequency = frequency, .half = half, .elapsed = {elapsed}, .cosine = angles.cosine, .sine = angles.sine});
  return angles;
}

Register ProgramBuilder::rotate(Angles angles, Register x, int heads, int size) {
  const Register y = take(x.n);
  append(Rotate{.heads = heads, .size = size, .cosine = {angles.cosine}, .sine = {angles.sine}, .x = {x}, .y = y});
  return y;
}

Register ProgramBuilder::attend(const AttentionShape& shape, int window, Register q, Register k, Register v,
                                bool moves) {
  const Register y = take(q.n);
  program_.scratch_floats = std::max(program_.scratch_floats, 2 * shape.slots());
  append(Attend{.shape = shape,
                .window = window,
                .q = {q},
                .k = {k},
                .v = {v},
                .y = y,
                .weights = take(shape.heads * shape.slots())},
         moves);
  return y;
}

Register ProgramBuilder::selective_step(const float* a, Register delta, Register x, Register b, Register s, int states,
                                        int n) {
  const Register y = take(s.n);
  program_.scratch_floats = std::max(program_.scratch_floats, 3 * padded(n));
  append(SelectiveStep{.states = states,
                       .n = padded(n),
                       .a = a,
                       .delta = {delta},
                       .x = {x},
                       .b = {b},
                       .s = {s},
                       .y = y,
                       .decay = take(s.n)});
  return y;
}

Register ProgramBuilder::discretise(const Discretise& form, Register dt) {
  Discretise op = form;
  op.dt = {dt};
  op.y = take(4 * op.pairs * op.n);
  append(op);
  return op.y;
}

Register ProgramBuilder::diagonal_step(Register planes, Register u, Register s, int pairs, int n) {
  const Register y = take(s.n);
  append(DiagonalStep{.pairs = pairs, .n = padded(n), .planes = {planes}, .u = {u}, .s = {s}, .y = y});
  return y;
}

Register ProgramBuilder::accrue(Register x, Register dt) {
  const Register y = take(x.n);
  append(Accrue{.x = {x}, .dt = {dt}, .y = y, .slope = take(x.n), .pace = take(x.n)});
  return y;
}

Register ProgramBuilder::fixed_point(Program step, Register h, Register b, Register next, double lipschitz,
                                     Register drive) {
  constexpr double kFloat = 1e-8;  // relative, with a reserve
  constexpr int kMostIterations = 8192;
  const double rate = std::clamp(lipschitz, 0.01, 0.9999);
  const int most = std::min(kMostIterations, static_cast<int>(std::ceil(std::log(kFloat) / std::log(rate))) + 2);
  const Register y = take(h.n), tape = take(step.tape_floats);
  program_.scratch_floats = std::max(program_.scratch_floats, step.scratch_floats + h.lanes());
  const std::int64_t cost = most * step.value_macs;
  append(FixedPoint{.step = std::make_shared<const Program>(std::move(step)),
                    .h = h,
                    .b = b,
                    .next = next,
                    .most = most,
                    .cost = cost,
                    .drive = {drive},
                    .tape = tape,
                    .y = y});
  return y;
}

// lanes that were already written, going backwards
class WrittenLanes {
 public:
  explicit WrittenLanes(int floats) : written_(as_size(floats / kLane)) {}

  bool any(Register r) const { return count(r) > 0; }
  bool all(Register r) const { return count(r) == r.lanes() / kLane; }
  void write(Register r) { std::fill(begin(r), begin(r) + r.lanes() / kLane, true); }
  // the parts of r that were not written
  void complete(Register r, std::vector<Register>& missing) {
    for (int at = r.offset; at < r.offset + r.lanes(); at += kLane) {
      if (!written_[as_size(at / kLane)]) missing.push_back({at, kLane});
    }
    write(r);
  }

 private:
  std::vector<bool>::iterator begin(Register r) { return written_.begin() + r.offset / kLane; }
  std::ptrdiff_t count(Register r) const {
    const auto from = written_.begin() + r.offset / kLane;
    return std::count(from, from + r.lanes() / kLane, true);
  }

  std::vector<bool> written_;
};

namespace {

// neighbours become one
std::vector<Register> merged(std::vector<Register> parts) {
  std::sort(parts.begin(), parts.end(), [](Register a, Register b) { return a.offset < b.offset; });
  std::vector<Register> whole;
  for (const Register r : parts) {
    if (!whole.empty() && whole.back().offset + whole.back().lanes() >= r.offset) {
      whole.back().n = std::max(whole.back().lanes(), r.offset + r.lanes() - whole.back().offset);
    } else {
      whole.push_back({r.offset, r.lanes()});
    }
  }
  return whole;
}

}  // namespace

void ProgramBuilder::find_backward(std::span<const Register> outputs) {
  WrittenLanes written(program_.tape_floats);
  for (const Register r : outputs) written.write(r);
  for (int i = static_cast<int>(program_.moving.size()) - 1; i >= 0; --i) {
    std::visit(
        [&](auto& op) {
          bool reached = false;
          op.outputs([&](Register r) { reached |= written.any(r); });
          if (!reached) return;
          op.outputs([&](Register r) { written.complete(r, program_.cleared); });
          op.sources([&](Source& s) {
            if (!s.active) return;
            s.add = written.any(s);
            if (s.add) written.complete(s, program_.cleared);
            written.write(s);
          });
          program_.backward.push_back(i);
          program_.vjp_macs += op.macs();
        },
        program_.moving[as_size(i)]);
  }
  for (const Register r : inputs_) {
    if (active(r)) written.complete(r, program_.cleared);
  }
  program_.cleared = merged(std::move(program_.cleared));
}

// the matrix that an output comes from, row by row: what adjoints of single outputs begin with
void ProgramBuilder::keep_rows(Register output) {
  if (program_.backward.empty()) return;
  auto* last = std::get_if<Linear>(&program_.moving[as_size(program_.backward.front())]);
  if (last == nullptr || last->y.offset != output.offset || last->x.add) return;
  const int stride = last->x.lanes();
  float* rows = constants(as_size(output.n) * as_size(stride));
  for (int r = 0; r < output.n; ++r) {
    for (int c = 0; c < last->w.cols; ++c) rows[r * stride + c] = element(last->w, r, c);
  }
  last->rows = rows;
}

void ProgramBuilder::find_shared() {
  for (const Register r : inputs_) {
    if (!active(r)) program_.shared.push_back(r);
  }
  for (Op& op : program_.fixed) {
    std::visit([&](auto& o) { o.outputs([&](Register r) { program_.shared.push_back(r); }); }, op);
  }
  program_.shared = merged(std::move(program_.shared));
}

Program ProgramBuilder::finish(std::span<const Register> outputs) {
  program_.tape_floats = spread(program_.tape_floats);
  active_.resize(as_size(program_.tape_floats / kLane));
  if (adjoints_) find_backward(outputs);
  if (adjoints_ && outputs.size() == 1) keep_rows(outputs[0]);
  find_shared();
  for (const Op& op : program_.moving) {
    std::visit([&](const auto& o) { program_.value_macs += o.macs(); }, op);
  }
  program_.jvp_macs = program_.value_macs;
  return std::move(program_);
}

}  // namespace elastane
