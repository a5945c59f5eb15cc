#include "apps/elastane/watch/event_text.h"

#include <charconv>

namespace elastane::app {
namespace {

constexpr std::size_t kLongestLine = 16 << 20;

}  // namespace

void EventText::add(std::string_view piece, const std::function<void(const Event&)>& each) {
  while (!piece.empty()) {
    const std::size_t end = piece.find('\n');
    if (line_.size() < kLongestLine) line_ += piece.substr(0, end);
    if (end == piece.npos) return;
    piece.remove_prefix(end + 1);
    if (line_.ends_with('\r')) line_.pop_back();
    take(line_, each);
    line_.clear();
  }
}

void EventText::take(std::string_view line, const std::function<void(const Event&)>& each) {
  if (line.empty()) {
    if (!event_.data.empty()) each(event_);
    event_.data.clear();
    return;
  }
  const std::size_t colon = line.find(':');
  if (colon == 0 || colon == line.npos) return;
  const std::string_view name = line.substr(0, colon);
  std::string_view value = line.substr(colon + 1);
  if (value.starts_with(' ')) value.remove_prefix(1);
  if (name == "id") std::from_chars(value.data(), value.data() + value.size(), event_.id);
  if (name == "data") (event_.data += event_.data.empty() ? "" : "\n") += value;
}

}  // namespace elastane::app
