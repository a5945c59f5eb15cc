// Tests of elastane/core/math/program.cpp: laws of every operation (ops/), and of what joins them.
#include "elastane/core/math/program.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "elastane/core/math/program_builder.h"
#include "tests/core/floats.h"

namespace elastane {
namespace {

using Doubles = std::vector<double>;

// inputs that are active, and what is made of them
struct Function {
  std::string name;
  std::vector<int> inputs;
  std::function<Register(ProgramBuilder&, const std::vector<Register>&)> write;
};
std::ostream& operator<<(std::ostream& out, const Function& f) { return out << f.name; }

// constants that all functions may use
struct Constants {
  Constants() : floats(4096) {
    Random random(2);
    floats.fill(random, 1);
    for (float& x : panels) x = static_cast<float>(random.normal());
  }
  const float* at(int i) const { return floats.data() + 64 * i; }

  Floats floats;
  float panels[3 * 16 * 2 * (3 + 16)];
};
const Constants& constants() {
  static const Constants all;
  return all;
}

// a matrix of `rows` by `cols` out of the constants
PackedMatrix matrix(int rows, int cols) {
  return {.data = reinterpret_cast<const std::byte*>(constants().at(8)), .rows = padded(rows), .cols = cols};
}

constexpr AttentionShape kShape{
    .heads = 4, .kv_heads = 2, .size = 3, .window = 32, .block = 16, .sink = 1, .local = 1, .turning = 2};
// the first key head is full, the second streams; both see the present step, slot 18
constexpr WindowSpan kFull[] = {{0, 0, 16}, {1, 0, 3}, {2, 5, 16}}, kStream[] = {{0, 0, 16}, {1, 0, 3}};
constexpr float kModes[] = {0, 1};

// a program in double, with one column of tangents, one of second derivatives, and one of adjoints
class Laboratory {
 public:
  explicit Laboratory(const Function& f) : builder_(true) {
    for (const int n : f.inputs) inputs_.push_back(builder_.input(n, true));
    output_ = f.write(builder_, inputs_);
    program_ = builder_.finish({&output_, 1});
    tape_.resize(static_cast<std::size_t>(program_.tape_floats));
    // whatever is left over from an earlier pass must not matter
    rows_.assign(2 * tape_.size(), 1e3);
    scratch_.resize(static_cast<std::size_t>(program_.scratch_floats));
    window_ = {.panels = constants().panels, .full = {kFull, 3}, .stream = {kStream, 2}, .modes = kModes, .own = 18};
  }

  int inputs() const { return total(inputs_); }
  int outputs() const { return output_.n; }

  Doubles value(const Doubles& x) {
    write(x, tape_.data());
    run_fixed(program_, pass());
    run(program_, pass());
    return read(output_, tape_.data());
  }
  Doubles jvp(const Doubles& q) {
    write(q, rows_.data());
    run_jvp(program_, pass(), {rows_.data(), 1, 0});
    return read(output_, rows_.data());
  }
  Doubles vjp(const Doubles& w) {
    put(rows_.data() + output_.offset, output_.lanes(), false,
        [&](int i) { return i < output_.n ? w[static_cast<std::size_t>(i)] : 0.0; });
    run_vjp(program_, pass(), {rows_.data(), 1, 0});
    Doubles all;
    for (const Register r : inputs_) {
      const Doubles part = read(r, rows_.data());
      all.insert(all.end(), part.begin(), part.end());
    }
    return all;
  }
  Doubles second(const Doubles& q) {
    const int stride = program_.tape_floats;
    write(q, rows_.data());
    write(Doubles(q.size()), rows_.data() + stride);
    run_second(program_, pass(), {rows_.data(), 2, stride});
    return read(output_, rows_.data() + stride);
  }
  const Program& program() const { return program_; }

