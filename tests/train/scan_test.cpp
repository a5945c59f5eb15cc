// elastane/train/scan.h: each kernel against its naive twin, on every instruction set, with lengths, channels and
// states that are not multiples of a vector.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "elastane/core/base/random.h"
#include "elastane/train/scan.h"
#include "elastane/train/scan_reference.h"
#include "tests/isa.h"

namespace elastane::train {
namespace {

struct Shape {
  int length, channels, states;
};
constexpr Shape kShapes[] = {{1, 1, 1}, {2, 17, 3}, {31, 5, 2}, {32, 16, 4}, {33, 64, 16}, {97, 65, 5}, {300, 70, 7}};

using Floats = std::vector<float>;
using Doubles = std::vector<double>;

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : random_(seed) {}
  Doubles operator()(std::size_t n, double low, double high) {
    Doubles values(n);
    // exactly representable as floats, so that both sides see the same
    for (double& v : values) v = static_cast<float>(random_.uniform(low, high));
    return values;
  }

 private:
  Random random_;
};

Floats floats(const Doubles& v) { return {v.begin(), v.end()}; }

void expect_near(const Floats& found, const Doubles& expected, const char* what) {
  double largest = 1e-6, difference = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    largest = std::max(largest, std::fabs(expected[i]));
    difference = std::max(difference, std::fabs(found[i] - expected[i]));
  }
  EXPECT_LE(difference / largest, 1e-5) << what;
}

class Scans : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    const auto found = scan_kernels(test_isa());
    if (!found) GTEST_SKIP() << found.error();
    k = *found;
  }
  const Shape shape = kShapes[GetParam()];
  const std::size_t rows = static_cast<std::size_t>(shape.length) * shape.channels;
  const std::size_t plane = static_cast<std::size_t>(shape.states) * shape.channels;
  const ScanKernels* k = nullptr;
  Draw draw{static_cast<std::uint64_t>(GetParam()) + 1};

  // the kernel in groups, the twin at once
  template <class Scan, class Kernel>
  void in_groups(Scan scan, Kernel kernel) const {
    for (int first = 0; first < shape.channels; first += kGroup) {
      scan.part = {shape.length, shape.channels, first, std::min(kGroup, shape.channels - first)};
      kernel(scan);
    }
  }
  ScanPart all() const { return {shape.length, shape.channels, 0, shape.channels}; }
};

TEST_P(Scans, LeakyEqualsItsTwin) {
  const Doubles e = draw(rows, -1, 0), b = draw(rows, -1, 1), start = draw(shape.channels, -1, 1);
  const Doubles gz = draw(rows, -1, 1);
  Doubles z(rows), ge(rows), gb(rows), gs(shape.channels);
  reference::leaky<double>({all(), e.data(), b.data(), start.data(), z.data()});
  reference::leaky_back<double>({all(), e.data(), b.data(), start.data(), z.data()},
                                {gz.data(), ge.data(), gb.data(), gs.data()});

  const Floats fe = floats(e), fb = floats(b), fstart = floats(start), fgz = floats(gz);
  Floats fz(rows), fge(rows), fgb(rows), fgs(shape.channels);
  const LeakyScan<float> scan = {{}, fe.data(), fb.data(), fstart.data(), fz.data()};
  in_groups(scan, k->leaky);
  in_groups(scan, [&](const auto& s) { k->leaky_back(s, {fgz.data(), fge.data(), fgb.data(), fgs.data()}); });
  expect_near(fz, z, "z");
  expect_near(fge, ge, "e");
  expect_near(fgb, gb, "b");
  expect_near(fgs, gs, "start");
}

