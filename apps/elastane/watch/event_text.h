// Reads server-sent events from pieces of text.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace elastane::app {

class EventText {
 public:
  struct Event {
    std::uint64_t id = 0;
    std::string data;
  };
  // calls with each event that the piece completes; comments are left out
  void add(std::string_view piece, const std::function<void(const Event&)>& each);

 private:
  void take(std::string_view line, const std::function<void(const Event&)>& each);

  std::string line_;
  Event event_;
};

}  // namespace elastane::app