 private:
  Pass<double> pass() {
    return {.k = *kernels().value(),
            .tape = tape_.data(),
            .windows = &window_,
            .time = 0.3,
            .derivatives = true,
            .scratch = scratch_.data(),
            .scratch_stride = program_.scratch_floats};
  }
  static int total(const std::vector<Register>& registers) {
    int n = 0;
    for (const Register r : registers) n += r.n;
    return n;
  }
  void write(const Doubles& x, double* tape) const {
    std::size_t at = 0;
    for (const Register r : inputs_) {
      for (int i = 0; i < r.lanes(); ++i) tape[r.offset + i] = i < r.n ? x[at++] : 0.0;
    }
  }
  static Doubles read(Register r, const double* tape) { return {tape + r.offset, tape + r.offset + r.n}; }

  ProgramBuilder builder_;
  std::vector<Register> inputs_;
  Register output_;
  Program program_;
  Doubles tape_, rows_, scratch_;
  Window<double> window_;
};

std::vector<Function> functions() {
  using Ops = ProgramBuilder;
  using In = std::vector<Register>;
  std::vector<Function> all = {
      {"linear", {5}, [](Ops& o, const In& x) { return o.linear(matrix(9, 5), constants().at(0), x[0], 9); }},
      {"rows_of_linear", {5}, [](Ops& o, const In& x) { return o.linear_rows(matrix(48, 5), 16, 11, x[0]); }},
      {"product", {20, 20}, [](Ops& o, const In& x) { return o.multiply(x[0], x[1]); }},
      {"square", {20}, [](Ops& o, const In& x) { return o.multiply(x[0], x[0]); }},
      {"sum_with_itself", {20}, [](Ops& o, const In& x) { return o.scale_add(constants().at(1), x[0], x[0]); }},
      {"difference", {20, 20}, [](Ops& o, const In& x) { return o.subtract(x[0], x[1]); }},
      {"affine", {20}, [](Ops& o, const In& x) { return o.scale_add(constants().at(1), x[0], constants().at(2)); }},
      {"scalar_multiple", {1, 20}, [](Ops& o, const In& x) { return o.scale(x[0], x[1]); }},
      {"rms_norm", {21}, [](Ops& o, const In& x) { return o.norm(Norm::rms, constants().at(0), nullptr, x[0]); }},
      {"layer_norm",
       {21},
       [](Ops& o, const In& x) { return o.norm(Norm::layer, constants().at(0), constants().at(1), x[0]); }},
      {"contraction", {3, 48}, [](Ops& o, const In& x) { return o.contract(x[0], x[1], 3, 16); }},
      {"weighing", {48}, [](Ops& o, const In& x) { return o.weigh(constants().at(0), x[0], 3, 16); }},
      {"adaptation", {32, 16}, [](Ops& o, const In& x) { return o.adapt(constants().at(0), x[0], x[1], 2, 5); }},
      {"rotation",
       {12},
       [](Ops& o, const In& x) {
         static constexpr double kFrequency[] = {1.0, 0.1};
         return o.rotate(o.turn(kFrequency, 2, o.input(1, false)), x[0], 3, 4);
       }},
      {"attention", {12, 6, 6}, [](Ops& o, const In& x) { return o.attend(kShape, 0, x[0], x[1], x[2], false); }},
      // a register of which one part is read twice, one once and one never
      {"parts",
       {7},
       [](Ops& o, const In& x) {
         const Register all_parts = o.linear(matrix(48, 7), nullptr, x[0], 48);
         const Register a = all_parts.part(0, 16), b = all_parts.part(16, 16);
         return o.multiply(o.activate(Curve::tanh, a), o.add(a, b));
       }},
      // the whole of a register after a part of it
      {"part_and_whole",
       {32},
       [](Ops& o, const In& x) {
         const Register narrow = o.linear(matrix(16, 32), nullptr, x[0], 16);
         return o.add(o.activate(Curve::silu, x[0].part(0, 16)), narrow);
       }},
      {"dead_end",
       {9, 9},
       [](Ops& o, const In& x) {
         o.activate(Curve::tanh, x[0]);
         o.multiply(x[0], x[1]);
         return o.activate(Curve::sigmoid, x[0]);
       }},
      {"residual_stack",
       {12},
       [](Ops& o, const In& x) {
         Register h = x[0];
         for (int i = 0; i < 3; ++i) {
           const Register u = o.norm(Norm::rms, constants().at(i), nullptr, h);
           h = o.add(o.linear_rows(matrix(16, 12), 0, 12, o.activate(Curve::gelu, u)), h);
         }
         return h;
       }},
  };
  for (const Curve kind : {Curve::tanh, Curve::silu, Curve::gelu, Curve::sigmoid, Curve::softplus, Curve::log_sigmoid,
                           Curve::exponential}) {
    all.push_back({"curve_" + std::to_string(static_cast<int>(kind)), {20}, [kind](Ops& o, const In& x) {
                     return o.activate(kind, x[0]);
                   }});
  }
  return all;
}

class ProgramOf : public testing::TestWithParam<Function> {
 protected:
  Laboratory lab{GetParam()};
  Random random{static_cast<std::uint64_t>(6)};

