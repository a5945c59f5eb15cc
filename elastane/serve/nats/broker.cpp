#include "elastane/serve/nats/broker.h"

#include <nats/nats.h>

#include <algorithm>
#include <charconv>
#include <chrono>

#include "elastane/io/json.h"
#include "elastane/serve/nats/socket_loop.h"
#include "elastane/serve/nats/spent_messages.h"
#include "elastane/serve/nats/stored_message.h"

namespace elastane::serve {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::int64_t kRequestMs = 5000;
constexpr auto kBeat = std::chrono::seconds(1);  // of the server to a reader for whom it has nothing

Error failed(const std::string& what, natsStatus status, jsErrCode code = static_cast<jsErrCode>(0)) {
  std::string text = "[nats] " + what + ": " + natsStatus_GetText(status);
  if (code != 0) text += " (JetStream " + std::to_string(static_cast<int>(code)) + ")";
  return Error{text};
}

BrokerMessage message_of(natsMsg* message) {
  const auto* data = reinterpret_cast<const std::byte*>(natsMsg_GetData(message));
  return {.subject = natsMsg_GetSubject(message),
          .data = {data, static_cast<std::size_t>(natsMsg_GetDataLength(message))},
          .owner = {message, [](void* owned) { give_back(static_cast<natsMsg*>(owned)); }}};
}

// The client sleeps for a time of nothing too, which the machine rounds up to some fifty microseconds: so it is not asked for
// what is not there.
natsStatus take_next(natsSubscription* subscription, int milliseconds, natsMsg** message) {
  int waiting = 1;
  if (milliseconds == 0) {
    const natsStatus status = natsSubscription_GetPending(subscription, &waiting, nullptr);
    if (status != NATS_OK) return status;
  }
  return waiting > 0 ? natsSubscription_NextMsg(message, subscription, milliseconds) : NATS_TIMEOUT;
}

natsStatus new_message(natsMsg** message, const std::string& subject, const std::string& reply,
                       std::span<const std::byte> data, Headers headers) {
  natsStatus status = natsMsg_Create(message, subject.c_str(), reply.empty() ? nullptr : reply.c_str(),
                                     reinterpret_cast<const char*>(data.data()), static_cast<int>(data.size()));
  for (const Header& each : headers) {
    if (status == NATS_OK) status = natsMsgHeader_Set(*message, each.key, each.value);
  }
  return status;
}

}  // namespace

// $JS.ACK.stream.consumer.delivered.STORED.SENT.time.pending; newer servers have two more pieces, a domain and an account,
// before the stream
ReplySequences sequences_in_reply(std::string_view reply) {
  if (!reply.starts_with("$JS.ACK.")) return {};
  const auto pieces = std::ranges::count(reply, '.') + 1;
  if (pieces != 9 && pieces < 11) return {};
  for (int skipped = pieces == 9 ? 5 : 7; skipped > 0; --skipped) reply.remove_prefix(reply.find('.') + 1);
  ReplySequences found;
  for (std::uint64_t* each : {&found.stored, &found.sent}) {
    const auto [end, error] = std::from_chars(reply.data(), reply.data() + reply.size(), *each);
    if (error != std::errc() || *end != '.') return {};
    reply.remove_prefix(static_cast<std::size_t>(end - reply.data()) + 1);
  }
  return found;
}

struct Subscription::Parts {
  SocketLoop* loop = nullptr;
  natsSubscription* subscription = nullptr;
  bool is_stored = false;
  std::uint64_t sent = 0;  // messages of a stream so far
  Clock::time_point heard = Clock::now(), called = heard;
};

