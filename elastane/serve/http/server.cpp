#include "elastane/serve/http/server.h"

#include <utility>  // gcc 12: before asio's coroutines
// clang-format off
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl.hpp>
// clang-format on
#include <chrono>
#include <limits>
#include <map>
#include <mutex>
#include <set>

namespace elastane::serve {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;
using ErrorCode = boost::system::error_code;
using Parser = http::request_parser<http::string_body>;
using Response = http::response<http::string_body>;

constexpr std::size_t kHeaderLimit = 8192;
constexpr std::size_t kEventsAtOnce = 64;  // read back from the log for one reader
constexpr auto kBeat = std::chrono::seconds(15);
constexpr auto kPause = std::chrono::milliseconds(200);

auto seconds(double count) {
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(count));
}

// an answer that another thread gives to a coroutine
template <class T>
class Answer : public std::enable_shared_from_this<Answer<T>> {
 public:
  explicit Answer(asio::io_context& io) : io_(io), timer_(io, asio::steady_timer::time_point::max()) {}

  void give(T value) {
    asio::post(io_, [self = this->shared_from_this(), value = std::move(value)]() mutable {
      self->value_ = std::move(value);
      self->timer_.cancel();
    });
  }
  asio::awaitable<T> wait() {
    ErrorCode ignored;
    while (!value_) co_await timer_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    co_return *std::move(value_);
  }

 private:
  asio::io_context& io_;
  asio::steady_timer timer_;
  std::optional<T> value_;
};

// a reader of events: a position in a stream of forecasts
struct EventReader {
  explicit EventReader(asio::io_context& io) : timer(io) {}
  asio::steady_timer timer;                   // cancelled when there is something to read
  std::uint64_t latest = 0;                   // number of the newest forecast
  std::shared_ptr<const std::string> newest;  // as an event
};

std::string event_of(const std::string& id, const ForecastRecord& record, std::size_t targets) {
  std::string text = "id: " + std::to_string(record.number) + "\ndata: ";
  append_line(id, record, targets, text);
  return text + "\n";
}

// Readers by stream. The service's threads publish; everything else happens on the thread of the server.
class EventHub {
 public:
  EventHub(asio::io_context& io, Service& service) : io_(io), service_(service) {}

  void publish(const ForecastBatch& batch) {
    {
      const std::lock_guard lock(mutex_);
      if (!watched_.contains(batch.id)) return;
    }
    const ForecastRecord& last = batch.forecasts.back();
    const auto text = std::make_shared<const std::string>(event_of(batch.id, last, service_.info().targets));
    asio::post(io_, [this, id = batch.id, number = last.number, text] {
      const auto at = readers_.find(id);
      if (at == readers_.end()) return;
      for (EventReader* reader : at->second) {
        reader->latest = number;
        reader->newest = text;
        reader->timer.cancel();
      }
    });
  }
  void add(const std::string& id, EventReader* reader) {
    readers_[id].insert(reader);
    const std::lock_guard lock(mutex_);
    watched_.insert(id);
    service_.figures().event_readers += 1;
  }
  void remove(const std::string& id, EventReader* reader) {
    service_.figures().event_readers -= 1;
    readers_[id].erase(reader);
    if (!readers_[id].empty()) return;
    readers_.erase(id);
    const std::lock_guard lock(mutex_);
    watched_.erase(id);
  }

 private:
  asio::io_context& io_;
  Service& service_;
  std::map<std::string, std::set<EventReader*>> readers_;
  std::mutex mutex_;
  std::set<std::string> watched_;
};

HttpRequest request_of(const Parser::value_type& message) {
  const auto header = [&](auto name) { return std::string(message[name]); };
  return {.method = std::string(message.method_string()),
          .target = std::string(message.target()),
          .body = message.body(),
          .host = header(http::field::host),
          .origin = header(http::field::origin),
          .authorization = header(http::field::authorization),
          .content_type = header(http::field::content_type),
          .prefer = header(http::field::prefer),
          .last_event_id = header("Last-Event-ID"),
          .first_row = header("Elastane-Row")};
}

