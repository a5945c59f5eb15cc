// Numbers, texts and lists as bytes: one list of fields serves both directions.
//
//   template <class Row, class Each>
//   requires std::is_same_v<std::remove_const_t<Row>, MyRow>
//   void fields(Row& row, Each& each) { each(row.tick); each(row.values); }
//
//   ByteWriter writer(bytes);  fields(row, writer);       // appends
//   ByteReader reader(bytes);  fields(row, reader);       // reads; then reader.is_whole()
//
// Numbers are little-endian; texts and lists come after their length.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "elastane/io/row_reader.h"

namespace elastane {

class ByteWriter {
 public:
  explicit ByteWriter(std::vector<std::byte>& to) : to_(to) {}

  void operator()(const double& v) { put(&v, sizeof v); }
  void operator()(const std::uint64_t& v) { put(&v, sizeof v); }
  void operator()(const bool& v) { (*this)(std::uint64_t{v}); }
  void operator()(const RowFormat& v) { (*this)(static_cast<std::uint64_t>(v)); }
  void operator()(const std::string& v) { put_list(v.data(), v.size(), 1); }
  void operator()(const std::vector<double>& v) { put_list(v.data(), v.size(), sizeof(double)); }
  template <class T>
  void operator()(const std::vector<T>& v) {
    (*this)(std::uint64_t{v.size()});
    for (const T& each : v) fields(each, *this);
  }

 private:
  void put(const void* from, std::size_t bytes) {
    if (bytes == 0) return;
    const std::size_t at = to_.size();
    to_.resize(at + bytes);
    std::memcpy(to_.data() + at, from, bytes);
  }
  void put_list(const void* from, std::size_t count, std::size_t each) {
    (*this)(std::uint64_t{count});
    put(from, count * each);
  }

  std::vector<std::byte>& to_;
};

// after a field that does not fit, the rest stays empty and `is_whole` is false
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> from) : from_(from) {}

  void operator()(double& v) { get(&v, sizeof v); }
  void operator()(std::uint64_t& v) { get(&v, sizeof v); }
  void operator()(bool& v) { v = choice(2) == 1; }
  void operator()(RowFormat& v) { v = static_cast<RowFormat>(choice(2)); }
  void operator()(std::string& v) { get_list(v, 1); }
  void operator()(std::vector<double>& v) { get_list(v, sizeof(double)); }
  template <class T>
  void operator()(std::vector<T>& v) {
    const std::uint64_t count = length(1);
    for (std::uint64_t i = 0; i < count && fits_; ++i) fields(v.emplace_back(), *this);
  }
  bool is_whole() const { return fits_ && from_.empty(); }

 private:
  void get(void* to, std::size_t bytes) {
    fits_ = fits_ && bytes <= from_.size();
    if (!fits_ || bytes == 0) return;
    std::memcpy(to, from_.data(), bytes);
    from_ = from_.subspan(bytes);
  }
  std::uint64_t choice(std::uint64_t among) {
    std::uint64_t v = 0;
    (*this)(v);
    fits_ = fits_ && v < among;
    return fits_ ? v : 0;
  }
  // length of a list whose elements have at least `each` bytes
  std::uint64_t length(std::size_t each) {
    std::uint64_t count = 0;
    (*this)(count);
    fits_ = fits_ && count <= from_.size() / each;
    return fits_ ? count : 0;
  }
  template <class List>
  void get_list(List& v, std::size_t each) {
    v.resize(length(each));
    get(v.data(), v.size() * each);
  }

  std::span<const std::byte> from_;
  bool fits_ = true;
};

template <class Text, class Each>
requires std::is_same_v<std::remove_const_t<Text>, std::string>
void fields(Text& text, Each& each) { each(text); }

}  // namespace elastane
