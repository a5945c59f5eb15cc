#include "elastane/serve/http/target.h"

#include <algorithm>
#include <charconv>

#include "elastane/serve/stream_id.h"

namespace elastane::serve {
namespace {

constexpr std::size_t kLongestTarget = 4096;

bool is_printable(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c > 0x20 && c < 0x7F; });
}

bool add_query(std::string_view pair, Target& target) {
  const std::size_t equals = pair.find('=');
  const auto key = percent_decoded(pair.substr(0, equals));
  const auto value = percent_decoded(equals == pair.npos ? "" : pair.substr(equals + 1));
  return key && value && target.query.emplace(*key, *value).second;
}

}  // namespace

std::optional<Target> parse_target(std::string_view text) {
  if (text.size() > kLongestTarget || !text.starts_with('/') || !is_printable(text)) return {};
  Target target;
  const std::size_t mark = text.find('?');
  std::string_view path = text.substr(1, mark == text.npos ? text.npos : mark - 1);
  std::string_view query = mark == text.npos ? "" : text.substr(mark + 1);
  while (!path.empty()) {
    const std::size_t end = path.find('/');
    const auto piece = percent_decoded(path.substr(0, end));
    if (!piece || !is_stream_id(*piece)) return {};
    target.path.push_back(*piece);
    path.remove_prefix(end == path.npos ? path.size() : end + 1);
  }
  while (!query.empty()) {
    const std::size_t end = query.find('&');
    if (!add_query(query.substr(0, end), target)) return {};
    query.remove_prefix(end == query.npos ? query.size() : end + 1);
  }
  return target;
}

std::optional<std::uint64_t> parse_whole(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

}  // namespace elastane::serve
