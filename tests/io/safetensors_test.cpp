// Tests of elastane/io/safetensors.cpp: files built by hand from the published specification.
#include "elastane/io/safetensors.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace elastane {
namespace {

template <class T>
std::string raw(std::initializer_list<T> values) {
  std::string bytes;
  for (const T value : values) bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
  return bytes;
}

// the length, the header as it is, the data
std::string file_of(const std::string& header, const std::string& data = "") {
  return raw({static_cast<std::uint64_t>(header.size())}) + header + data;
}

// one tensor called "a"
std::string one(const std::string& dtype, const std::string& shape, const std::string& data) {
  return file_of(R"({"a":{"dtype":")" + dtype + R"(","shape":)" + shape + R"(,"data_offsets":[0,)" +
                     std::to_string(data.size()) + "]}}",
                 data);
}

Result<Safetensors> parse(std::string_view bytes) {
  return parse_safetensors(std::as_bytes(std::span(bytes)), "f.safetensors");
}

// the message that refuses the file; "" if it is taken
std::string refusal(std::string_view bytes) {
  const auto file = parse(bytes);
  if (file) return "";
  EXPECT_TRUE(file.error().starts_with("[safetensors] f.safetensors: ")) << file.error();
  return file.error();
}

std::vector<float> values_of(const std::string& bytes) {
  const auto file = parse(bytes).value();
  return to_tensor(file.tensors.at(0), "f.safetensors").value().values;
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

// --- what the specification allows

TEST(Safetensors, ReadsTheExampleOfTheSpecification) {
  const std::string bytes = file_of(R"({"__metadata__":{"format":"pt","who":"me"},)"
                                    R"("b":{"dtype":"F32","shape":[2],"data_offsets":[16,24]},)"
                                    R"("a":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]}})",
                                    raw<float>({1, 2, 3, 4, 5, 6}));
  const Safetensors file = parse(bytes).value();
  EXPECT_EQ(file.metadata, (std::map<std::string, std::string>{{"format", "pt"}, {"who", "me"}}));
  ASSERT_EQ(file.tensors.size(), 2U);
  EXPECT_EQ(file.tensors[0].name, "a");  // in the order of their bytes
  EXPECT_EQ(file.tensors[0].shape, (Shape{2, 2}));
  EXPECT_EQ(to_tensor(file.tensors[0], "").value().values, (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(file.tensors[1].name, "b");
  EXPECT_EQ(to_tensor(file.tensors[1], "").value().values, (std::vector<float>{5, 6}));
}

TEST(Safetensors, ReadsPaddedAndUnpaddedHeadersAtAnyAlignment) {
  const std::string header = R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})";
  const std::string data = raw<float>({1.5F, -2.5F});
  for (int spaces = 0; spaces < 17; ++spaces) {
    EXPECT_EQ(values_of(file_of(header + std::string(spaces, ' '), data)), (std::vector<float>{1.5F, -2.5F})) << spaces;
  }
}

TEST(Safetensors, ReadsTensorsThatBeginAtOddBytes) {
  const std::string bytes = file_of(R"({"i":{"dtype":"I8","shape":[1],"data_offsets":[0,1]},)"
                                    R"("f":{"dtype":"F32","shape":[2],"data_offsets":[1,9]},)"
                                    R"("d":{"dtype":"F64","shape":[1],"data_offsets":[9,17]}})",
                                    raw<std::int8_t>({7}) + raw<float>({1.5F, -2.5F}) + raw<double>({0.25}));
  const Safetensors file = parse(bytes).value();
  EXPECT_EQ(to_tensor(file.tensors[1], "").value().values, (std::vector<float>{1.5F, -2.5F}));
  EXPECT_EQ(to_tensor(file.tensors[2], "").value().values, (std::vector<float>{0.25F}));
}

TEST(Safetensors, ReadsEmptyTensorsAndScalars) {
  EXPECT_EQ(values_of(one("F32", "[0]", "")), std::vector<float>());
  EXPECT_EQ(values_of(one("BF16", "[3,0,2]", "")), std::vector<float>());
  EXPECT_EQ(values_of(one("F32", "[]", raw<float>({7}))), (std::vector<float>{7}));
  // several empty ones at the same place, between others
  const std::string bytes = file_of(R"({"x":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
                                    R"("e1":{"dtype":"F32","shape":[0],"data_offsets":[4,4]},)"
                                    R"("e2":{"dtype":"F64","shape":[5,0],"data_offsets":[4,4]},)"
                                    R"("e0":{"dtype":"F32","shape":[0],"data_offsets":[0,0]},)"
                                    R"("y":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})",
                                    raw<float>({1, 2}));
  EXPECT_EQ(parse(bytes).value().tensors.size(), 5U);
}

TEST(Safetensors, ReadsAFileWithoutTensors) {
  EXPECT_TRUE(parse(file_of("{}")).value().tensors.empty());
  EXPECT_TRUE(parse(file_of("{}      ")).value().tensors.empty());
  EXPECT_EQ(parse(file_of(R"({"__metadata__":{"a":"b"}})")).value().metadata.at("a"), "b");
}

TEST(Safetensors, ConvertsDoublesToTheNearestFloat) {
  const auto values = values_of(one("F64", "[4]", raw<double>({1.0 / 3, -2.5, 1e-320, 1e300})));
  EXPECT_EQ(values[0], static_cast<float>(1.0 / 3));
  EXPECT_EQ(values[1], -2.5F);
  EXPECT_EQ(values[2], 0.0F);
  EXPECT_TRUE(std::isinf(values[3]));
}

TEST(Safetensors, ConvertsBfloat16Exactly) {
  const auto values = values_of(one("BF16", "[5]", raw<std::uint16_t>({0x3F80, 0xC020, 0x0001, 0x7F80, 0x8000})));
  EXPECT_EQ(values[0], 1.0F);
  EXPECT_EQ(values[1], -2.5F);
  EXPECT_EQ(values[2], std::bit_cast<float>(0x00010000U));
  EXPECT_TRUE(std::isinf(values[3]));
  EXPECT_TRUE(values[4] == 0 && std::signbit(values[4]));
}

TEST(Safetensors, ConvertsEveryHalfExactly) {
  std::string data;
  for (std::uint32_t half = 0; half < 65536; ++half) data += raw({static_cast<std::uint16_t>(half)});
  const auto values = values_of(one("F16", "[65536]", data));
  for (std::uint32_t half = 0; half < 65536; ++half) {
    // (−1)^s · 2^(e−15) · 1.f, or 2^(−14) · 0.f for e = 0
    const int exponent = half >> 10 & 31, fraction = half & 1023;
    double expected = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
    if (exponent == 31) expected = fraction == 0 ? HUGE_VAL : std::nan("");
    if ((half & 0x8000) != 0) expected = -expected;
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(values[half])) << half;
    } else {
      ASSERT_EQ(values[half], expected) << half;
      ASSERT_EQ(std::signbit(values[half]), (half & 0x8000) != 0) << half;
    }
  }
}

