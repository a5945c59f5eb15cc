// A connection to NATS with JetStream: what the fleet needs of it, with errors as results.
//
// Acknowledgements are read from an inbox by the thread that published, never in a callback of the client: a callback can
// run while its connection is being destroyed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "elastane/core/base/result.h"

namespace elastane::serve {

struct BrokerOptions {
  std::string url = "nats://127.0.0.1:4222";  // several, with commas: nodes of one cluster
  std::string prefix = "elastane";            // of subjects and streams: fleets that do not know each other
  std::string credentials;                    // file; "": none
  std::string certificate;                    // authority for TLS; "": none
};

// it holds what it shows
struct BrokerMessage {
  std::string_view subject;
  std::span<const std::byte> data;
  std::uint64_t sequence = 0;  // in its stream; 0: not stored
  std::unique_ptr<void, void (*)(void*)> owner{nullptr, nullptr};
};

// of a stored message, from the subject to which its acknowledgement would go; 0: it is not of that form
struct ReplySequences {
  std::uint64_t stored = 0;  // in its stream
  std::uint64_t sent = 0;    // among what was sent to this reader
};
ReplySequences sequences_in_reply(std::string_view reply);

struct Header {
  const char* key;
  const char* value;
};
using Headers = std::span<const Header>;

// later: with the next message that goes at once, or by Broker::send
enum class Sending : std::uint8_t { now, later };

// messages as they arrive
class Subscription {
 public:
  ~Subscription();
  // none: nothing came in that time
  Result<std::optional<BrokerMessage>> next(int milliseconds);

 private:
  friend class Broker;
  struct Parts;
  explicit Subscription(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

struct StreamState {
  std::uint64_t first = 0, last = 0, deleted = 0, messages = 0;
};

struct StreamSettings {
  std::string name;
  std::vector<std::string> subjects;
  int replicas = 1;
  std::int64_t most_bytes = -1;
  double most_seconds = 0;  // age; 0: no limit
  int most_per_subject = 0;
  bool refuses_when_full = false;
  std::string republish_from, republish_to;
};

class Broker {
 public:
  static Result<std::shared_ptr<Broker>> connect(const BrokerOptions& options);
  ~Broker();

  const std::string& prefix() const { return prefix_; }
  std::uint64_t reconnects() const;  // times that the connection was lost and made again
  bool is_connected() const;

  Status add_stream(const StreamSettings& settings);  // also if it is there already
  Result<StreamState> state(const std::string& stream);
  Status remove_stream(const std::string& stream);
  Status remove_message(const std::string& stream, std::uint64_t sequence);
  // the last message of a subject, if it has one
  Result<std::optional<BrokerMessage>> last(const std::string& stream, const std::string& subject);
  Result<BrokerMessage> at(const std::string& stream, std::uint64_t sequence);
  // the first message of a subject from this sequence on, if there is one
  Result<std::optional<BrokerMessage>> first_from(const std::string& stream, const std::string& subject,
                                                  std::uint64_t sequence);

  // In order and without gaps, from this sequence on; `subject`: a filter; "": none, which is faster. Where something is missing, it fails.
  Result<std::unique_ptr<Subscription>> read(const std::string& stream, const std::string& subject, std::uint64_t from);
  Result<std::unique_ptr<Subscription>> listen(const std::string& subject);

  Status publish(const std::string& subject, std::span<const std::byte> data, Sending sending = Sending::now,
                 const std::string& reply = {}, Headers headers = {});
  void send();
  // publishes, and waits for the answer
  Result<std::string> ask(const std::string& subject, std::span<const std::byte> data, Headers headers,
                          int milliseconds);
  std::string new_inbox();
  Status flush(int milliseconds);

 private:
  struct Parts;
  Broker(std::unique_ptr<Parts> parts, std::string prefix);
  std::unique_ptr<Parts> parts_;
  std::string prefix_;
};

}  // namespace elastane::serve
