// Real-time code only.
#include "elastane/core/backbone/recursion_cells.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace elastane {
namespace {

// t ← the largest of the four neighbours, 0 beyond the edge
void neighbours(const float* h, int rows, int cols, float* t) {
  for (int r = 0; r < rows; ++r, h += cols, t += cols) {
    for (int c = 0; c < cols; ++c) t[c] = 0;
    if (r > 0) {
      for (int c = 0; c < cols; ++c) t[c] = std::max(t[c], h[c - cols]);
    }
    if (r + 1 < rows) {
      for (int c = 0; c < cols; ++c) t[c] = std::max(t[c], h[c + cols]);
    }
    for (int c = 1; c < cols; ++c) t[c] = std::max(t[c], h[c - 1]);
    for (int c = 0; c + 1 < cols; ++c) t[c] = std::max(t[c], h[c + 1]);
  }
}

// left and right of every cell, 0 beyond the ends
void sides(const float* h, int cells, float* left, float* right) {
  left[0] = 0;
  right[cells - 1] = 0;
  for (int i = 1; i < cells; ++i) left[i] = h[i - 1];
  for (int i = 0; i + 1 < cells; ++i) right[i] = h[i + 1];
}

// y ← y + w·x
void add_scaled(float w, const float* x, int n, float* y) {
  for (int i = 0; i < n; ++i) y[i] += w * x[i];
}

// a linear function of the cell's features, for one channel
void from_features(const float* w, float bias, const float* u, int cells, int features, float* out) {
  for (int i = 0; i < cells; ++i) {
    float sum = bias;
    for (int f = 0; f < features; ++f) sum += w[f] * u[static_cast<std::ptrdiff_t>(i) * features + f];
    out[i] = sum;
  }
}

struct Range {
  double low = 0, high = 0;

  void add(double w, const Range& x) {
    low += w * (w > 0 ? x.low : x.high);
    high += w * (w > 0 ? x.high : x.low);
  }
};

// x/(|x| + k) rises with x
Range softened(const Range& x, double k) { return {x.low / (std::fabs(x.low) + k), x.high / (std::fabs(x.high) + k)}; }

// the hidden units of a cell's read-out
void unit_ranges(const Recursion& b, const float* h, int cell, double bound, Range* units) {
  for (int unit = 0; unit < kCellHidden; ++unit) units[unit] = {b.read_up_bias[unit], b.read_up_bias[unit]};
  for (int c = 0; c < b.hidden; ++c) {
    const double at = h[static_cast<std::ptrdiff_t>(c) * padded(b.cells) + cell];
    const Range x{at - bound, at + bound}, soft = softened(x, b.soften[c]);
    for (int unit = 0; unit < kCellHidden; ++unit) {
      units[unit].add(b.read_up[unit * 2 * b.hidden + c], x);
      units[unit].add(b.read_up[unit * 2 * b.hidden + b.hidden + c], soft);
    }
  }
  for (int unit = 0; unit < kCellHidden; ++unit) {
    units[unit] = {std::max(units[unit].low, 0.0), std::max(units[unit].high, 0.0)};
  }
}

// the difference of two outputs
Range apart(const Recursion& b, const Range* units, int f, int g) {
  const double bias = static_cast<double>(b.read_down_bias[f]) - b.read_down_bias[g];
  Range d{bias, bias};
  for (int unit = 0; unit < kCellHidden; ++unit) {
    d.add(static_cast<double>(b.read_down[f * kCellHidden + unit]) - b.read_down[g * kCellHidden + unit], units[unit]);
  }
  return d;
}

// one output is above all others wherever the units are in their ranges
bool is_certain(const Recursion& b, const Range* units) {
  constexpr double kRounding = 1e-5;  // of outputs in float32
  for (int f = 0; f < b.features; ++f) {
    bool above = true;
    for (int g = 0; g < b.features && above; ++g) above = g == f || apart(b, units, f, g).low > kRounding;
    if (above) return true;
  }
  return false;
}

// NaN counts as 0
float cut(float x, float low, float high) { return x >= low ? std::min(x, high) : (x < low ? low : 0.0F); }

constexpr float kFar = 40;  // beyond it no curve changes any more

float stretched(float x) { return cut(1.2F / (1 + std::exp(-cut(x, -kFar, kFar))) - 0.1F, 0, 1); }

}  // namespace

int cell_scratch_floats(const Recursion& b) {
  return padded(b.cells) * (3 * b.hidden + (b.taps() - 1) * b.hidden + 2 * b.hidden + kCellHidden);
}

CellScratch cell_scratch(const Recursion& b, float* at) {
  const std::ptrdiff_t planes = static_cast<std::ptrdiff_t>(b.hidden) * padded(b.cells);
  return {.inject = at,
          .gate = at + planes,
          .taps = at + 2 * planes,
          .next = at + (b.taps() + 1) * planes,
          .units = at + (b.taps() + 2) * planes};
}