TEST(Safetensors, ReadsOtherTypesButDoesNotTakeThemForWeights) {
  for (const auto& [dtype, size] : {std::pair("I64", 8),
                                    {"U64", 8},
                                    {"I32", 4},
                                    {"U32", 4},
                                    {"I16", 2},
                                    {"U16", 2},
                                    {"I8", 1},
                                    {"U8", 1},
                                    {"BOOL", 1},
                                    {"F8_E4M3", 1},
                                    {"F8_E5M2", 1}}) {
    const std::string bytes = one(dtype, "[2]", std::string(static_cast<std::size_t>(size) * 2, '\1'));
    const auto file = parse(bytes);
    ASSERT_TRUE(file) << dtype;
    const auto tensor = to_tensor(file->tensors[0], "f.safetensors");
    ASSERT_FALSE(tensor) << dtype;
    EXPECT_EQ(tensor.error(),
              std::string("[safetensors] f.safetensors: tensor a: expected F32, BF16, F16 or F64, found ") + dtype);
  }
}

// --- what it forbids

TEST(MalformedSafetensors, WithoutRoomForAHeaderAreRefused) {
  for (std::size_t n = 0; n < 8; ++n) EXPECT_TRUE(contains(refusal(std::string(n, '\0')), "cut short")) << n;
  EXPECT_NE(refusal(std::string(8, '\0')), "");  // a header of no bytes is not an object
}

