// elastane/io/gzip.cpp
#include "elastane/io/gzip.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include "elastane/io/table.h"
#include "tests/io/folder.h"

namespace elastane {
namespace {

std::string gzipped(const std::string& text) {
  z_stream z = {};
  ::deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string bytes(::deflateBound(&z, text.size()) + 32, 0);
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  z.avail_in = static_cast<uInt>(text.size());
  z.next_out = reinterpret_cast<Bytef*>(bytes.data());
  z.avail_out = static_cast<uInt>(bytes.size());
  ::deflate(&z, Z_FINISH);
  bytes.resize(z.total_out);
  ::deflateEnd(&z);
  return bytes;
}

std::span<const std::byte> span_of(const std::string& text) { return std::as_bytes(std::span(text)); }

TEST(Gzip, GivesBackWhatWasPacked) {
  std::string text;
  for (int i = 0; i < 50'000; ++i) text += std::to_string(i) + "\n";
  const std::string one = gzipped(text);
  EXPECT_TRUE(is_gzip(span_of(one)));
  EXPECT_EQ(unpack_gzip(span_of(one), "x").value(), text);
  EXPECT_EQ(unpack_gzip(span_of(one + gzipped("end")), "x").value(), text + "end") << "several members";
}

TEST(Gzip, UnpacksPiecesAsTheyArrive) {
  const std::string bytes = gzipped(std::string(100'000, 'x'));
  GzipReader reader;
  std::string text;
  for (const char& c : bytes) ASSERT_TRUE(reader.unpack(std::as_bytes(std::span(&c, 1)), text));
  EXPECT_EQ(text, std::string(100'000, 'x'));
  EXPECT_TRUE(reader.is_complete());
}

TEST(Gzip, SaysWhatIsCutOrDamaged) {
  std::string bytes = gzipped("some text that is long enough to be cut");
  EXPECT_NE(unpack_gzip(span_of(bytes.substr(0, bytes.size() - 6)), "x").error().find("cut short"), std::string::npos);
  for (char& c : bytes) c = static_cast<char>(c ^ (&c - bytes.data() > 12 ? 0x55 : 0));
  EXPECT_FALSE(unpack_gzip(span_of(bytes), "x"));
  EXPECT_FALSE(is_gzip(span_of("a,b")));
}

TEST(Gzip, TablesMayBePacked) {
  const Folder folder;
  write_text(folder / "a.csv.gz", gzipped("a,b\n1,2\n3,4\n"));
  EXPECT_EQ(read_table(folder / "a.csv.gz").value().rows, 2U);
}

}  // namespace
}  // namespace elastane
