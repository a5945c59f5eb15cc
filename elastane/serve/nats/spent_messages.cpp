#include "elastane/serve/nats/spent_messages.h"

#include <sched.h>

#include <cstddef>
#include <thread>
#include <vector>

namespace elastane::serve {
namespace {

constexpr std::size_t kMostMessages = 64;
constexpr std::size_t kMostBytes = 1 << 20;

class SpentMessages {
 public:
  SpentMessages() { messages_.reserve(kMostMessages); }
  SpentMessages(const SpentMessages&) = delete;
  SpentMessages& operator=(const SpentMessages&) = delete;
  ~SpentMessages() { destroy(); }

  void add(natsMsg* message) {
    messages_.push_back(message);
    bytes_ += static_cast<std::size_t>(natsMsg_GetDataLength(message));
    if (messages_.size() == kMostMessages || bytes_ > kMostBytes) destroy();
  }

 private:
  void destroy() {
    for (natsMsg* each : messages_) natsMsg_Destroy(each);
    messages_.clear();
    bytes_ = 0;
  }

  std::vector<natsMsg*> messages_;
  std::size_t bytes_ = 0;
};

}  // namespace

// The client's threads inherit how the thread that opens it is scheduled. Those of a batch wait for their turn when they are
// woken; where that is not allowed they are like others.
void open_client() {
  static const natsStatus opened = [] {
    natsStatus status = NATS_OK;
    std::thread([&] {
      const sched_param none{};
      (void)::sched_setscheduler(0, SCHED_BATCH, &none);
      status = nats_Open(-1);
    }).join();
    return status;
  }();
  (void)opened;  // what does not work shows in the next call
}

void give_back(natsMsg* message) {
  thread_local SpentMessages spent;
  if (message != nullptr) spent.add(message);
}

}  // namespace elastane::serve