TEST_P(Scans, DiagonalEqualsItsTwin) {
  for (const bool own : {false, true}) {
    const std::size_t planes = own ? shape.length : 1;
    const int step = own ? static_cast<int>(2 * plane) : 0;
    // |1 + Ē| < 1
    const Doubles e = draw(planes * 2 * plane, -0.4, -0.05), b = draw(planes * 2 * plane, -1, 1);
    const Doubles c = draw(2 * plane, -1, 1), u = draw(rows, -1, 1), start = draw(2 * plane, -1, 1);
    const Doubles gy = draw(rows, -1, 1), gend = draw(2 * plane, -1, 1);
    Doubles y(rows), end(2 * plane), ge(e.size()), gb(b.size()), gc(c.size()), gu(rows), gs(2 * plane);
    const DiagonalScan<double> twin = {all(),    shape.states, e.data(), b.data(),   step,   c.data(),
                                       u.data(), start.data(), y.data(), end.data(), nullptr};
    reference::diagonal(twin);
    reference::diagonal_back(twin, {gy.data(), gend.data(), ge.data(), gb.data(), gc.data(), gu.data(), gs.data()});

    const Floats fe = floats(e), fb = floats(b), fc = floats(c), fu = floats(u), fstart = floats(start);
    const Floats fgy = floats(gy), fgend = floats(gend);
    Floats fy(rows), fend(2 * plane), fge(e.size()), fgb(b.size()), fgc(c.size()), fgu(rows), fgs(2 * plane);
    Floats kept(spans(shape.length) * 2 * plane);
    const DiagonalScan<float> scan = {{},        shape.states,  fe.data(), fb.data(),   step,       fc.data(),
                                      fu.data(), fstart.data(), fy.data(), fend.data(), kept.data()};
    in_groups(scan, k->diagonal);
    in_groups(scan, [&](const auto& s) {
      k->diagonal_back(s, {fgy.data(), fgend.data(), fge.data(), fgb.data(), fgc.data(), fgu.data(), fgs.data()});
    });
    expect_near(fy, y, "y");
    expect_near(fend, end, "end");
    expect_near(fge, ge, "e");
    expect_near(fgb, gb, "b");
    expect_near(fgc, gc, "c");
    expect_near(fgu, gu, "u");
    expect_near(fgs, gs, "start");
  }
}

TEST_P(Scans, SelectiveEqualsItsTwin) {
  const std::size_t drives = static_cast<std::size_t>(shape.length) * shape.states;
  const Doubles a = draw(plane, -8, -0.01), delta = draw(rows, 0.001, 0.3), x = draw(rows, -1, 1);
  const Doubles b = draw(drives, -1, 1), c = draw(drives, -1, 1), start = draw(plane, -1, 1);
  const Doubles gy = draw(rows, -1, 1), gend = draw(plane, -1, 1);
  Doubles y(rows), end(plane), ga(plane), gdelta(rows), gx(rows), gb(drives), gc(drives), gs(plane);
  const SelectiveScan<double> twin = {all(),    shape.states, a.data(), delta.data(), x.data(), b.data(),
                                      c.data(), start.data(), y.data(), end.data(),   nullptr};
  reference::selective(twin);
  reference::selective_back(
      twin, {gy.data(), gend.data(), ga.data(), gdelta.data(), gx.data(), gb.data(), gc.data(), gs.data()});

  const Floats fa = floats(a), fdelta = floats(delta), fx = floats(x), fb = floats(b), fc = floats(c);
  const Floats fstart = floats(start), fgy = floats(gy), fgend = floats(gend);
  Floats fy(rows), fend(plane), fga(plane), fgdelta(rows), fgx(rows), fgb(drives), fgc(drives), fgs(plane);
  Floats kept(spans(shape.length) * plane);
  const SelectiveScan<float> scan = {{},        shape.states,  fa.data(), fdelta.data(), fx.data(),  fb.data(),
                                     fc.data(), fstart.data(), fy.data(), fend.data(),   kept.data()};
  in_groups(scan, k->selective);
  in_groups(scan, [&](const auto& s) {
    Floats own_b(drives), own_c(drives);
    k->selective_back(
        s, {fgy.data(), fgend.data(), fga.data(), fgdelta.data(), fgx.data(), own_b.data(), own_c.data(), fgs.data()});
    for (std::size_t i = 0; i < drives; ++i) fgb[i] += own_b[i], fgc[i] += own_c[i];
  });
  expect_near(fy, y, "y");
  expect_near(fend, end, "end");
  expect_near(fga, ga, "a");
  expect_near(fgdelta, gdelta, "delta");
  expect_near(fgx, gx, "x");
  expect_near(fgb, gb, "b");
  expect_near(fgc, gc, "c");
  expect_near(fgs, gs, "start");
}

INSTANTIATE_TEST_SUITE_P(Shapes, Scans, testing::Range(0, static_cast<int>(std::size(kShapes))));

}  // namespace
}  // namespace elastane::train
