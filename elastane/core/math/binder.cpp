#include "elastane/core/math/binder.h"

#include <algorithm>
#include <numeric>

#include "elastane/core/base/buffer.h"

namespace elastane {

Initialiser uniform(double bound) {
  return [bound](Random& random, std::size_t) { return static_cast<float>(random.uniform(-bound, bound)); };
}

Initialiser constant(double value) {
  return [value](Random&, std::size_t) { return static_cast<float>(value); };
}

Binder::Binder(Precision precision, std::span<const Tensor> tensors, Buffer& block)
    : precision_(precision), tensors_(tensors), block_(block.data()) {}

std::byte* Binder::take(std::size_t bytes) {
  std::byte* room = block_ == nullptr ? nullptr : block_ + used_;
  used_ += round_up(bytes, kAlignment);
  return room;
}

std::span<const float> Binder::tensor(std::string_view name, Shape shape, Initialiser initialise, bool matrix) {
  std::string full = prefix_ + std::string(name);
  if (block_ == nullptr) {
    specs_.push_back({std::move(full), std::move(shape), std::move(initialise), matrix});
    return {};
  }
  const auto found = std::find_if(tensors_.begin(), tensors_.end(), [&](const Tensor& t) { return t.name == full; });
  return found->values;  // check_tensors made sure that it exists
}

PackedMatrix Binder::pack(std::span<const std::span<const float>> groups, std::span<const int> group_rows, int cols) {
  PackedMatrix packed{.cols = cols, .precision = precision_};
  for (const int rows : group_rows) packed.rows += padded(rows);
  std::byte* data = take(packed.bytes());
  packed.data = data;
  if (data == nullptr) return packed;
  int first = 0, used = 1;
  bool is_identity = groups.size() == 1 && cols <= group_rows[0];
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (int r = 0; r < group_rows[g]; ++r) {
      const auto row = groups[g].subspan(as_size(r) * cols, as_size(cols));
      pack_row(packed, data, first + r, row);
      for (int c = 0; c < cols; ++c) {
        const float value = row[as_size(c)];
        if (value != 0.0F) used = std::max(used, c + 1);  // NaN counts
        is_identity = is_identity && value == (r == c ? 1.0F : 0.0F);
      }
    }
    first += padded(group_rows[g]);
  }
  packed.zero_cols = cols - used;
  packed.identity = is_identity;
  return packed;
}

PackedMatrix Binder::matrix(std::string_view name, std::initializer_list<int> groups, int cols,
                            Initialiser initialise) {
  const int rows = std::accumulate(groups.begin(), groups.end(), 0);
  if (!initialise) initialise = uniform(1.0 / std::sqrt(static_cast<double>(cols)));
  const auto values = tensor(name, {rows, cols}, std::move(initialise), true);
  std::vector<std::span<const float>> parts;
  std::size_t first = 0;
  for (const int r : groups) {
    const std::size_t count = as_size(r) * cols;
    parts.push_back(values.empty() ? values : values.subspan(first, count));
    first += count;
  }
  return pack(parts, {groups.begin(), groups.size()}, cols);
}

PackedMatrix Binder::matrix_of(std::initializer_list<std::string_view> names, std::initializer_list<int> groups,
                               int cols) {
  std::vector<std::span<const float>> parts;
  const int* rows = groups.begin();
  for (const std::string_view name : names) {
    parts.push_back(tensor(name, {*rows++, cols}, uniform(1.0 / std::sqrt(static_cast<double>(cols))), true));
  }
  return pack(parts, {groups.begin(), groups.size()}, cols);
}

const float* Binder::vector(std::string_view name, std::initializer_list<int> groups, Initialiser initialise) {
  const int total = std::accumulate(groups.begin(), groups.end(), 0);
  const auto values = tensor(name, {total}, std::move(initialise));
  std::size_t floats = 0;
  for (const int n : groups) floats += padded(n);
  float* data = room(floats);
  if (data == nullptr) return data;
  const float* from = values.data();
  float* to = data;
  for (const int n : groups) {
    std::copy_n(from, n, to);
    from += n;
    to += padded(n);
  }
  return data;
}

}  // namespace elastane