// a head that two programs could read differently
bool is_ambiguous(const Parser::value_type& message) {
  const bool is_chunked = message.count(http::field::transfer_encoding) > 0;
  return message.count(http::field::content_length) > (is_chunked ? 0U : 1U) ||
         message.count(http::field::transfer_encoding) > 1 || message.count(http::field::host) > 1 ||
         (message.version() >= 11 && message.count(http::field::host) == 0);
}

}  // namespace

struct Server::Parts {
  Parts(Service& to, ApiOptions options, const ServerOptions& server)
      : service(to), api(to, std::move(options)), limits(server), acceptor(io), hub(io, to) {}

  asio::awaitable<void> accept();
  template <class Stream>
  asio::awaitable<void> serve(Stream& stream);
  asio::awaitable<void> serve_plain(tcp::socket socket);
  asio::awaitable<void> serve_secure(tcp::socket socket);
  template <class Stream>
  asio::awaitable<bool> serve_one(Stream& stream, beast::flat_buffer& buffer, bool is_first);
  template <class Stream>
  asio::awaitable<bool> send(Stream& stream, HttpReply reply, bool keeps_open, bool is_head);
  template <class Stream>
  asio::awaitable<void> send_events(Stream& stream, HttpReply::Events events);
  asio::awaitable<std::string> read_events(const std::string& id, std::uint64_t& next);
  HttpReply refuse(Refusal why, int status, const char* title) {
    service.figures().refuse(why);
    return problem(status, title);
  }

  Service& service;
  Api api;
  ServerOptions limits;
  asio::io_context io{1};
  tcp::acceptor acceptor;
  std::optional<asio::ssl::context> tls;
  EventHub hub;
};

// --- connections

asio::awaitable<void> Server::Parts::accept() {
  while (true) {
    ErrorCode error;
    tcp::socket socket = co_await acceptor.async_accept(asio::redirect_error(asio::use_awaitable, error));
    if (error == asio::error::operation_aborted) co_return;
    if (error) {  // no descriptor is left: wait until one is
      asio::steady_timer pause(io, std::chrono::milliseconds(100));
      co_await pause.async_wait(asio::redirect_error(asio::use_awaitable, error));
      continue;
    }
    if (service.figures().connections >= static_cast<std::int64_t>(limits.most_connections)) {
      service.figures().refuse(Refusal::overloaded);
      continue;  // closes it
    }
    socket.set_option(tcp::no_delay(true), error);
    service.figures().connections += 1;
    const auto ended = [this](const std::exception_ptr&) { service.figures().connections -= 1; };
    if (tls) {
      asio::co_spawn(io, serve_secure(std::move(socket)), ended);
    } else {
      asio::co_spawn(io, serve_plain(std::move(socket)), ended);
    }
  }
}

asio::awaitable<void> Server::Parts::serve_plain(tcp::socket socket) {
  beast::tcp_stream stream(std::move(socket));
  co_await serve(stream);
  ErrorCode ignored;
  stream.socket().shutdown(tcp::socket::shutdown_send, ignored);
}

asio::awaitable<void> Server::Parts::serve_secure(tcp::socket socket) {
  beast::ssl_stream<beast::tcp_stream> stream(std::move(socket), *tls);
  beast::get_lowest_layer(stream).expires_after(seconds(limits.header_seconds));
  ErrorCode error;
  co_await stream.async_handshake(asio::ssl::stream_base::server, asio::redirect_error(asio::use_awaitable, error));
  if (error) co_return;
  co_await serve(stream);
  beast::get_lowest_layer(stream).expires_after(seconds(limits.write_seconds));
  co_await stream.async_shutdown(asio::redirect_error(asio::use_awaitable, error));
}

