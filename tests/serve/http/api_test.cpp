// elastane/serve/http/api.cpp
#include "elastane/serve/http/api.h"

#include <gtest/gtest.h>

#include <future>
#include <nlohmann/json.hpp>

#include "elastane/serve/local_service.h"
#include "tests/serve/small_service.h"

namespace elastane::serve {
namespace {

struct Front {
  explicit Front(ApiOptions options = {}, std::size_t most_streams = 100) {
    LocalOptions local;
    local.folder = folder.path();
    local.partition.session.most_streams = most_streams;
    service = LocalService::open(local, small_model_file()).value();
    service->listen({});
    api = std::make_unique<Api>(*service, std::move(options));
  }
  HttpReply ask(HttpRequest request) {
    if (request.host.empty()) request.host = "localhost:8080";
    std::promise<HttpReply> promise;
    api->handle(request, [&](HttpReply reply) { promise.set_value(std::move(reply)); });
    return promise.get_future().get();
  }
  HttpReply get(const std::string& target) { return ask({.method = "GET", .target = target}); }
  HttpReply post(const std::string& target, const std::string& body, const std::string& type = "application/x-ndjson",
                 const std::string& first = "") {
    return ask({.method = "POST", .target = target, .body = body, .content_type = type, .first_row = first});
  }
  std::uint64_t refused(Refusal why) { return service->figures().refused[static_cast<std::size_t>(why)]; }

