// The socket of a connection to NATS, driven from here and not by the client's own threads: what is published waits in
// memory until it is sent, so that many records leave in one system call.
//
// One thread reads. A thread that wants something sent sends it, unless another thread is at the socket just then; that one
// sends it when it is done.
#pragma once

#include <nats/nats.h>

#include <atomic>
#include <mutex>
#include <thread>

#include "elastane/io/descriptor.h"

namespace elastane::serve {

class SocketLoop {
 public:
  SocketLoop();  // throws if the machine has no descriptor left
  SocketLoop(const SocketLoop&) = delete;
  SocketLoop& operator=(const SocketLoop&) = delete;
  ~SocketLoop() { stop(); }

  natsStatus attach_to(natsOptions* options);  // before the connection is made; this object has to outlive it
  void send();                                 // all that waits
  void wait_for_room() const;                  // while the broker is slower than we are
  void stop();                                 // before the connection is closed
  // While this lock is held nothing is read: the client hands a message to its subscription without a hold on it, so that
  // none may end just then.
  std::unique_lock<std::mutex> pause_reading() { return std::unique_lock(at_socket_); }

  // while one of these is there, what its thread publishes waits for send()
  class Later {
   public:
    Later() { is_later_ = true; }
    Later(const Later&) = delete;
    Later& operator=(const Later&) = delete;
    ~Later() { is_later_ = false; }
  };

 private:
  static natsStatus attached(void** user, void* loop, natsConnection* connection, natsSock socket);
  static natsStatus reads(void* user, bool is_added);
  static natsStatus writes(void* user, bool is_added);
  static natsStatus detached(void* user);
  void run();
  void wake() const;

  inline static thread_local bool is_later_ = false;
  Descriptor wakes_;
  std::mutex at_socket_;  // the client does not protect a read from a write that fails and closes the socket
  std::atomic<natsConnection*> connection_ = nullptr;
  std::atomic<int> socket_ = -1;
  std::atomic<bool> is_waiting_ = false;  // something is not sent
  std::atomic<bool> is_due_ = false;      // and a thread wants it sent
  std::atomic<bool> is_blocked_ = false;  // the socket takes no more
  std::atomic<bool> is_ending_ = false;
  std::thread thread_;
};

}  // namespace elastane::serve