template <class Stream>
asio::awaitable<void> Server::Parts::serve(Stream& stream) {
  beast::flat_buffer buffer(kHeaderLimit + (64 << 10));
  bool is_first = true;
  while (co_await serve_one(stream, buffer, is_first)) is_first = false;
}

// one request; false: the connection ends
template <class Stream>
asio::awaitable<bool> Server::Parts::serve_one(Stream& stream, beast::flat_buffer& buffer, bool is_first) {
  auto& socket = beast::get_lowest_layer(stream);
  Parser parser;
  parser.header_limit(kHeaderLimit);
  parser.body_limit(std::numeric_limits<std::uint64_t>::max());  // known once the head is
  ErrorCode error;
  socket.expires_after(seconds(is_first ? limits.header_seconds : limits.idle_seconds));
  co_await http::async_read_header(stream, buffer, parser, asio::redirect_error(asio::use_awaitable, error));
  if (error == beast::error::timeout) service.figures().refuse(Refusal::slow);
  if (error == http::error::end_of_stream || error == beast::error::timeout || error == asio::error::eof)
    co_return false;
  const auto fail = [&](Refusal why, int status, const char* title) {
    return send(stream, refuse(why, status, title), false, false);
  };
  if (error == http::error::header_limit) {
    co_await fail(Refusal::too_large, 431, "The head of the request is too large");
    co_return false;
  }
  if (error || is_ambiguous(parser.get())) {
    co_await fail(Refusal::malformed, 400, "The request is malformed");
    co_return false;
  }
  const std::size_t limit =
      api.body_limit(std::string(parser.get().method_string()), std::string(parser.get().target()));
  parser.body_limit(limit);
  if (parser.content_length() && *parser.content_length() > limit) {
    co_await fail(Refusal::too_large, 413, "The body is too large");
    co_return false;
  }
  socket.expires_after(seconds(limits.body_seconds));
  if (beast::iequals(parser.get()[http::field::expect], "100-continue")) {
    const std::string go = "HTTP/1.1 100 Continue\r\n\r\n";
    co_await asio::async_write(stream, asio::buffer(go), asio::redirect_error(asio::use_awaitable, error));
  }
  co_await http::async_read(stream, buffer, parser, asio::redirect_error(asio::use_awaitable, error));
  if (error == http::error::body_limit) {
    co_await fail(Refusal::too_large, 413, "The body is too large");
    co_return false;
  }
  if (error) {
    service.figures().refuse(error == beast::error::timeout ? Refusal::slow : Refusal::malformed);
    co_return false;
  }
  socket.expires_never();
  const bool keeps_open = parser.get().keep_alive(), is_head = parser.get().method() == http::verb::head;
  const auto answer = std::make_shared<Answer<HttpReply>>(io);
  api.handle(request_of(parser.get()), [answer](HttpReply reply) { answer->give(std::move(reply)); });
  HttpReply reply = co_await answer->wait();
  if (reply.events) {
    co_await send_events(stream, *std::move(reply.events));
    co_return false;
  }
  co_return co_await send(stream, std::move(reply), keeps_open, is_head);
}

template <class Stream>
asio::awaitable<bool> Server::Parts::send(Stream& stream, HttpReply reply, bool keeps_open, bool is_head) {
  Response response(static_cast<http::status>(reply.status), 11);
  if (reply.status != 204) response.set(http::field::content_type, reply.type);
  response.set(http::field::cache_control, "no-store");
  response.set("X-Content-Type-Options", "nosniff");
  for (const auto& [name, value] : reply.headers) response.set(name, value);
  response.keep_alive(keeps_open);
  response.body() = std::move(reply.body);
  response.prepare_payload();
  if (is_head) response.body().clear();
  ErrorCode error;
  beast::get_lowest_layer(stream).expires_after(seconds(limits.write_seconds));
  co_await http::async_write(stream, response, asio::redirect_error(asio::use_awaitable, error));
  if (error == beast::error::timeout) service.figures().refuse(Refusal::slow);
  co_return !error && keeps_open;
}

