#include "elastane/serve/nats/socket_loop.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <system_error>

namespace elastane::serve {
namespace {

constexpr int kMostBuffered = 1 << 20;  // bytes; then publishers wait
constexpr int kIdleMs = 20;

}  // namespace

SocketLoop::SocketLoop() : wakes_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (!wakes_.is_open()) throw std::system_error(errno, std::generic_category(), "[nats] cannot make an event");
  thread_ = std::thread([this] { run(); });
}

natsStatus SocketLoop::attach_to(natsOptions* options) {
  return natsOptions_SetEventLoop(options, this, &attached, &reads, &writes, &detached);
}

void SocketLoop::stop() {
  if (!thread_.joinable()) return;
  is_ending_ = true;
  wake();
  thread_.join();
  send();
}

void SocketLoop::wake() const {
  const std::uint64_t one = 1;
  (void)!::write(wakes_.get(), &one, sizeof one);  // fails only if it is awake already
}

// --- called by the client, with its lock held

natsStatus SocketLoop::attached(void** user, void* loop, natsConnection* connection, natsSock socket) {
  auto* self = static_cast<SocketLoop*>(loop);
  *user = self;
  self->connection_ = connection;
  self->socket_ = socket;
  self->wake();
  return NATS_OK;
}

natsStatus SocketLoop::reads(void* user, bool is_added) {
  auto* self = static_cast<SocketLoop*>(user);
  if (is_added) return NATS_OK;
  self->socket_ = -1;  // the connection is lost; the next one is attached again
  self->is_blocked_ = false;
  self->wake();
  return NATS_OK;
}

natsStatus SocketLoop::writes(void* user, bool is_added) {
  auto* self = static_cast<SocketLoop*>(user);
  self->is_waiting_ = is_added;
  if (!is_added || is_later_) return NATS_OK;
  self->is_due_ = true;
  self->wake();
  return NATS_OK;
}

natsStatus SocketLoop::detached(void* user) {
  static_cast<SocketLoop*>(user)->socket_ = -1;
  return NATS_OK;
}

// --- at the socket

void SocketLoop::send() {
  is_due_ = true;
  while (is_due_ && at_socket_.try_lock()) {
    is_due_ = false;
    // not if nothing waits: the client takes a write of nothing for a closed connection
    if (is_waiting_) natsConnection_ProcessWriteEvent(connection_);
    at_socket_.unlock();
    if (!is_waiting_) continue;
    is_blocked_ = true;  // or another thread published meanwhile, which does no harm
    if (std::this_thread::get_id() != thread_.get_id()) wake();
    return;
  }
}

void SocketLoop::wait_for_room() const {
  while (is_blocked_ && socket_ >= 0 && natsConnection_Buffered(connection_) > kMostBuffered) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

void SocketLoop::run() {
  while (!is_ending_) {
    const bool is_blocked = is_blocked_;
    pollfd waits[] = {{wakes_.get(), POLLIN, 0},
                      {socket_, static_cast<short>(is_blocked ? POLLIN | POLLOUT : POLLIN), 0}};
    if (::poll(waits, 2, kIdleMs) <= 0) {
      // the client asks for a write only once, and requests of other threads may wait behind what was left for later
      if (is_waiting_) send();
      continue;
    }
    std::uint64_t count = 0;
    if (waits[0].revents != 0) (void)!::read(wakes_.get(), &count, sizeof count);
    if ((waits[1].revents & (POLLIN | POLLHUP | POLLERR)) != 0) {
      const std::lock_guard lock(at_socket_);
      natsConnection_ProcessReadEvent(connection_);
    }
    if ((waits[1].revents & POLLOUT) != 0) {
      is_blocked_ = false;
      send();
    }
    if (is_due_) send();
  }
}

}  // namespace elastane::serve
