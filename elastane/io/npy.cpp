#include "elastane/io/npy.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <vector>

#include "elastane/io/cell.h"
#include "elastane/io/row_reader.h"
#include "elastane/io/trace_line.h"

namespace elastane {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kLongestHeader = 1 << 16;  // that of a plain array has about a hundred bytes

Error malformed(const std::string& source, const std::string& what) { return Error{"[table] " + source + ": " + what}; }

// the header of the file, a Python dictionary: {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }
struct Header {
  std::optional<std::string> type;
  std::optional<bool> fortran;
  std::optional<std::vector<std::uint64_t>> shape;
};

class HeaderParser {
 public:
  explicit HeaderParser(std::string_view text) : rest_(text) {}

  bool parse(Header& header) {
    if (!take("{")) return false;
    while (!take("}")) {
      std::string key;
      if (!text(key) || !take(":") || !value(key, header)) return false;
      if (!take(",") && !rest_.starts_with('}')) return false;
    }
    skip();
    return rest_.empty() && header.type && header.fortran && header.shape;
  }

 private:
  void skip() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \n"), rest_.size())); }

  bool take(std::string_view word) {
    skip();
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    skip();
    return true;
  }

  bool text(std::string& out) {
    if (!take("'")) return false;
    const std::size_t end = rest_.find('\'');
    if (end == rest_.npos) return false;
    out = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return true;
  }

  bool value(const std::string& key, Header& header) {
    if (key == "descr" && !header.type) return text(header.type.emplace());
    if (key == "shape" && !header.shape) return tuple(header.shape.emplace());
    if (key != "fortran_order" || header.fortran) return false;
    header.fortran = rest_.starts_with("True");
    return take("True") || take("False");
  }

  bool tuple(std::vector<std::uint64_t>& sizes) {
    if (!take("(")) return false;
    while (!take(")")) {
      std::uint64_t size = 0;
      const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), size);
      if (error != std::errc()) return false;
      rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
      sizes.push_back(size);
      if (!take(",") && !rest_.starts_with(')')) return false;
    }
    return true;
  }

  std::string_view rest_;
};

template <class T>
double read_at(const std::byte* data, std::size_t i) {
  T value;
  std::memcpy(&value, data + i * sizeof(T), sizeof(T));
  return static_cast<double>(value);
}

struct Type {
  std::string_view name;
  std::size_t bytes;
  double (*read)(const std::byte* data, std::size_t i);
};
constexpr std::array kTypes = {Type{"<f8", 8, read_at<double>}, Type{"<f4", 4, read_at<float>},
                               Type{"<i8", 8, read_at<std::int64_t>}, Type{"<i4", 4, read_at<std::int32_t>}};

// the text of the header, and the data after it
Result<std::string_view> header_text(std::span<const std::byte>& bytes, const std::string& source) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (!text.starts_with(kMagic))
    return malformed(source, "expected a NumPy array, found other bytes; save it with numpy.save");
  if (text.size() < kMagic.size() + 2)
    return malformed(source, "expected a version, found the end; the file is cut short");
  const int version = static_cast<unsigned char>(text[kMagic.size()]);
  if (version < 1 || version > 3) {
    return malformed(source, "expected version 1, 2 or 3, found " + std::to_string(version));
  }
  const std::size_t at = kMagic.size() + 2, width = version == 1 ? 2 : 4;
  if (text.size() < at + width) return malformed(source, "expected a header, found the end; the file is cut short");
  std::uint32_t length = 0;
  std::memcpy(&length, bytes.data() + at, width);
  if (length > kLongestHeader || length > text.size() - at - width) {
    return malformed(source, "expected a header of " + std::to_string(length) + " bytes, found " +
                                 std::to_string(text.size() - at - width) + "; the file is cut short or damaged");
  }
  bytes = bytes.subspan(at + width + length);
  return text.substr(at + width, length);
}

// an array as [series][row][column]
struct Sizes {
  std::uint64_t series = 1, rows = 0, columns = 1;
};

Sizes sizes_of(const std::vector<std::uint64_t>& shape) {
  if (shape.size() == 3) return {shape[0], shape[1], shape[2]};
  return {1, shape[0], shape.size() == 2 ? shape[1] : 1};
}

// checks that the shape is a table and that the data have its size
Status check_shape(const std::vector<std::uint64_t>& shape, std::size_t item, std::size_t bytes,
                   const std::string& source) {
  if (shape.empty() || shape.size() > 3) {
    return malformed(source,
                     "expected one to three dimensions, found " + std::to_string(shape.size()) + "; reshape it");
  }
  const auto [series, rows, columns] = sizes_of(shape);
  if (series == 0 || rows == 0 || columns == 0) {
    return malformed(source, "expected rows of numbers, found an empty array");
  }
  if (columns > kMostColumns) {
    return malformed(source, "expected at most " + std::to_string(kMostColumns) + " columns, found " +
                                 std::to_string(columns) + "; transpose it: a row is a time");
  }
  // division, so that hostile sizes cannot overflow
  const std::size_t row = columns * item;
  if (bytes % row != 0 || bytes / row % series != 0 || bytes / row / series != rows) {
    const std::string of = series > 1 ? std::to_string(series) + " times " : "";
    return malformed(source, "expected " + of + std::to_string(rows) + " rows of " + std::to_string(columns * item) +
                                 " bytes, found " + std::to_string(bytes) + " bytes; the file is cut short or damaged");
  }
  return {};
}

}  // namespace

Result<Table> parse_npy(std::span<const std::byte> bytes, const std::string& source) {
  const auto text = header_text(bytes, source);
  if (!text) return Error{text.error()};
  Header header;
  if (!HeaderParser(*text).parse(header)) {
    return malformed(source, "expected a header with descr, fortran_order and shape of a plain array, found " +
                                 excerpt(*text) + "; save one array of numbers");
  }
  const auto type = std::find_if(kTypes.begin(), kTypes.end(), [&](const Type& t) { return t.name == *header.type; });
  if (type == kTypes.end()) {
    return malformed(
        source, "expected <f4, <f8, <i4 or <i8, found " + excerpt(*header.type) + "; convert it with astype('<f8')");
  }
  const auto& shape = *header.shape;
  if (const Status fits = check_shape(shape, type->bytes, bytes.size(), source); !fits) return Error{fits.error()};

  const auto [series, length, columns] = sizes_of(shape);
  if (series > 1 && *header.fortran) {
    return malformed(source, "expected three dimensions in C order, found Fortran's; save numpy.ascontiguousarray");
  }

  Table table;
  table.rows = series * length;
  for (std::uint64_t s = 0; shape.size() == 3 && s < series; ++s) {
    table.id_column = "series";
    table.series.push_back(std::to_string(s));
    table.series_of.insert(table.series_of.end(), length, static_cast<int>(s));
  }
  for (std::size_t c = 0; c < columns; ++c) table.columns.push_back("c" + std::to_string(c));
  table.values.resize(table.rows * columns);
  for (std::size_t r = 0; r < table.rows; ++r) {
    for (std::size_t c = 0; c < columns; ++c) {
      double value = type->read(bytes.data(), *header.fortran ? c * table.rows + r : r * columns + c);
      if (std::isinf(value)) table.infinite += 1, value = std::numeric_limits<double>::quiet_NaN();
      table.values[r * columns + c] = value;
    }
  }
  return table;
}

}  // namespace elastane