void drive_cells(const Recursion& b, const float* u, const CellScratch& s) {
  const bool grid = b.config.shape == RecursionShape::grid;
  const int stride = padded(b.cells);
  for (int c = 0; c < b.hidden; ++c) {
    float *inject = s.inject + static_cast<std::ptrdiff_t>(c) * stride,
          *gate = s.gate + static_cast<std::ptrdiff_t>(c) * stride;
    from_features(b.inject + c * b.features, b.inject_bias[c], u, b.cells, b.features, inject);
    from_features(b.gate + c * b.features, b.gate_bias[c], u, b.cells, b.features, gate);
    for (int i = 0; i < b.cells; ++i) {
      if (grid) {
        inject[i] = stretched(4 * inject[i] - 2);
        gate[i] = stretched(4 * gate[i]);
      } else {
        const float t = std::tanh(cut(inject[i], -kFar, kFar));
        inject[i] = (t - cut(t, -kDeadZone, kDeadZone)) / (1 - kDeadZone);
        gate[i] = cut(1.1F * std::tanh(2 * cut(gate[i], -kFar, kFar)), -1, 1);
      }
    }
  }
}

CellChange iterate_cells(const Recursion& b, const CellScratch& s, float* h) {
  const bool grid = b.config.shape == RecursionShape::grid;
  const int stride = padded(b.cells), n = b.cells;
  const std::ptrdiff_t planes = static_cast<std::ptrdiff_t>(b.hidden) * stride;
  const auto plane = [&](float* at, int c) { return at + static_cast<std::ptrdiff_t>(c) * stride; };
  for (int c = 0; c < b.hidden; ++c) {
    if (grid) {
      neighbours(plane(h, c), b.config.rows, b.config.cols, plane(s.taps, c));
    } else {
      sides(plane(h, c), n, plane(s.taps, c), plane(s.taps + planes, c));
    }
  }
  CellChange moved;
  const int count = b.taps() * b.hidden;
  for (int c = 0; c < b.hidden; ++c) {
    float* next = plane(s.next, c);
    const float *weights = b.mix + c * count, *gate = plane(s.gate, c), *inject = plane(s.inject, c);
    std::memset(next, 0, sizeof(float) * static_cast<std::size_t>(stride));
    for (int j = 0; j < b.hidden; ++j) add_scaled(weights[j], plane(h, j), n, next);
    for (int j = b.hidden; j < count; ++j) add_scaled(weights[j], plane(s.taps, j - b.hidden), n, next);
    for (int i = 0; i < n; ++i) {
      const float passed = gate[i] * next[i];
      next[i] = grid ? std::max(inject[i], passed) : inject[i] + passed;
    }
  }
  const auto keep = static_cast<float>(b.keep), gain = static_cast<float>(b.gain);
  float change = 0, size = 0;
  for (std::ptrdiff_t i = 0; i < planes; ++i) {
    const float to = b.keep == 0 ? s.next[i] : keep * h[i] + gain * s.next[i];
    change = std::max(change, std::fabs(to - h[i]));
    size = std::max(size, std::fabs(to));
    h[i] = to;
  }
  moved.change = change, moved.size = size;
  return moved;
}

bool classes_are_certain(const Recursion& b, const float* h, double bound) {
  Range units[kCellHidden];
  for (int cell = 0; cell < b.cells; ++cell) {
    unit_ranges(b, h, cell, bound, units);
    if (!is_certain(b, units)) return false;
  }
  return true;
}

void read_cells(const Recursion& b, const float* h, const CellScratch& s, float* o) {
  const int stride = padded(b.cells), n = b.cells;
  float* soft = s.units;
  float* hidden = s.units + 2 * static_cast<std::ptrdiff_t>(b.hidden) * stride;
  for (int c = 0; c < b.hidden; ++c) {
    const float *from = h + static_cast<std::ptrdiff_t>(c) * stride, k = b.soften[c];
    float* to = soft + static_cast<std::ptrdiff_t>(c) * stride;
    for (int i = 0; i < n; ++i) to[i] = from[i] / (std::fabs(from[i]) + k);
  }
  for (int unit = 0; unit < kCellHidden; ++unit) {
    float* to = hidden + static_cast<std::ptrdiff_t>(unit) * stride;
    const float* w = b.read_up + unit * 2 * b.hidden;
    for (int i = 0; i < n; ++i) to[i] = b.read_up_bias[unit];
    for (int c = 0; c < b.hidden; ++c) add_scaled(w[c], h + static_cast<std::ptrdiff_t>(c) * stride, n, to);
    for (int c = 0; c < b.hidden; ++c)
      add_scaled(w[b.hidden + c], soft + static_cast<std::ptrdiff_t>(c) * stride, n, to);
    for (int i = 0; i < n; ++i) to[i] = std::max(to[i], 0.0F);
  }
  for (int i = 0; i < n; ++i) {
    for (int f = 0; f < b.features; ++f) {
      float sum = b.read_down_bias[f];
      for (int unit = 0; unit < kCellHidden; ++unit) {
        sum += b.read_down[f * kCellHidden + unit] * hidden[static_cast<std::ptrdiff_t>(unit) * stride + i];
      }
      o[static_cast<std::ptrdiff_t>(i) * b.features + f] = sum;
    }
  }
}

}  // namespace elastane
