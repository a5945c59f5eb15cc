// elastane/io/descriptor.cpp
#include "elastane/io/descriptor.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <string>

namespace elastane {
namespace {

std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

TEST(Descriptor, WritesEverythingAndClosesOnce) {
  std::array<int, 2> pipe{};
  ASSERT_EQ(::pipe(pipe.data()), 0);
  Descriptor reader(pipe[0]), writer(pipe[1]);
  EXPECT_TRUE(writer.write_all(bytes_of("some text")));
  EXPECT_TRUE(writer.close());
  EXPECT_FALSE(writer.is_open());
  EXPECT_TRUE(writer.close());
  std::array<char, 32> text{};
  EXPECT_EQ(::read(reader.get(), text.data(), text.size()), 9);
  EXPECT_STREQ(text.data(), "some text");
}

TEST(Descriptor, MovesLeaveNothingBehind) {
  Descriptor one(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  const int file = one.get();
  Descriptor two(std::move(one));
  EXPECT_EQ(two.get(), file);
  Descriptor three;
  three = std::move(two);
  EXPECT_EQ(three.get(), file);
}

TEST(Descriptor, FailuresAreReported) {
  const Descriptor none;
  EXPECT_FALSE(none.write_all(bytes_of("x")));
}

}  // namespace
}  // namespace elastane