TEST(MalformedSafetensors, WithAHeaderLongerThanTheFileAreRefused) {
  const std::string header = "{}      ";
  for (const std::uint64_t length :
       {std::uint64_t{9}, std::uint64_t{100'000'001}, std::uint64_t{1} << 63, ~std::uint64_t{0}}) {
    const std::string why = refusal(raw({length}) + header);
    EXPECT_TRUE(contains(why, "expected a header of ") && contains(why, std::to_string(length))) << why;
  }
}

TEST(MalformedSafetensors, WithAHeaderThatIsNotAnObjectAreRefused) {
  for (const char* header : {"", " ", "{", "}", "[]", "null", "1", "\"a\"", "{}{}", "{} x", "{\"a\":}", "{'a':1}",
                             "\xff\xfe{}", "{\"a\xff\":1}", "{\"\\ud800\":1}", "{\"a\":1e999}"}) {
    EXPECT_NE(refusal(file_of(header)), "") << header;
  }
}

TEST(MalformedSafetensors, WithAHeaderThatDoesNotBeginWithABraceAreRefused) {
  // the specification: "the header data MUST begin with a { character"
  for (const char* header : {" {}", "\n{}", "\xEF\xBB\xBF{}"}) EXPECT_NE(refusal(file_of(header)), "") << header;
}

TEST(MalformedSafetensors, WithANameThatAppearsTwiceAreRefused) {
  const std::string tensor = R"("a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]})";
  EXPECT_TRUE(contains(refusal(file_of("{" + tensor + "," + tensor + "}", raw<float>({1}))), "has the key a twice"));
  EXPECT_NE(refusal(file_of(R"({"__metadata__":{},"__metadata__":{}})")), "");
  EXPECT_NE(refusal(file_of(R"({"__metadata__":{"":"1","":"2"}})")), "") << "the empty name";
  EXPECT_NE(refusal(file_of(R"({"__metadata__":{"elastane":"1","elastane":"2"}})")), "");
  EXPECT_NE(
      refusal(file_of(R"({"a":{"dtype":"F32","dtype":"F32","shape":[1],"data_offsets":[0,4]}})", raw<float>({1}))), "");
}

TEST(MalformedSafetensors, WithMetadataThatIsNotTextAreRefused) {
  EXPECT_TRUE(contains(refusal(file_of(R"({"__metadata__":[]})")), "__metadata__"));
  EXPECT_TRUE(contains(refusal(file_of(R"({"__metadata__":{"key":1}})")), "key"));
  EXPECT_TRUE(contains(refusal(file_of(R"({"__metadata__":{"key":null}})")), "key"));
  EXPECT_TRUE(contains(refusal(file_of(R"({"__metadata__":{"key":{"a":"b"}}})")), "key"));
}

TEST(MalformedSafetensors, WithAnIncompleteEntryAreRefused) {
  for (const char* entry : {"{}", "1", "null", "[]", "\"F32\"", R"({"dtype":"F32","shape":[1]})",
                            R"({"dtype":"F32","data_offsets":[0,4]})", R"({"shape":[1],"data_offsets":[0,4]})"}) {
    const std::string why = refusal(file_of(std::string("{\"a\":") + entry + "}", raw<float>({1})));
    EXPECT_TRUE(contains(why, "tensor a: expected dtype, shape and data_offsets")) << entry << ": " << why;
  }
}

TEST(MalformedSafetensors, WithAnUnknownTypeAreRefused) {
  EXPECT_TRUE(contains(refusal(one("F31", "[1]", raw<float>({1}))), "unknown dtype \"F31\""));
  EXPECT_NE(refusal(file_of(R"({"a":{"dtype":7,"shape":[1],"data_offsets":[0,4]}})", raw<float>({1}))), "");
  EXPECT_NE(refusal(one("f32", "[1]", raw<float>({1}))), "");
}

TEST(MalformedSafetensors, WithAShapeThatIsNotAListOfSizesAreRefused) {
  for (const char* shape :
       {"1", "null", "{}", "[-1]", "[1.0]", "[\"1\"]", "[null]", "[[1]]", "[true]", "[1e0]", "[18446744073709551615]",
        "[18446744073709551616]", "[9223372036854775808]", "[281474976710656]"}) {
    EXPECT_TRUE(contains(refusal(one("F32", shape, raw<float>({1}))), "tensor a")) << shape;
  }
}

