// elastane/io/byte_fields.h
#include "elastane/io/byte_fields.h"

#include <gtest/gtest.h>

namespace elastane {
namespace {

TEST(ByteFields, WhatWasWrittenIsRead) {
  std::vector<std::byte> bytes;
  ByteWriter writer(bytes);
  writer(1.5);
  writer(std::uint64_t{7});
  writer(true);
  writer(std::string("text"));
  writer(std::vector<double>{1, 2});
  writer(std::vector<std::string>{"a", ""});
  ByteReader reader(bytes);
  double number = 0;
  std::uint64_t count = 0;
  bool flag = false;
  std::string text;
  std::vector<double> numbers;
  std::vector<std::string> texts;
  reader(number);
  reader(count);
  reader(flag);
  reader(text);
  reader(numbers);
  EXPECT_FALSE(reader.is_whole());
  reader(texts);
  EXPECT_TRUE(reader.is_whole());
  EXPECT_EQ(number, 1.5);
  EXPECT_EQ(count, 7U);
  EXPECT_TRUE(flag);
  EXPECT_EQ(text, "text");
  EXPECT_EQ(numbers, (std::vector<double>{1, 2}));
  EXPECT_EQ(texts, (std::vector<std::string>{"a", ""}));
}

TEST(ByteFields, ALengthBeyondTheBytesAllocatesNothing) {
  std::vector<std::byte> bytes;
  ByteWriter writer(bytes);
  writer(UINT64_MAX);
  std::vector<double> numbers;
  ByteReader reader(bytes);
  reader(numbers);
  EXPECT_TRUE(numbers.empty());
  EXPECT_FALSE(reader.is_whole());
}

}  // namespace
}  // namespace elastane