  TestFolder folder;
  std::unique_ptr<LocalService> service;
  std::unique_ptr<Api> api;
};

TEST(Api, RowsInForecastsOutInBothFormats) {
  Front front;
  const auto reply =
      front.post("/v1/streams/a%2Fb/rows", "{\"time\":60,\"a\":1,\"b\":2}\n{\"time\":120,\"a\":1,\"b\":2}\n");
  ASSERT_EQ(reply.status, 200) << reply.body;
  EXPECT_EQ(std::ranges::count(reply.body, '\n'), 2);
  const auto line = nlohmann::json::parse(reply.body.substr(0, reply.body.find('\n')));
  EXPECT_EQ(line["row"], 1);
  EXPECT_EQ(line["id"], "a/b");
  EXPECT_EQ(front.post("/v1/streams/a%2Fb/rows", "time,a,b\n180,3,4\n", "text/csv; charset=utf-8").status, 200);
  const auto last = front.get("/v1/streams/a%2Fb/forecast");
  EXPECT_EQ(nlohmann::json::parse(last.body)["row"], 3);
  const auto page = front.get("/v1/streams/a%2Fb/forecasts?from=2&limit=10");
  EXPECT_EQ(std::ranges::count(page.body, '\n'), 2);
  const auto rows = front.get("/v1/streams/a%2Fb/rows?from=2&limit=9").body;
  EXPECT_EQ(rows, "{\"row\":2,\"values\":[1.0,2.0],\"time\":120.0}\n{\"row\":3,\"values\":[3.0,4.0],\"time\":180.0}\n");
  const auto streams = nlohmann::json::parse(front.get("/v1/streams?map=1").body);
  EXPECT_EQ(streams["count"], 1);
  EXPECT_EQ(streams["streams"][0]["id"], "a/b");
  EXPECT_EQ(streams["streams"][0]["map"].size(), 60U);
}

TEST(Api, NumbersMakeRowsSafeToSendAgain) {
  Front front;
  const std::string row = "[1,2]";
  EXPECT_EQ(front.post("/v1/streams/a/rows", row, "application/json", "1").status, 200);
  const auto again = front.post("/v1/streams/a/rows", row, "application/json", "1");
  EXPECT_EQ(again.status, 200);
  const auto gap = front.post("/v1/streams/a/rows", row, "application/json", "3");
  EXPECT_EQ(gap.status, 409);
  EXPECT_EQ(gap.type, "application/problem+json");
  EXPECT_EQ(gap.headers.at(0).second, "1");
  EXPECT_EQ(front.refused(Refusal::gap), 1U);
}

TEST(Api, WhatCannotBeReadIsRefusedAndCounted) {
  Front front({.most_rows = 3});
  EXPECT_EQ(front.post("/v1/streams/a/rows", "{\"a\":1").status, 422);
  EXPECT_EQ(front.post("/v1/streams/a/rows", "[1,2]\n[1,2]\n[1,2]\n[1,2]").status, 422);
  EXPECT_EQ(front.post("/v1/streams/a/rows", "[1,2]", "application/xml").status, 415);
  EXPECT_EQ(front.post("/v1/streams/a/rows", "[1,2]", "", "0").status, 400);
  EXPECT_EQ(front.post("/v1/streams/a/rows", "[1,2]", "", "x").status, 400);
  for (const std::string& target : std::vector<std::string>{"/v1/../x", "/v1/streams/%00/rows",
                                                            "/v1/streams/" + std::string(300, 'a') + "/rows", "*"}) {
    EXPECT_EQ(front.post(target, "[1,2]").status, 400) << target;
  }
  EXPECT_EQ(front.refused(Refusal::malformed), 9U);
  EXPECT_EQ(front.get("/v1/nothing").status, 404);
  EXPECT_EQ(front.get("/v1/streams/a/nothing").status, 404);
  EXPECT_EQ(front.ask({.method = "PUT", .target = "/v1/streams/a/rows"}).status, 405);
  EXPECT_EQ(front.get("/v1/streams/a/rows?from=0").status, 400);
  EXPECT_EQ(front.get("/v1/streams/a/forecast").status, 404);
  EXPECT_EQ(front.service->stream_count(), 0U);
}

TEST(Api, TooManyStreamsAreRefusedAndTheOthersContinue) {
  Front front({}, 3);
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(front.post("/v1/streams/s" + std::to_string(i) + "/rows", "[1,2]").status, i < 3 ? 200 : 403);
  }
  EXPECT_EQ(front.refused(Refusal::too_many_streams), 47U);
  EXPECT_EQ(front.post("/v1/streams/s1/rows", "[1,2]").status, 200);
  EXPECT_EQ(front.get("/metrics").body.find("s49"), std::string::npos);
}

TEST(Api, TokensAndOtherSitesAreChecked) {
  Front open;
  EXPECT_EQ(open.ask({.method = "GET", .target = "/v1/streams", .host = "evil.example"}).status, 403);
  EXPECT_EQ(open.ask({.method = "GET", .target = "/v1/streams", .origin = "http://evil.example"}).status, 403);
  EXPECT_EQ(open.ask({.method = "GET", .target = "/v1/streams", .origin = "http://localhost:8080"}).status, 200);
  ApiOptions options;
  options.tokens = Tokens::parse("reader-0123456789 read\nwriter-0123456789 read,write\n").value();
  Front front(options);
  EXPECT_EQ(front.get("/v1/streams").status, 401);
  EXPECT_EQ(front.get("/metrics").status, 401);
  EXPECT_EQ(front.get("/healthz").status, 200);
  EXPECT_EQ(front.get("/openapi.json").status, 200);
  const auto with = [&](const char* method, const char* target, const char* token) {
    return front
        .ask({.method = method,
              .target = target,
              .body = "[1,2]",
              .host = "h",
              .authorization = std::string("Bearer ") + token})
        .status;
  };
  EXPECT_EQ(with("GET", "/v1/streams", "reader-0123456789"), 200);
  EXPECT_EQ(with("POST", "/v1/streams/a/rows", "reader-0123456789"), 403);
  EXPECT_EQ(with("POST", "/v1/streams/a/rows", "writer-0123456789"), 200);
  EXPECT_EQ(with("DELETE", "/v1/streams/a", "writer-0123456789"), 403);
  EXPECT_EQ(with("PUT", "/v1/models/current", "writer-0123456789"), 403);
  EXPECT_EQ(with("GET", "/v1/streams", "reader-0123456780"), 401);
  EXPECT_EQ(front.refused(Refusal::unauthorized), 3U);
}

TEST(Api, EventsResumeAfterTheRowThatTheReaderSaw) {
  Front front;
  front.post("/v1/streams/a/rows", "[1,2]\n[3,4]\n[5,6]");
  const auto fresh = front.get("/v1/streams/a/events");
  ASSERT_TRUE(fresh.events);
  EXPECT_EQ(fresh.events->after, 3U);
  const auto resumed = front.ask({.method = "GET", .target = "/v1/streams/a/events", .last_event_id = "1"});
  EXPECT_EQ(resumed.events->after, 1U);
  EXPECT_EQ(front.ask({.method = "GET", .target = "/v1/streams/a/events", .last_event_id = "9"}).events->after, 3U);
  EXPECT_EQ(front.ask({.method = "GET", .target = "/v1/streams/a/events", .last_event_id = "x"}).status, 400);
}

TEST(Api, SnapshotsMoveAStream) {
  Front from, to;
  from.post("/v1/streams/a/rows", "[1,2]\n[3,4]");
  const auto state = from.get("/v1/streams/a/snapshot");
  ASSERT_EQ(state.status, 200);
  EXPECT_EQ(to.ask({.method = "PUT", .target = "/v1/streams/a/snapshot", .body = state.body}).status, 204);
  EXPECT_EQ(to.ask({.method = "PUT", .target = "/v1/streams/b/snapshot", .body = state.body}).status, 422);
  EXPECT_EQ(to.ask({.method = "PUT", .target = "/v1/streams/a/snapshot", .body = "x"}).status, 422);
  const auto a = from.post("/v1/streams/a/rows", "[5,6]"), b = to.post("/v1/streams/a/rows", "[5,6]");
  EXPECT_EQ(a.body, b.body);
  EXPECT_EQ(to.ask({.method = "DELETE", .target = "/v1/streams/a"}).status, 204);
  EXPECT_EQ(to.get("/v1/streams/a/snapshot").status, 404);
}

TEST(Api, TheDescriptionNamesEveryResource) {
  Front front;
  const auto description = nlohmann::json::parse(front.get("/openapi.json").body);
  for (const char* path : {"/v1/streams/{id}/rows", "/v1/streams/{id}/events", "/v1/models/current", "/metrics"}) {
    EXPECT_TRUE(description["paths"].contains(path)) << path;
  }
  const auto fleet = nlohmann::json::parse(front.get("/v1/fleet").body);
  EXPECT_EQ(fleet["partitions"].size(), 2U);
  EXPECT_EQ(front.get("/readyz").status, 200);
  EXPECT_EQ(nlohmann::json::parse(front.get("/v1/models").body)["channels"].size(), 2U);
}

}  // namespace
}  // namespace elastane::serve