TEST(MalformedSafetensors, WithAShapeThatDoesNotFitTheBytesAreRefused) {
  for (const char* shape :
       {"[]", "[1]", "[3]", "[2,2]", "[0]", "[2,0]", "[4294967296,4294967296]", "[65536,65536,65536,65536]",
        "[281474976710655,281474976710655,281474976710655,281474976710655,281474976710655]"}) {
    const std::string why = refusal(one("F32", shape, raw<float>({1, 2})));
    EXPECT_TRUE(contains(why, "tensor a: expected ")) << shape << ": " << why;
  }
}

TEST(MalformedSafetensors, WithSidesThatOverflowAreRefusedEvenIfTheShapeIsEmpty) {
  // 2^47·2^47 does not fit in 64 bits, though times zero it is zero; the reference implementation refuses it, too
  EXPECT_NE(refusal(one("F32", "[140737488355328,140737488355328,0]", "")), "");
  EXPECT_NE(refusal(one("F32", "[0,140737488355328,140737488355328]", "")), "");
}

std::string with_offsets(const std::string& offsets, const std::string& data) {
  return file_of(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":)" + offsets + "}}", data);
}

TEST(MalformedSafetensors, WithOffsetsThatAreNotAPairOfPositionsAreRefused) {
  const std::string data = raw<float>({1, 2});
  for (const char* offsets :
       {"4", "null", "[]", "[0]", "[0,4,8]", "[-4,0]", "[0,-4]", "[0.0,4.0]", "[\"0\",\"4\"]", "[4,0]", "[8,4]",
        "[8,12]", "[0,18446744073709551615]", "[18446744073709551612,0]", "[18446744073709551612,4]",
        "[9223372036854775804,9223372036854775808]", "[1e3,1e4]", "{\"0\":0,\"1\":4}"}) {
    EXPECT_TRUE(contains(refusal(with_offsets(offsets, data)), "tensor a")) << offsets;
  }
}

std::string two(const std::string& a, const std::string& b, const std::string& data) {
  return file_of(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":)" + a +
                     R"(},"b":{"dtype":"F32","shape":[1],"data_offsets":)" + b + "}}",
                 data);
}

TEST(MalformedSafetensors, WithTensorsThatDoNotTileTheDataAreRefused) {
  const std::string data = raw<float>({1, 2, 3});
  EXPECT_EQ(refusal(two("[0,4]", "[4,8]", data.substr(0, 8))), "");
  EXPECT_EQ(refusal(two("[4,8]", "[0,4]", data.substr(0, 8))), "");
  EXPECT_TRUE(contains(refusal(two("[0,4]", "[0,4]", data.substr(0, 4))), "overlap")) << "twice the same";
  EXPECT_TRUE(contains(refusal(two("[0,4]", "[2,6]", data.substr(0, 6))), "overlap"));
  EXPECT_TRUE(contains(refusal(two("[0,4]", "[8,12]", data)), "hole"));
  EXPECT_TRUE(contains(refusal(two("[4,8]", "[8,12]", data)), "hole")) << "at the beginning";
  EXPECT_TRUE(contains(refusal(two("[0,4]", "[4,8]", data)), "belong to no tensor")) << "at the end";
  EXPECT_TRUE(contains(refusal(file_of("{}", "x")), "belong to no tensor"));
  EXPECT_TRUE(contains(refusal(two("[0,4]", "[4,8]", data.substr(0, 7))), "cut short"));
}

// --- hostile depth

std::string nested(int depth) {
  return std::string(static_cast<std::size_t>(depth), '[') + std::string(static_cast<std::size_t>(depth), ']');
}

TEST(DeepSafetensors, NestedAHundredThousandTimesAreRefusedWithoutACrash) {
  constexpr int kDepth = 100'000;
  EXPECT_NE(refusal(file_of(nested(kDepth))), "");
  EXPECT_NE(refusal(file_of("{\"a\":" + nested(kDepth) + "}")), "");
  EXPECT_NE(refusal(file_of("{\"__metadata__\":" + nested(kDepth) + "}")), "");
  EXPECT_NE(refusal(file_of("{\"__metadata__\":{\"k\":" + nested(kDepth) + "}}")), "");
  EXPECT_NE(refusal(file_of(std::string(kDepth, '['))), "");
}

