// Which forecasts of a stream are stored, and hashes of them to compare a replay with.
//
// Numbers are kept as ranges, so that a log without gaps takes a few bytes, however long it is. Hashes are kept while there is
// room for them (HashRoom, shared by the streams of a partition); of others it is known only that they are there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace elastane::serve {

// how many more hashes may be kept
struct HashRoom {
  std::size_t left = 1'000'000;
};

class StoredForecasts {
 public:
  struct Entry {
    std::uint64_t hash = 0, sequence = 0;  // in the log of forecasts
  };

  void add(std::uint64_t number, const Entry& entry, HashRoom& room);
  bool contains(std::uint64_t number) const;
  // what is known of a forecast that was made again, once; none: nothing to compare with
  std::optional<Entry> take(std::uint64_t number, HashRoom& room);
  std::uint64_t last() const { return ranges_.empty() ? 0 : ranges_.back().last; }
  std::size_t ranges() const { return ranges_.size(); }

 private:
  struct Range {
    std::uint64_t first, last;
  };
  std::vector<Range> ranges_;  // in order, with gaps between them
  std::unordered_map<std::uint64_t, Entry> entries_;
};

}  // namespace elastane::serve
