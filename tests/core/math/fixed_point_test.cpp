// Tests of elastane/core/math/fixed_point.cpp: a fixed point and its derivatives against 200 unrolled iterations.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "elastane/core/math/program_builder.h"
#include "tests/core/floats.h"

namespace elastane {
namespace {

constexpr int kSize = 7;

// h ← W gelu(Vh) + b with weights that contract by .9
struct Map {
  Map() : floats(4096) {
    Random random(5);
    floats.fill(random, 1);
    // rows beyond the true ones hold zeros, as those of a model do
    for (int i = 0; i < 4096; ++i) floats.data()[i] *= i % kLane < kSize ? 0.15F : 0.0F;
  }
  PackedMatrix matrix(int which) const {
    return {
        .data = reinterpret_cast<const std::byte*>(floats.data() + 1024 * which), .rows = padded(kSize), .cols = kSize};
  }
  Register iterate(ProgramBuilder& ops, Register h, Register b) const {
    const Register inner = ops.activate(Curve::gelu, ops.linear(matrix(0), nullptr, h, kSize));
    return ops.add(ops.linear(matrix(1), nullptr, inner, kSize), b);
  }
  Floats floats;
};

enum class How : std::uint8_t { fixed_point, unrolled };

template <class T>
struct Run {
  Run(const Map& map, How how) : builder(true) {
    input = builder.input(kSize, true);
    if (how == How::fixed_point) {
      ProgramBuilder step(true);
      const Register h = step.input(kSize, true), b = step.input(kSize, true), next = map.iterate(step, h, b);
      output = builder.fixed_point(step.finish({&next, 1}), h, b, next, 0.9, input);
    } else {
      output = builder.scale_add(builder.constants(16), input);  // 0
      for (int k = 0; k < 200; ++k) output = map.iterate(builder, output, input);
    }
    program = builder.finish({&output, 1});
    tape.resize(static_cast<std::size_t>(program.tape_floats));
    rows.assign(2 * tape.size(), T(7));
    scratch.resize(static_cast<std::size_t>(program.scratch_floats));
  }
  Pass<T> pass() {
    return {.k = *kernels().value(),
            .tape = tape.data(),
            .derivatives = true,
            .scratch = scratch.data(),
            .scratch_stride = program.scratch_floats};
  }
  // value, tangent, adjoint and second derivative along the tangent
  std::vector<std::vector<double>> all(const std::vector<double>& x, const std::vector<double>& q) {
    const int stride = program.tape_floats;
    put(tape.data(), x), run_fixed(program, pass()), run(program, pass());
    std::vector<std::vector<double>> found = {read(tape.data(), output)};
    put(rows.data(), q), put(rows.data() + stride, std::vector<double>(kSize));
    run_second(program, pass(), {rows.data(), 2, stride});
    found.push_back(read(rows.data(), output));
    found.push_back(read(rows.data() + stride, output));
    for (int i = 0; i < kLane; ++i)
      rows[static_cast<std::size_t>(output.offset + i)] =
          i < kSize ? static_cast<T>(q[static_cast<std::size_t>(i)]) : T(0);
    run_vjp(program, pass(), {rows.data(), 1, stride});
    found.push_back(read(rows.data(), input));
    return found;
  }
  void put(T* row, const std::vector<double>& x) {
    for (int i = 0; i < kLane; ++i)
      row[input.offset + i] = i < kSize ? static_cast<T>(x[static_cast<std::size_t>(i)]) : T(0);
  }
  static std::vector<double> read(const T* row, Register r) { return {row + r.offset, row + r.offset + kSize}; }

  ProgramBuilder builder;
  Register input, output;
  Program program;
  std::vector<T> tape, rows, scratch;
};

template <class T>
void expect_as_unrolled(double tolerance) {
  const Map map;
  Run<T> implicit(map, How::fixed_point);
  Run<double> unrolled(map, How::unrolled);
  Random random(9);
  for (int draw = 0; draw < 10; ++draw) {
    std::vector<double> x(kSize), q(kSize);
    for (double& value : x) value = random.normal();
    for (double& value : q) value = random.normal();
    const auto found = implicit.all(x, q), expected = unrolled.all(x, q);
    for (std::size_t what = 0; what < found.size(); ++what) {
      double size = 0;
      for (const double value : expected[what]) size = std::fmax(size, std::fabs(value));
      ASSERT_GT(size, 1e-4);
      for (std::size_t i = 0; i < kSize; ++i) EXPECT_NEAR(found[what][i], expected[what][i], tolerance * size) << what;
    }
  }
}

TEST(FixedPoint, HasTheDerivativesOfTwoHundredUnrolledIterations) { expect_as_unrolled<double>(1e-9); }
TEST(FixedPoint, HasThemInFloatToo) { expect_as_unrolled<float>(1e-5); }

}  // namespace
}  // namespace elastane