TEST(DeepSafetensors, NestedInTheFieldsOfAnEntryAreRefusedWithoutACrash) {
  const std::string deep = nested(100'000);
  EXPECT_NE(refusal(file_of("{\"a\":{\"dtype\":\"F32\",\"shape\":" + deep + ",\"data_offsets\":[0,0]}}")), "");
  EXPECT_NE(refusal(file_of("{\"a\":{\"dtype\":\"F32\",\"shape\":[0],\"data_offsets\":" + deep + "}}")), "");
  EXPECT_NE(refusal(file_of("{\"a\":{\"dtype\":\"F32\",\"shape\":[0],\"data_offsets\":[" + deep + ",0]}}")), "");
  EXPECT_NE(refusal(file_of("{\"a\":{\"dtype\":" + deep + ",\"shape\":[0],\"data_offsets\":[0,0]}}")), "");
}

// --- writing

TEST(FormatSafetensors, IsReadBackBitForBit) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<Tensor> tensors = {{"w", {2, 3}, {1, -2, 0.1F, 1e-40F, -0.0F, 3e38F}},
                                       {"empty", {0, 4}, {}},
                                       {"scalar", {}, {5}},
                                       {"odd \"name\" \xC3\xA9\n", {2}, {nan, -1}}};
  const std::map<std::string, std::string> metadata = {
      {"format", "pt"}, {"quote", "\"\\\n\xE2\x88\x9A"}, {"empty", ""}};
  const auto bytes = format_safetensors(metadata, tensors).value();
  const auto file = parse_safetensors(bytes, "here").value();
  EXPECT_EQ(file.metadata, metadata);
  ASSERT_EQ(file.tensors.size(), tensors.size());
  for (const Tensor& expected : tensors) {
    const auto at = std::find_if(file.tensors.begin(), file.tensors.end(),
                                 [&](const StoredTensor& t) { return t.name == expected.name; });
    ASSERT_NE(at, file.tensors.end()) << expected.name;
    const Tensor tensor = to_tensor(*at, "here").value();
    EXPECT_EQ(tensor.shape, expected.shape);
    ASSERT_EQ(tensor.values.size(), expected.values.size());
    for (std::size_t i = 0; i < tensor.values.size(); ++i) {
      EXPECT_EQ(std::bit_cast<std::uint32_t>(tensor.values[i]), std::bit_cast<std::uint32_t>(expected.values[i]));
    }
  }
}

TEST(FormatSafetensors, BeginsTheDataOnAnEightByteBoundary) {
  for (int n = 0; n < 20; ++n) {
    const std::vector<Tensor> tensors = {{std::string(static_cast<std::size_t>(n), 'n'), {1}, {1.0F}}};
    const auto bytes = format_safetensors({}, tensors).value();
    std::uint64_t length = 0;
    std::memcpy(&length, bytes.data(), 8);
    EXPECT_EQ(length % 8, 0U);
    EXPECT_EQ(bytes.size(), 8 + length + 4);
    EXPECT_EQ(static_cast<char>(bytes[8]), '{');
  }
}

TEST(FormatSafetensors, StoresNamedTensorsInHalf) {
  const std::vector<Tensor> tensors = {{"w", {3}, {1.0F, 1.00390625F, 3.0F}}, {"b", {1}, {0.1F}}};
  const auto bytes = format_safetensors({}, tensors, {"w"}).value();
  const auto file = parse_safetensors(bytes, "here").value();
  EXPECT_EQ(file.tensors[0].dtype, "BF16");
  EXPECT_EQ(to_tensor(file.tensors[0], "").value().values, (std::vector<float>{1.0F, 1.0F, 3.0F}));
  EXPECT_EQ(file.tensors[1].dtype, "F32");
  EXPECT_EQ(to_tensor(file.tensors[1], "").value().values, (std::vector<float>{0.1F}));
}

}  // namespace
}  // namespace elastane