Subscription::Subscription(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Subscription::~Subscription() {
  const auto alone = parts_->loop->pause_reading();
  natsSubscription_Destroy(parts_->subscription);
}

Result<std::optional<BrokerMessage>> Subscription::next(int milliseconds) {
  const auto now = Clock::now();
  if (now - std::exchange(parts_->called, now) > kBeat) parts_->heard = now;  // who does not ask hears nothing
  natsMsg* message = nullptr;
  for (int rest = milliseconds;;) {
    const natsStatus status = take_next(parts_->subscription, rest, &message);
    if (status == NATS_TIMEOUT) {
      const bool is_silent = parts_->is_stored && Clock::now() - parts_->heard > 4 * kBeat;
      if (is_silent) return Error{"[nats] the server forgot its reader"};
      return std::optional<BrokerMessage>();
    }
    if (status != NATS_OK) return failed("cannot read", status);
    if (!parts_->is_stored) break;
    parts_->called = parts_->heard = Clock::now();
    const char* kind = nullptr;
    if (natsMsg_GetDataLength(message) > 0 || natsMsgHeader_Get(message, "Status", &kind) != NATS_OK) break;
    give_back(message);  // a beat
    rest = static_cast<int>(std::max<std::int64_t>(
        0, milliseconds - std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - now).count()));
  }
  BrokerMessage out = message_of(message);
  if (!parts_->is_stored) return std::optional(std::move(out));
  const char* reply = natsMsg_GetReply(message);
  const ReplySequences found = sequences_in_reply(reply != nullptr ? reply : "");
  if (found.sent != ++parts_->sent) return Error{"[nats] a message of a stream is missing"};
  out.sequence = found.stored;
  return std::optional(std::move(out));
}

struct Broker::Parts {
  SocketLoop loop;
  natsOptions* options = nullptr;
  natsConnection* connection = nullptr;
  jsCtx* stream = nullptr;

  ~Parts() {
    loop.stop();
    jsCtx_Destroy(stream);
    if (connection != nullptr) natsConnection_Close(connection);
    natsConnection_Destroy(connection);
    natsOptions_Destroy(options);
  }
};

Broker::Broker(std::unique_ptr<Parts> parts, std::string prefix)
    : parts_(std::move(parts)), prefix_(std::move(prefix)) {}
Broker::~Broker() = default;

Result<std::shared_ptr<Broker>> Broker::connect(const BrokerOptions& options) {
  open_client();
  auto parts = std::make_unique<Parts>();
  natsStatus status = natsOptions_Create(&parts->options);
  natsOptions* o = parts->options;
  std::vector<std::string> urls(1);
  for (const char c : options.url) c == ',' ? urls.emplace_back() : (urls.back() += c, urls.back());
  std::vector<const char*> servers;
  for (const std::string& url : urls) servers.push_back(url.c_str());
  if (status == NATS_OK) status = natsOptions_SetServers(o, servers.data(), static_cast<int>(servers.size()));
  if (status == NATS_OK) status = natsOptions_SetMaxReconnect(o, -1);
  if (status == NATS_OK) status = natsOptions_SetReconnectWait(o, 100);
  if (status == NATS_OK) status = natsOptions_SetPingInterval(o, 1000);
  if (status == NATS_OK) status = natsOptions_SetMaxPingsOut(o, 2);
  if (status == NATS_OK) status = natsOptions_SetSendAsap(o, true);
  if (status == NATS_OK) status = natsOptions_SetTimeout(o, 2000);
  if (status == NATS_OK) status = parts->loop.attach_to(o);
  if (!options.credentials.empty() && status == NATS_OK) {
    status = natsOptions_SetUserCredentialsFromFiles(o, options.credentials.c_str(), nullptr);
  }
  if (!options.certificate.empty() && status == NATS_OK) {
    status = natsOptions_LoadCATrustedCertificates(o, options.certificate.c_str());
    if (status == NATS_OK) status = natsOptions_SetSecure(o, true);
  }
  if (status == NATS_OK) status = natsConnection_Connect(&parts->connection, o);
  jsOptions js;
  jsOptions_Init(&js);
  js.Wait = kRequestMs;
  if (status == NATS_OK) status = natsConnection_JetStream(&parts->stream, parts->connection, &js);
  if (status != NATS_OK) return failed("cannot connect to " + options.url, status);
  return std::shared_ptr<Broker>(new Broker(std::move(parts), options.prefix));
}

std::uint64_t Broker::reconnects() const {
  natsStatistics* statistics = nullptr;
  std::uint64_t count = 0;
  if (natsStatistics_Create(&statistics) != NATS_OK) return 0;
  if (natsConnection_GetStats(parts_->connection, statistics) == NATS_OK) {
    natsStatistics_GetCounts(statistics, nullptr, nullptr, nullptr, nullptr, &count);
  }
  natsStatistics_Destroy(statistics);
  return count;
}

bool Broker::is_connected() const { return natsConnection_Status(parts_->connection) == NATS_CONN_STATUS_CONNECTED; }

