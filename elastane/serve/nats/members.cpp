#include "elastane/serve/nats/members.h"

#include <algorithm>

#include "elastane/core/base/checksum.h"

namespace elastane::serve {

std::vector<std::string> assign_partitions(int partitions, const std::vector<std::string>& workers) {
  std::vector<std::string> owners(static_cast<std::size_t>(partitions));
  if (workers.empty()) return owners;
  struct Bid {
    std::uint64_t value;
    std::size_t partition, worker;
  };
  std::vector<Bid> bids;
  for (std::size_t p = 0; p < owners.size(); ++p) {
    for (std::size_t w = 0; w < workers.size(); ++w) {
      bids.push_back({hash64(std::as_bytes(std::span(workers[w])), p + 1), p, w});
    }
  }
  std::ranges::sort(bids, [](const Bid& a, const Bid& b) {
    return a.value != b.value ? a.value > b.value : std::pair(a.partition, a.worker) < std::pair(b.partition, b.worker);
  });
  std::vector<std::size_t> held(workers.size());
  const std::size_t share = (owners.size() + workers.size() - 1) / workers.size();
  for (const Bid& bid : bids) {
    if (!owners[bid.partition].empty() || held[bid.worker] == share) continue;
    owners[bid.partition] = workers[bid.worker];
    held[bid.worker] += 1;
  }
  return owners;
}

void Members::heard(const std::string& name, Clock::time_point now, std::set<int> held, const std::string& run) {
  constexpr double kFades = 0.995;  // with every beat: by half in about half a minute
  Member& member = heard_[name];
  const bool is_same_run = member.run == run && member.at != Clock::time_point();
  const Seconds gap = is_same_run ? Seconds(now - member.at) : Seconds(0);
  member = {now, std::move(held), run, is_same_run ? std::max(gap, kFades * member.longest) : Seconds(0)};
}

bool Members::is_alive(const Member& member, Clock::time_point now) const {
  return now - member.at <= std::clamp(2 * member.longest, silence_, 5 * silence_);
}

std::vector<std::string> Members::alive(Clock::time_point now) const {
  std::vector<std::string> names;
  for (const auto& [name, member] : heard_) {
    if (is_alive(member, now)) names.push_back(name);
  }
  return names;
}

bool Members::is_held(int partition, const std::string& other_than, Clock::time_point now) const {
  return std::ranges::any_of(heard_, [&](const auto& each) {
    return each.first != other_than && each.second.held.contains(partition) && is_alive(each.second, now);
  });
}

}  // namespace elastane::serve
