// Several objectives at once: ℓ = Σ weight·ℓ_k, e.g. stay close to the measurement and away from the wall.
//
// Everything is linear in the terms, also what a second-order retraction pulls back: the embeddings of the terms, each
// scaled by the root of its weight, form one embedding of the sum. Nothing is allocated: terms are kept in place, partial
// results on the stack (32 KB; for a sum within a sum, twice that), so the numbers of terms, outputs and steps ahead are
// bounded.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "elastane/core/objective/objective.h"

namespace elastane {

// The caller's objective must outlive the sum. Ignored if the weight is not a positive finite number, or the objective
// null
struct WeightedTerm {
  double weight = 1.0;
  const Objective* objective = nullptr;
};

// a sum at any horizon
class TermSum : public Objective {
 public:
  static constexpr int kMaxTerms = 8;
  static constexpr std::size_t kMaxOutputs = 2048;  // with more, the value is NaN and correct() keeps its state

  struct Terms {
    std::array<WeightedTerm, kMaxTerms> term;
    int count = 0;
  };

  double value(std::span<const double> y) const override;
  void gradient(std::span<const double> y, std::span<double> gradient) const override;
  void gauss_newton(std::span<const double> y, ConstDoubleRows directions, DoubleRows products) const override;
  bool diagonal(std::span<const double> y, std::span<double> w) const override;  // if all terms are
  bool empty() const override;
  void lag(std::span<const double> y, std::span<const double> moved, std::span<const double> u,
           std::span<double> out) const override;
  void acceleration(std::span<const double> y, std::span<const double> u, std::span<const double> a,
                    std::span<double> out) const override;

 protected:
  TermSum() = default;
  TermSum(const Terms& terms, int h) : terms_(&terms), h_(h) {}
  TermSum(const TermSum&) = default;
  TermSum& operator=(const TermSum&) = default;
  ~TermSum() = default;

 private:
  // calls f(weight, objective) for every term that is not empty at this horizon
  template <class F>
  void each_term(F f) const;
  // out = Σ weight·part, where write(objective, part) fills the part of one term
  template <class F>
  void accumulate(std::span<double> out, F write) const;

  const Terms* terms_ = nullptr;
  int h_ = 0;
};

// The sum with every term as it is h steps ahead: the result of WeightedSum::at(h)
class SumAhead final : public TermSum {
 public:
  SumAhead() = default;
  SumAhead(const Terms& terms, int h) : TermSum(terms, h) {}
};

// Not copied or moved: its horizons point into it. Make it where it is used, for every step if necessary.
class WeightedSum final : public TermSum {
 public:
  static constexpr int kMaxHorizon = 8;  // farther ahead, the sum is that of 8 steps ahead

  WeightedSum();
  // WeightedSum sum({{1.0, &measurement}, {0.1, &wall}});
  template <std::size_t kTerms>
  explicit WeightedSum(const WeightedTerm (&terms)[kTerms]) : WeightedSum() {
    static_assert(kTerms <= kMaxTerms, "a sum has at most kMaxTerms terms; a term may be a sum itself");
    for (const WeightedTerm& term : terms) add(term);
  }
  WeightedSum(const WeightedSum&) = delete;
  WeightedSum& operator=(const WeightedSum&) = delete;

  // returns false and changes nothing if there are kMaxTerms already
  bool add(const WeightedTerm& term);

  const Objective& at(int h) const override;

 private:
  Terms own_;
  std::array<SumAhead, kMaxHorizon> ahead_;  // 1 … kMaxHorizon steps
};

}  // namespace elastane