// --- streams

Status Broker::add_stream(const StreamSettings& s) {
  jsStreamConfig config;
  jsStreamConfig_Init(&config);
  std::vector<const char*> subjects;
  for (const std::string& subject : s.subjects) subjects.push_back(subject.c_str());
  constexpr double kSecond = 1e9;
  config.Name = s.name.c_str();
  config.Subjects = subjects.data();
  config.SubjectsLen = static_cast<int>(subjects.size());
  config.Storage = js_FileStorage;
  config.Replicas = s.replicas;
  config.MaxBytes = s.most_bytes;
  config.MaxAge = static_cast<std::int64_t>(s.most_seconds * kSecond);
  if (s.most_per_subject > 0) config.MaxMsgsPerSubject = s.most_per_subject;
  config.Discard = s.refuses_when_full ? js_DiscardNew : js_DiscardOld;
  config.Duplicates = static_cast<std::int64_t>(120 * kSecond);
  if (s.most_seconds > 0 && s.most_seconds < 120) config.Duplicates = config.MaxAge;
  jsRePublish republish;
  jsRePublish_Init(&republish);
  republish.Source = s.republish_from.c_str();
  republish.Destination = s.republish_to.c_str();
  if (!s.republish_from.empty()) config.RePublish = &republish;
  jsErrCode code = static_cast<jsErrCode>(0);
  const natsStatus status = js_AddStream(nullptr, parts_->stream, &config, nullptr, &code);
  if (status != NATS_OK && code != JSStreamNameExistErr) return failed("cannot add the stream " + s.name, status, code);
  return {};
}

Result<StreamState> Broker::state(const std::string& stream) {
  jsStreamInfo* info = nullptr;
  jsErrCode code = static_cast<jsErrCode>(0);
  const natsStatus status = js_GetStreamInfo(&info, parts_->stream, stream.c_str(), nullptr, &code);
  if (status != NATS_OK) return failed("cannot ask for the stream " + stream, status, code);
  const StreamState state{.first = info->State.FirstSeq,
                          .last = info->State.LastSeq,
                          .deleted = static_cast<std::uint64_t>(info->State.NumDeleted),
                          .messages = info->State.Msgs};
  jsStreamInfo_Destroy(info);
  return state;
}

Status Broker::remove_stream(const std::string& stream) {
  jsErrCode code = static_cast<jsErrCode>(0);
  const natsStatus status = js_DeleteStream(parts_->stream, stream.c_str(), nullptr, &code);
  if (status != NATS_OK) return failed("cannot remove the stream " + stream, status, code);
  return {};
}

// Erased, not deleted: nats-server 2.9.10 forgets deletions when it is killed, and the messages are there again.
Status Broker::remove_message(const std::string& stream, std::uint64_t sequence) {
  jsErrCode code = static_cast<jsErrCode>(0);
  const natsStatus status = js_EraseMsg(parts_->stream, stream.c_str(), sequence, nullptr, &code);
  if (status != NATS_OK) return failed("cannot remove a message", status, code);
  return {};
}

Result<std::optional<BrokerMessage>> Broker::last(const std::string& stream, const std::string& subject) {
  natsMsg* message = nullptr;
  jsErrCode code = static_cast<jsErrCode>(0);
  const natsStatus status = js_GetLastMsg(&message, parts_->stream, stream.c_str(), subject.c_str(), nullptr, &code);
  if (code == JSStreamNotFoundErr) {
    return Error{"[nats] expected the log " + stream + ", found none; elastane fleet make makes the logs of a fleet"};
  }
  if (status == NATS_NOT_FOUND || code == JSNoMessageFoundErr) return std::optional<BrokerMessage>();
  if (status != NATS_OK) return failed("cannot read the last message of " + subject, status, code);
  BrokerMessage out = message_of(message);
  out.sequence = natsMsg_GetSequence(message);
  return std::optional(std::move(out));
}

Result<BrokerMessage> Broker::at(const std::string& stream, std::uint64_t sequence) {
  natsMsg* message = nullptr;
  jsErrCode code = static_cast<jsErrCode>(0);
  const natsStatus status = js_GetMsg(&message, parts_->stream, stream.c_str(), sequence, nullptr, &code);
  if (status != NATS_OK) return failed("cannot read a message of " + stream, status, code);
  BrokerMessage out = message_of(message);
  out.sequence = sequence;
  return out;
}

