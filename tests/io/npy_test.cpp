// elastane/io/npy.cpp: NumPy files of every version, type and order, and files that are not NumPy files.
#include "elastane/io/npy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

namespace elastane {
namespace {

using Values = std::vector<double>;

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

template <class T>
std::string raw(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

std::string file_of(const std::string& header, const std::string& data, int version = 1) {
  std::string file = std::string("\x93NUMPY") + static_cast<char>(version) + '\0';
  const auto length = static_cast<std::uint32_t>(header.size());
  file.append(reinterpret_cast<const char*>(&length), version == 1 ? 2 : 4);
  return file + header + data;
}

std::string header_of(const std::string& type, const std::string& shape, bool fortran = false) {
  return "{'descr': '" + type + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': " + shape +
         ", }     \n";
}

Result<Table> parse(const std::string& file) {
  // copied, so that a sanitizer sees a read beyond the end
  const std::vector<char> bytes(file.begin(), file.end());
  return parse_npy(std::as_bytes(std::span(bytes)), "a.npy");
}

TEST(Npy, OfEveryTypeAndVersionIsRead) {
  const Values expected = {1, -2, 3, 4, 5, 600};
  const std::vector<std::pair<std::string, std::string>> types = {{"<f8", raw<double>({1, -2, 3, 4, 5, 600})},
                                                                  {"<f4", raw<float>({1, -2, 3, 4, 5, 600})},
                                                                  {"<i8", raw<std::int64_t>({1, -2, 3, 4, 5, 600})},
                                                                  {"<i4", raw<std::int32_t>({1, -2, 3, 4, 5, 600})}};
  for (const int version : {1, 2, 3}) {
    for (const auto& [type, data] : types) {
      const Table table = parse(file_of(header_of(type, "(3, 2)"), data, version)).value();
      EXPECT_EQ(table.values, expected) << type;
      EXPECT_EQ(table.rows, 3U);
      EXPECT_EQ(table.columns, (std::vector<std::string>{"c0", "c1"}));
    }
  }
}

TEST(Npy, MayBeAVectorOrInFortransOrder) {
  const std::string data = raw<double>({1, 2, 3, 4, 5, 6});
  EXPECT_EQ(parse(file_of(header_of("<f8", "(6,)"), data)).value().rows, 6U);
  EXPECT_EQ(parse(file_of(header_of("<f8", "(3, 2)", true), data)).value().values, (Values{1, 4, 2, 5, 3, 6}));
}

TEST(Npy, OfThreeDimensionsIsSeveralSeries) {
  const std::string data = raw<double>({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  const Table table = parse(file_of(header_of("<f8", "(2, 3, 2)"), data)).value();
  EXPECT_EQ(table.rows, 6U);
  EXPECT_EQ(table.columns.size(), 2U);
  EXPECT_EQ(table.series, (std::vector<std::string>{"0", "1"}));
  EXPECT_EQ(table.series_of, (std::vector<int>{0, 0, 0, 1, 1, 1}));
  EXPECT_EQ(table.row(3)[0], 7);
  EXPECT_FALSE(parse(file_of(header_of("<f8", "(2, 3, 2)", true), data)));
  EXPECT_TRUE(contains(parse(file_of(header_of("<f8", "(2, 3, 3)"), data)).error(), "expected 2 times 3 rows of 24"));
}

TEST(Npy, CountsInfiniteValuesAsMissing) {
  const Table table = parse(file_of(header_of("<f4", "(3,)"), raw<float>({1, HUGE_VALF, NAN}))).value();
  EXPECT_EQ(table.infinite, 1U);
  EXPECT_TRUE(std::isnan(table.values[1]) && std::isnan(table.values[2]));
}

TEST(Npy, IsRefusedAtEveryLengthButItsOwn) {
  const std::string file = file_of(header_of("<f8", "(2, 2)"), raw<double>({1, 2, 3, 4}));
  for (std::size_t n = 0; n < file.size(); ++n) ASSERT_FALSE(parse(file.substr(0, n))) << n;
  EXPECT_TRUE(contains(parse(file + "x").error(), "expected 2 rows of 16 bytes, found 33"));
}

TEST(Npy, ThatIsNotATableIsRefused) {
  const std::string one = raw<double>({1});
  const auto why = [](const std::string& file) { return parse(file).error(); };
  EXPECT_TRUE(contains(why(file_of(header_of("<f8", "()"), one)), "expected one to three dimensions, found 0"));
  EXPECT_TRUE(
      contains(why(file_of(header_of("<f8", "(1, 1, 1, 1)"), one)), "expected one to three dimensions, found 4"));
  EXPECT_TRUE(contains(why(file_of(header_of("<f8", "(0,)"), "")), "found an empty array"));
  EXPECT_TRUE(contains(why(file_of(header_of(">f8", "(1,)"), one)), "expected <f4, <f8, <i4 or <i8, found >f8"));
  EXPECT_TRUE(contains(why(file_of(header_of("|O", "(1,)"), one)), "found |O"));
  EXPECT_TRUE(contains(why(file_of(header_of("<f8", "(1, 70000)"), one)), "transpose it"));
  EXPECT_TRUE(contains(why(file_of(header_of("<f8", "(4294967296, 65536)"), one)), "expected 4294967296 rows"));
  EXPECT_TRUE(
      contains(why(file_of(header_of("<f8", "(18446744073709551615, 2)"), one)), "expected 18446744073709551615 rows"));
  EXPECT_TRUE(contains(why(file_of(header_of("<f8", "(1,)"), one, 4)), "expected version 1, 2 or 3, found 4"));
  EXPECT_TRUE(contains(why("PK\x03\x04"), "expected a NumPy array"));
  std::string longer = file_of(header_of("<f8", "(1,)"), one, 2);
  std::memset(longer.data() + 8, 0xff, 4);
  EXPECT_TRUE(contains(why(longer), "expected a header of 4294967295 bytes"));
}

TEST(Npy, WithAnotherHeaderIsRefused) {
  for (const char* header :
       {"", "{", "{}", "{'descr': '<f8'}", "{'descr': '<f8', 'fortran_order': False, 'shape': (1,)",
        "{'descr': '<f8', 'fortran_order': Maybe, 'shape': (1,)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (-1,)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1 1)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': 1}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (18446744073709551616,)}",
        "{'descr': [('x', '<f8')], 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), 'more': 1}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1,)} x",
        "{'descr: '<f8', 'fortran_order': False, 'shape': (1,)}"}) {
    EXPECT_TRUE(contains(parse(file_of(header, raw<double>({1}))).error(), "expected a header with descr")) << header;
  }
}

}  // namespace
}  // namespace elastane
