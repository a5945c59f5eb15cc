// Tests of elastane/core/metric/geometry_cost.cpp: the directions that are counted are those that are used.
#include <gtest/gtest.h>

#include "tests/laws/workbench.h"

namespace elastane {
namespace {

// counts the directions that go through the decoder
class CountingPullback final : public Pullback {
 public:
  explicit CountingPullback(DensePullback& of) : of_(of) {}
  int latents() const override { return of_.latents(); }
  int outputs() const override { return of_.outputs(); }
  void jvp(ConstDoubleRows q, DoubleRows jq) override { pushed += q.count, of_.jvp(q, jq); }
  void vjp(ConstDoubleRows w, DoubleRows jtw) override { pulled += w.count, of_.vjp(w, jtw); }
  void weigh(ConstDoubleRows u, DoubleRows wu) override { of_.weigh(u, wu); }
  bool diagonal(std::span<double> w) override { return of_.diagonal(w); }

  int pushed = 0, pulled = 0;

 private:
  DensePullback& of_;
};

TEST(GeometryCost, CountsTheDirectionsOfEveryMetric) {
  for (const auto& [d, m] : {std::pair(9, 4), {4, 9}}) {
    for (const Metric kind : kPlainMetrics) {
      Random random(1);
      DensePullback dense(random_matrix(random, m, d), MatrixXd::Identity(m, m));
      CountingPullback a(dense);
      const RandomLearned learned(random, d, 2);
      LoneMetric metric({.kind = kind, .rank = 3}, d, m, learned.view);
      const VectorXd s = random_vector(random, m), g = dense.j.transpose() * s;
      ASSERT_TRUE(metric.prepare(a, g));
      metric.solve(a, s, g);
      const Geometry::Cost cost = metric.geometry.cost();
      EXPECT_EQ(a.pushed, cost.anticipated_jvp + cost.jvp) << name(kind) << ", " << d;
      EXPECT_EQ(a.pulled, cost.anticipated_vjp + cost.vjp) << name(kind) << ", " << d;
    }
  }
}

}  // namespace
}  // namespace elastane
