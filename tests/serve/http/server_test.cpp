// elastane/serve/http/server.cpp
#include "elastane/serve/http/server.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <thread>

#include "elastane/io/descriptor.h"
#include "elastane/serve/local_service.h"
#include "tests/serve/small_service.h"

namespace elastane::serve {
namespace {

struct Site {
  explicit Site(ApiOptions api = {}, ServerOptions options = {}) {
    LocalOptions local;
    local.folder = folder.path();
    service = LocalService::open(local, small_model_file()).value();
    options.port = 0;
    server = Server::open(*service, std::move(api), options).value();
    thread = std::thread([this] { server->run(); });
  }
  ~Site() {
    server->stop();
    thread.join();
  }
  Descriptor connect() const {
    Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<unsigned short>(server->port()));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    return socket;
  }
  // everything that the server says until it has said `end`, or closes
  static std::string read(const Descriptor& socket, const std::string& end = "never") {
    std::string text(1 << 16, '\0');
    std::string all;
    while (all.find(end) == all.npos) {
      const ssize_t count = ::recv(socket.get(), text.data(), text.size(), 0);
      if (count <= 0) break;
      all.append(text, 0, static_cast<std::size_t>(count));
    }
    return all;
  }
  std::string ask(const std::string& request, const std::string& end = "never") const {
    const Descriptor socket = connect();
    EXPECT_TRUE(socket.write_all(std::as_bytes(std::span(request))));
    return read(socket, end);
  }

  TestFolder folder;
  std::unique_ptr<LocalService> service;
  std::unique_ptr<Server> server;
  std::thread thread;
};

std::string post(const std::string& id, const std::string& body, const std::string& more = "Connection: close\r\n") {
  return "POST /v1/streams/" + id + "/rows HTTP/1.1\r\nHost: localhost\r\n" + more +
         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

TEST(Server, AnswersOverASocket) {
  const Site site;
  EXPECT_TRUE(
      site.ask("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").starts_with("HTTP/1.1 200"));
  const std::string answer = site.ask(post("a", "[1,2]\n[3,4]\n"));
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 200")) << answer;
  EXPECT_NE(answer.find("Elastane-Last-Row: 2"), std::string::npos);
  EXPECT_NE(answer.find("\"row\":2,\"id\":\"a\""), std::string::npos);
  // two requests in one piece
  const std::string both = site.ask(post("a", "[1,2]", "") + post("a", "[1,2]"));
  EXPECT_NE(both.find("\"row\":3"), std::string::npos);
  EXPECT_NE(both.find("\"row\":4"), std::string::npos);
}

TEST(Server, AmbiguousAndOversizedRequestsAreRefusedAndNothingIsFed) {
  ApiOptions api;
  api.most_body = 2048;
  const Site site(api);
  const std::string head = "POST /v1/streams/a/rows HTTP/1.1\r\nHost: localhost\r\n";
  for (const std::string& bad :
       {head + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n[1,2]0\r\n\r\n",
        head + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n5\r\n[1,2]\r\n0\r\n\r\n",
        head + "Content-Length: 5\r\nContent-Length: 6\r\n\r\n[1,2] ",
        head + "Host: other\r\nContent-Length: 5\r\n\r\n[1,2]", head + "Content-Length: -5\r\n\r\n[1,2]",
        head + "Content-Length: 5x\r\n\r\n[1,2]", head + "Content-Length : 5\r\n\r\n[1,2]",
        std::string("POST /v1/streams/a/rows HTTP/1.1\r\nContent-Length: 5\r\n\r\n[1,2]"),
        std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\r\n\r\n"), std::string("GET\r\n\r\n")}) {
    EXPECT_TRUE(site.ask(bad).starts_with("HTTP/1.1 400")) << bad;
  }
  EXPECT_TRUE(site.ask(post("a", std::string(4096, ' '))).starts_with("HTTP/1.1 413"));
  EXPECT_TRUE(site.ask(head + "X: " + std::string(20'000, 'a') + "\r\n\r\n").starts_with("HTTP/1.1 431"));
  EXPECT_EQ(site.service->stream_count(), 0U);
  const auto& refused = site.service->figures().refused;
  EXPECT_EQ(refused[static_cast<std::size_t>(Refusal::malformed)], 10U);
  EXPECT_EQ(refused[static_cast<std::size_t>(Refusal::too_large)], 2U);
}

TEST(Server, EventsFollowWhatWasStoredWithoutAGap) {
  const Site site;
  std::string many;
  for (int i = 0; i < 200; ++i) many += "[1,2]\n";  // more than are read back at once
  site.ask(post("a", many));
  const Descriptor reader = site.connect();
  const std::string request = "GET /v1/streams/a/events HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: 1\r\n\r\n";
  ASSERT_TRUE(reader.write_all(std::as_bytes(std::span(request))));
  std::string all = Site::read(reader, "\"row\":200");
  for (int i = 201; i <= 209; ++i) site.ask(post("a", "[1,2]"));
  site.ask(post("a", "[1,2]\n[3,4]\n[5,6]\n"));  // several rows at once
  all += Site::read(reader, "\"row\":212");
  std::size_t at = 0;
  for (int i = 2; i <= 212; ++i) {
    const std::size_t found = all.find("id: " + std::to_string(i) + "\n", at);
    ASSERT_NE(found, std::string::npos) << i << all;
    at = found;
  }
  EXPECT_EQ(all.find("id: 1\n"), std::string::npos);
}

TEST(Server, ASlowHeadIsClosedAndOthersAreServed) {
  const Site site({}, {.header_seconds = 0.2});
  const Descriptor slow = site.connect();
  ASSERT_TRUE(slow.write_all(std::as_bytes(std::span(std::string_view("GET /healthz HTTP/1.1\r\nHo")))));
  EXPECT_TRUE(
      site.ask("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").starts_with("HTTP/1.1 200"));
  EXPECT_EQ(Site::read(slow), "");
}

TEST(Server, AMissingCertificateIsAnErrorNotAServerWithoutTls) {
  const TestFolder folder;
  LocalOptions local;
  local.folder = folder.path();
  const auto service = LocalService::open(local, small_model_file()).value();
  EXPECT_FALSE(Server::open(*service, {}, {.port = 0, .certificate = "/nothing.pem", .key = "/nothing.key"}));
  EXPECT_FALSE(Server::open(*service, {}, {.address = "not an address", .port = 0}));
}

}  // namespace
}  // namespace elastane::serve
