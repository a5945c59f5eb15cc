// Real-time code only.
#include "elastane/core/backbone/head_modes.h"

namespace elastane {
namespace {

// the oldest key block after the sink that a streaming head sees
std::uint64_t oldest_local(const AttentionShape& shape, std::uint64_t query_block) {
  const auto sink = static_cast<std::uint64_t>(shape.sink), local = static_cast<std::uint64_t>(shape.local);
  const std::uint64_t oldest = query_block + 1 > local ? query_block + 1 - local : 0;
  return oldest > sink ? oldest : sink;
}

}  // namespace

std::uint64_t oldest_block(const KeyValueWindow& window, std::uint64_t position) {
  const AttentionShape& shape = window.shape;
  const auto seen = static_cast<std::uint64_t>(shape.window), sink = static_cast<std::uint64_t>(shape.sink);
  const std::uint64_t oldest = (position + 1 > seen ? position + 1 - seen : 0) / static_cast<unsigned>(shape.block);
  return oldest > sink ? oldest : sink;
}

KeyBlock key_block(const KeyValueWindow& window, std::uint64_t block, std::uint64_t position) {
  const AttentionShape& shape = window.shape;
  const std::uint64_t first = block * static_cast<unsigned>(shape.block);
  const std::uint64_t back = position > first ? position - first : 0;
  const int from = first >= position                             ? static_cast<int>(first - position)
                   : back < static_cast<std::uint64_t>(kFarBack) ? -static_cast<int>(back)
                                                                 : -kFarBack;
  const bool sink = block < static_cast<std::uint64_t>(shape.sink);
  return {.panel = window.panel(block), .from = from, .reach = sink ? kAnyReach : shape.window};
}

int count_blocks(const KeyValueWindow& window, HeadMode mode, std::uint64_t position) {
  const AttentionShape& shape = window.shape;
  const std::uint64_t own = position / static_cast<unsigned>(shape.block), sink = static_cast<unsigned>(shape.sink);
  const bool full = mode == HeadMode::full || shape.local == 0;
  const std::uint64_t oldest = full ? oldest_block(window, position) : oldest_local(shape, own);
  return static_cast<int>((sink < own + 1 ? sink : own + 1) + (oldest <= own ? own - oldest + 1 : 0));
}

int list_blocks(const KeyValueWindow& window, HeadMode mode, std::uint64_t position, KeyBlock* list) {
  const AttentionShape& shape = window.shape;
  const std::uint64_t own = position / static_cast<unsigned>(shape.block);
  int count = 0;
  for (std::uint64_t b = 0; b < static_cast<std::uint64_t>(shape.sink) && b <= own; ++b) {
    list[count++] = key_block(window, b, position);
  }
  const bool full = mode == HeadMode::full || shape.local == 0;
  for (std::uint64_t b = full ? oldest_block(window, position) : oldest_local(shape, own); b <= own; ++b) {
    list[count++] = key_block(window, b, position);
  }
  return count;
}

}  // namespace elastane
