// apps/elastane/watch/event_text.cpp
#include "apps/elastane/watch/event_text.h"

#include <gtest/gtest.h>

namespace elastane::app {
namespace {

TEST(EventText, EventsDoNotDependOnThePieces) {
  const std::string text = ": ready\n\nid: 7\ndata: {\"a\":1}\n\n: beat\n\nid:8\r\ndata:x\r\ndata: y\r\n\r\nid: 9\n";
  for (std::size_t size = 1; size <= text.size(); ++size) {
    EventText events;
    std::string found;
    for (std::size_t at = 0; at < text.size(); at += size) {
      events.add(std::string_view(text).substr(at, size),
                 [&](const EventText::Event& event) { found += std::to_string(event.id) + "=" + event.data + ";"; });
    }
    EXPECT_EQ(found, "7={\"a\":1};8=x\ny;") << size;
  }
}

}  // namespace
}  // namespace elastane::app
