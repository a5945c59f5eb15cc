// An AssociativeMemory with its own arrays, for tests that write and read by hand.
#pragma once

#include <cmath>
#include <vector>

#include "elastane/core/backbone/associative_memory.h"
#include "tests/core/floats.h"
#include "tests/isa.h"

namespace elastane {

class PlainMemory {
 public:
  explicit PlainMemory(const AssociativeMemory& with)
      : memory(with),
        store(with.floats()),
        aside(with.aside_floats()),
        work_(with.work_floats()),
        key_(with.heads * with.key_floats()),
        query_(with.heads * with.key_floats()),
        value_(with.heads * with.value_floats()),
        out_(with.heads * with.value_floats()),
        strength_(padded(with.heads)),
        keep_(padded(with.heads)) {
    memory.start(store, aside);
  }

  // key and query are those of all heads, one after the other
  MemoryReport step(const std::vector<float>& key, const std::vector<float>& value, double beta = 1, double alpha = 1) {
    return step(key, key, value, beta, alpha);
  }
  MemoryReport step(const std::vector<float>& key, const std::vector<float>& query, const std::vector<float>& value,
                    double beta, double alpha) {
    place(key, memory.keys, memory.key_floats(), key_);
    place(query, memory.keys, memory.key_floats(), query_);
    place(value, memory.values, memory.value_floats(), value_);
    for (int head = 0; head < memory.heads; ++head) {
      strength_[head] = static_cast<float>(beta);
      keep_[head] = static_cast<float>(alpha);
    }
    return memory.advance({.k = k_,
                           .key = key_,
                           .query = query_,
                           .value = value_,
                           .strength = strength_,
                           .keep = keep_,
                           .store = store,
                           .slow = nullptr,
                           .aside = aside,
                           .work = work_,
                           .out = out_});
  }
  // what the last query was answered with
  std::vector<float> answer() const {
    std::vector<float> all;
    for (int head = 0; head < memory.heads; ++head) {
      for (int i = 0; i < memory.values; ++i) all.push_back(out_[head * memory.value_floats() + i]);
    }
    return all;
  }
  // the answer to a query, without a write: β = 0 and α = 1 write zeros
  std::vector<float> ask(const std::vector<float>& query) {
    const std::vector<float> nothing(static_cast<std::size_t>(memory.heads * memory.keys)),
        zero(static_cast<std::size_t>(memory.heads * memory.values));
    step(nothing, query, zero, 0, 1);
    return answer();
  }

  AssociativeMemory memory;
  Floats store, aside;

 private:
  void place(const std::vector<float>& from, int n, int stride, Floats& to) const {
    for (int head = 0; head < memory.heads; ++head) {
      for (int i = 0; i < n; ++i) to[head * stride + i] = from[static_cast<std::size_t>(head * n + i)];
    }
  }
  const Kernels& k_ = *kernels(test_isa()).value();
  Floats work_, key_, query_, value_, out_, strength_, keep_;
};

// a random vector of length 1
inline std::vector<float> unit_vector(Random& random, int n) {
  std::vector<float> x(static_cast<std::size_t>(n));
  double squares = 0;
  for (float& value : x) {
    value = static_cast<float>(random.normal());
    squares += static_cast<double>(value) * value;
  }
  for (float& value : x) value = static_cast<float>(value / std::sqrt(squares));
  return x;
}

inline double distance(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::pow(static_cast<double>(a[i]) - b[i], 2);
  return std::sqrt(sum);
}

}  // namespace elastane
