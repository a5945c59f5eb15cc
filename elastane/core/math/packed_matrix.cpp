#include "elastane/core/math/packed_matrix.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace elastane {
namespace {

constexpr int kMostCode = 127;

// codes of one row: w ≈ scale·code
struct RowCodes {
  explicit RowCodes(std::span<const float> values) {
    bool finite = true;
    for (const float value : values) {
      most = std::max(most, std::fabs(static_cast<double>(value)));
      finite = finite && std::isfinite(value);
    }
    scale = finite ? static_cast<float>(most / kMostCode) : std::numeric_limits<float>::quiet_NaN();
  }
  int of(float value) const {
    return scale > 0 ? static_cast<int>(std::lround(value * kMostCode / most)) : 0;  // NaN is not above zero
  }

  double most = 0;
  float scale;
};

void pack_codes(const PackedMatrix& w, std::byte* data, int row, std::span<const float> values) {
  const RowCodes codes(values);
  reinterpret_cast<float*>(data + w.count())[row] = codes.scale;
  for (int c = 0; c < w.stored_cols(); ++c) {
    const int code = c < w.cols ? codes.of(values[as_size(c)]) : 0;
    data[w.at(row, c)] = static_cast<std::byte>(code + kZeroCode);
  }
}

}  // namespace

void pack_row(const PackedMatrix& w, std::byte* data, int row, std::span<const float> values) {
  if (w.precision == Precision::int8) return pack_codes(w, data, row, values);
  for (std::size_t c = 0; c < values.size(); ++c) {
    const std::size_t i = w.at(row, static_cast<int>(c));
    if (w.precision == Precision::float32) {
      reinterpret_cast<float*>(data)[i] = values[c];
    } else {
      reinterpret_cast<std::uint16_t*>(data)[i] = to_bfloat16(values[c]);
    }
  }
}

void round_rows(Precision precision, int cols, std::span<float> values) {
  if (precision == Precision::float32) return;
  if (precision == Precision::bfloat16) {
    for (float& value : values) value = from_bfloat16(to_bfloat16(value));
    return;
  }
  for (; !values.empty(); values = values.subspan(as_size(cols))) {
    const auto row = values.first(as_size(cols));
    const RowCodes codes(row);
    for (float& value : row) value = codes.scale * static_cast<float>(codes.of(value));
  }
}

}  // namespace elastane