// --- events

// A reader that is slow falls behind and reads back from the log; nothing is kept for it here.
template <class Stream>
asio::awaitable<void> Server::Parts::send_events(Stream& stream, HttpReply::Events events) {
  EventReader reader(io);
  reader.latest = events.latest;
  hub.add(events.id, &reader);
  std::uint64_t next = events.after + 1;
  std::string text =
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n: "
      "ready\n\n";
  text += co_await read_events(events.id, next);
  ErrorCode error;
  while (!error) {
    beast::get_lowest_layer(stream).expires_after(seconds(limits.write_seconds));
    co_await asio::async_write(stream, asio::buffer(text), asio::redirect_error(asio::use_awaitable, error));
    if (error) break;
    if (reader.latest < next) {
      reader.timer.expires_after(kBeat);
      ErrorCode ignored;
      co_await reader.timer.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    }
    if (reader.latest < next) {
      text = ": beat\n\n";
    } else if (reader.latest == next && reader.newest) {
      text = *reader.newest;
      next += 1;
    } else {
      text = co_await read_events(events.id, next);
      if (text.empty()) {  // too much waits, or the stream was erased meanwhile
        reader.timer.expires_after(kPause);
        ErrorCode ignored;
        co_await reader.timer.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
      }
    }
  }
  hub.remove(events.id, &reader);
}

// stored forecasts from `next` on, which moves behind them
asio::awaitable<std::string> Server::Parts::read_events(const std::string& id, std::uint64_t& next) {
  using Found = Result<std::vector<ForecastRecord>>;
  const auto answer = std::make_shared<Answer<std::shared_ptr<Found>>>(io);
  const bool is_asked = service.read(
      id, next, kEventsAtOnce, [answer](Found found) { answer->give(std::make_shared<Found>(std::move(found))); });
  std::string text;
  if (!is_asked) co_return text;
  const auto found = co_await answer->wait();
  if (!*found) co_return text;
  for (const ForecastRecord& each : **found) {
    text += event_of(id, each, service.info().targets);
    next = each.number + 1;
  }
  co_return text;
}

// --- the server

Server::Server(std::shared_ptr<Parts> parts) : parts_(std::move(parts)) {}
Server::~Server() = default;

Result<std::unique_ptr<Server>> Server::open(Service& service, ApiOptions api, const ServerOptions& options) {
  auto parts = std::make_shared<Parts>(service, std::move(api), options);
  try {
    if (!options.certificate.empty()) {
      parts->tls.emplace(asio::ssl::context::tls_server);
      parts->tls->set_options(asio::ssl::context::default_workarounds | asio::ssl::context::no_tlsv1 |
                              asio::ssl::context::no_tlsv1_1);
      parts->tls->use_certificate_chain_file(options.certificate);
      parts->tls->use_private_key_file(options.key, asio::ssl::context::pem);
    }
    const tcp::endpoint endpoint(asio::ip::make_address(options.address), static_cast<unsigned short>(options.port));
    parts->acceptor.open(endpoint.protocol());
    parts->acceptor.set_option(asio::socket_base::reuse_address(true));
    parts->acceptor.bind(endpoint);
    parts->acceptor.listen(4096);
  } catch (const std::exception& error) {
    return Error{"[serve] " + options.address + " port " + std::to_string(options.port) + ": " + error.what()};
  }
  asio::co_spawn(parts->io, parts->accept(), asio::detached);
  // the service may outlive the server, so it keeps the hub alive
  service.listen([parts](const ForecastBatch& batch) { parts->hub.publish(batch); });
  return std::unique_ptr<Server>(new Server(std::move(parts)));
}

int Server::port() const { return parts_->acceptor.local_endpoint().port(); }
void Server::run() { parts_->io.run(); }
void Server::stop() { parts_->io.stop(); }

}  // namespace elastane::serve
