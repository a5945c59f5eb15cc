#include "elastane/serve/nats/stored_forecasts.h"

#include <algorithm>

namespace elastane::serve {

void StoredForecasts::add(std::uint64_t number, const Entry& entry, HashRoom& room) {
  if (const auto known = entries_.find(number); known != entries_.end()) {
    known->second = entry;  // stored again
  } else if (room.left > 0) {
    entries_.emplace(number, entry);
    room.left -= 1;
  }
  // nearly always the one after the last
  if (!ranges_.empty() && number == ranges_.back().last + 1) {
    ranges_.back().last = number;
    return;
  }
  auto next = std::ranges::upper_bound(ranges_, number, {}, &Range::first);
  const bool follows = next != ranges_.begin() && number <= std::prev(next)->last + 1;
  if (follows) {
    const auto before = std::prev(next);
    before->last = std::max(before->last, number);
    if (next != ranges_.end() && before->last + 1 == next->first) {
      before->last = next->last;
      ranges_.erase(next);
    }
  } else if (next != ranges_.end() && number + 1 == next->first) {
    next->first = number;
  } else {
    ranges_.insert(next, {number, number});
  }
}

bool StoredForecasts::contains(std::uint64_t number) const {
  const auto next = std::ranges::upper_bound(ranges_, number, {}, &Range::first);
  return next != ranges_.begin() && number <= std::prev(next)->last;
}

std::optional<StoredForecasts::Entry> StoredForecasts::take(std::uint64_t number, HashRoom& room) {
  const auto known = entries_.find(number);
  if (known == entries_.end()) return {};
  const Entry entry = known->second;
  entries_.erase(known);
  room.left += 1;
  return entry;
}

}  // namespace elastane::serve
