// Objectives that Python made: they own what they are compared with.
#pragma once

#include <memory>
#include <vector>

#include "bindings/python/arrays.h"

namespace elastane::python {

// what Python calls an objective
class AnyObjective {
 public:
  virtual ~AnyObjective() = default;
  virtual const Objective& get(std::size_t outputs) const = 0;  // throws if it does not fit this many outputs
  virtual bool needs_python() const { return false; }           // are Python functions called in a correction?
};

// value, gradient and the diagonal of a curvature, written in Python. Slow: for research
class PythonObjective : public AnyObjective, public Objective {
 public:
  double value(std::span<const double> y) const override;
  void gradient(std::span<const double> y, std::span<double> gradient) const override;
  void gauss_newton(std::span<const double> y, ConstDoubleRows directions, DoubleRows products) const override;
  bool diagonal(std::span<const double> y, std::span<double> w) const override;
  const Objective& at(int h) const override { return lasts ? *this : Objective::at(h); }
  const Objective& get(std::size_t) const override { return *this; }
  bool needs_python() const override { return true; }

  bool lasts = false;
  void raise_pending() const;  // the exception of a function, after the correction has ended

 private:
  void call(const char* name, std::span<const double> y, std::span<double> out) const;
  mutable std::exception_ptr pending_;
};

// Runs a correction without Python's lock; if the objective is written in Python, its functions take it again.
template <class Act>
auto correct_with(const AnyObjective& objective, std::size_t outputs, Act act) {
  const Objective& inner = objective.get(outputs);
  const auto report = [&] {
    const py::gil_scoped_release release;
    return act(inner);
  }();
  if (const auto* own = dynamic_cast<const PythonObjective*>(&objective)) own->raise_pending();
  return report;
}

}  // namespace elastane::python