// The client of Debian cannot ask for the next message of a subject; the server can answer.
Result<std::optional<BrokerMessage>> Broker::first_from(const std::string& stream, const std::string& subject,
                                                        std::uint64_t sequence) {
  const std::string question =
      nlohmann::json{{"seq", std::max<std::uint64_t>(1, sequence)}, {"next_by_subj", subject}}.dump();
  ELASTANE_TRY_ASSIGN(const std::string answer,
                      ask("$JS.API.STREAM.MSG.GET." + stream, std::as_bytes(std::span(question)), {}, kRequestMs));
  return message_in_answer(answer);
}

// Not the client's ordered reader: it always has a filter, and nats-server 2.9.10 sometimes takes milliseconds for each message
// of a reader with one. And it answers the server's question whether to continue only when it hands out the next message.
Result<std::unique_ptr<Subscription>> Broker::read(const std::string& stream, const std::string& subject,
                                                   std::uint64_t from) {
  const std::string inbox = new_inbox();
  ELASTANE_TRY_ASSIGN(auto reader, listen(inbox));
  reader->parts_->is_stored = true;
  jsConsumerConfig config;
  jsConsumerConfig_Init(&config);
  config.DeliverSubject = inbox.c_str();
  config.DeliverPolicy = js_DeliverByStartSequence;
  config.OptStartSeq = from > 0 ? from : 1;
  config.AckPolicy = js_AckNone;
  config.MaxDeliver = 1;
  config.Heartbeat = std::chrono::nanoseconds(kBeat).count();
  if (!subject.empty()) config.FilterSubject = subject.c_str();
  jsErrCode code = static_cast<jsErrCode>(0);
  const natsStatus status = js_AddConsumer(nullptr, parts_->stream, stream.c_str(), &config, nullptr, &code);
  if (status != NATS_OK) return failed("cannot read " + stream, status, code);
  return reader;
}

Result<std::unique_ptr<Subscription>> Broker::listen(const std::string& subject) {
  auto parts = std::make_unique<Subscription::Parts>();
  parts->loop = &parts_->loop;
  const natsStatus status = natsConnection_SubscribeSync(&parts->subscription, parts_->connection, subject.c_str());
  if (status != NATS_OK) return failed("cannot listen to " + subject, status);
  natsSubscription_SetPendingLimits(parts->subscription, -1, -1);
  return std::unique_ptr<Subscription>(new Subscription(std::move(parts)));
}

// --- messages

Status Broker::publish(const std::string& subject, std::span<const std::byte> data, Sending sending,
                       const std::string& reply, Headers headers) {
  parts_->loop.wait_for_room();
  natsMsg* message = nullptr;
  natsStatus status = new_message(&message, subject, reply, data, headers);
  {
    const SocketLoop::Later later;
    if (status == NATS_OK) status = natsConnection_PublishMsg(parts_->connection, message);
  }
  give_back(message);
  if (status != NATS_OK) return failed("cannot publish to " + subject, status);
  if (sending == Sending::now) send();
  return {};
}

void Broker::send() { parts_->loop.send(); }

Result<std::string> Broker::ask(const std::string& subject, std::span<const std::byte> data, Headers headers,
                                int milliseconds) {
  natsMsg* message = nullptr;
  natsMsg* answer = nullptr;
  natsStatus status = new_message(&message, subject, "", data, headers);
  if (status == NATS_OK) status = natsConnection_RequestMsg(&answer, parts_->connection, message, milliseconds);
  give_back(message);
  if (status != NATS_OK) return failed("no answer from " + subject, status);
  std::string text(natsMsg_GetData(answer), static_cast<std::size_t>(natsMsg_GetDataLength(answer)));
  give_back(answer);
  return text;
}

std::string Broker::new_inbox() {
  natsInbox* inbox = nullptr;
  if (natsInbox_Create(&inbox) != NATS_OK) return "_INBOX.none";
  std::string text = inbox;
  natsInbox_Destroy(inbox);
  return text;
}

Status Broker::flush(int milliseconds) {
  const natsStatus status = natsConnection_FlushTimeout(parts_->connection, milliseconds);
  if (status != NATS_OK) return failed("cannot flush", status);
  return {};
}

}  // namespace elastane::serve