  Doubles draw(int n) {
    Doubles x(static_cast<std::size_t>(n));
    for (double& value : x) value = random.normal();
    return x;
  }
  static Doubles moved(Doubles x, double h, const Doubles& q) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += h * q[i];
    return x;
  }
  static double inner(const Doubles& a, const Doubles& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
  }
};
INSTANTIATE_TEST_SUITE_P(Function, ProgramOf, testing::ValuesIn(functions()),
                         [](const auto& test) { return test.param.name; });

TEST_P(ProgramOf, TangentsAndAdjointsAreAdjoint) {
  lab.value(draw(lab.inputs()));
  for (int i = 0; i < 5; ++i) {
    const Doubles q = draw(lab.inputs()), w = draw(lab.outputs()), jq = lab.jvp(q), jtw = lab.vjp(w);
    const double scale = std::sqrt(inner(jq, jq) * inner(w, w)) + std::sqrt(inner(q, q) * inner(jtw, jtw));
    EXPECT_NEAR(inner(jq, w), inner(q, jtw), 1e-13 * scale);
  }
}

TEST_P(ProgramOf, TangentsAndSecondDerivativesEqualCentralDifferences) {
  const Doubles x = draw(lab.inputs());
  const double h = 1e-4;
  for (int i = 0; i < 5; ++i) {
    const Doubles q = draw(lab.inputs());
    const Doubles up = lab.value(moved(x, h, q)), up_change = lab.jvp(q);
    const Doubles down = lab.value(moved(x, -h, q)), down_change = lab.jvp(q);
    lab.value(x);
    const Doubles jq = lab.jvp(q), d2 = lab.second(q);
    for (std::size_t j = 0; j < jq.size(); ++j) {
      EXPECT_NEAR(jq[j], (up[j] - down[j]) / (2 * h), 1e-6 * (1 + std::fabs(jq[j])));
      EXPECT_NEAR(d2[j], (up_change[j] - down_change[j]) / (2 * h), 1e-6 * (1 + std::fabs(d2[j])));
    }
  }
}

TEST(Program, RunsWhatIsFixedOnceAndSharesItWithFreshTapes) {
  ProgramBuilder ops(true);
  const Register given = ops.input(16, false), x = ops.input(16, true);
  const Register gate = ops.activate(Curve::sigmoid, given), y = ops.multiply(gate, x);
  const Program program = ops.finish({&y, 1});
  ASSERT_EQ(program.fixed.size(), 1U);
  ASSERT_EQ(program.moving.size(), 1U);
  Doubles first(static_cast<std::size_t>(program.tape_floats), 0), second = first;
  const auto pass = [&](Doubles& tape) { return Pass<double>{.k = *kernels().value(), .tape = tape.data()}; };
  for (int i = 0; i < 16; ++i) first[static_cast<std::size_t>(given.offset + i)] = i;
  run_fixed(program, pass(first));
  share(program, first.data(), second.data());
  for (Doubles* tape : {&first, &second}) {
    for (int i = 0; i < 16; ++i) (*tape)[static_cast<std::size_t>(x.offset + i)] = 2;
    run(program, pass(*tape));
    EXPECT_NEAR((*tape)[static_cast<std::size_t>(y.offset + 3)], 2 / (1 + std::exp(-3.0)), 1e-15);
  }
}

}  // namespace
}  // namespace elastane
