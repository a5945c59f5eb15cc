#include "elastane/serve/stream_id.h"

#include "elastane/io/row_reader.h"

namespace elastane::serve {
namespace {

constexpr const char* kDigits = "0123456789abcdef";

bool is_plain(unsigned char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_';
}

int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// bytes of the character that begins here, or 0 if it is not valid
std::size_t length_of(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const auto continues = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
  const unsigned first = byte(0);
  if (first < 0x80) return first >= 0x20 && first != 0x7F ? 1 : 0;
  if (first >= 0xC2 && first < 0xE0) return continues(1) && (first > 0xC2 || byte(1) >= 0xA0) ? 2 : 0;
  if (first >= 0xE0 && first < 0xF0) {
    const bool is_long = first > 0xE0 || byte(1) >= 0xA0, is_surrogate = first == 0xED && byte(1) >= 0xA0;
    return continues(1) && continues(2) && is_long && !is_surrogate ? 3 : 0;
  }
  if (first >= 0xF0 && first < 0xF5) {
    const bool fits = (first > 0xF0 || byte(1) >= 0x90) && (first < 0xF4 || byte(1) < 0x90);
    return continues(1) && continues(2) && continues(3) && fits ? 4 : 0;
  }
  return 0;
}

}  // namespace

std::uint32_t fnv1a(std::string_view text) {
  std::uint32_t hash = 2166136261U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return hash;
}

bool is_stream_id(std::string_view id) {
  if (id.empty() || id.size() > kLongestId || id == "." || id == "..") return false;
  while (!id.empty()) {
    const std::size_t length = length_of(id);
    if (length == 0) return false;
    id.remove_prefix(length);
  }
  return true;
}

std::string percent_encoded(std::string_view text) {
  std::string encoded;
  for (const char each : text) {
    const auto c = static_cast<unsigned char>(each);
    if (is_plain(c)) {
      encoded += each;
    } else {
      ((encoded += '%') += kDigits[c >> 4]) += kDigits[c & 15];
    }
  }
  return encoded;
}

std::optional<std::string> percent_decoded(std::string_view text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      decoded += text[i];
      continue;
    }
    const int high = i + 2 < text.size() ? digit_of(text[i + 1]) : -1, low = high < 0 ? -1 : digit_of(text[i + 2]);
    if (low < 0) return {};
    decoded += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return decoded;
}

std::string hex_text(std::uint64_t value) {
  std::string text(16, '0');
  for (std::size_t i = 16; i-- > 0; value >>= 4) text[i] = kDigits[value & 15];
  return text;
}

}  // namespace elastane::serve
