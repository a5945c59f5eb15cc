// elastane/serve/nats/stored_message.cpp
#include "elastane/serve/nats/stored_message.h"

#include <gtest/gtest.h>

namespace elastane::serve {
namespace {

std::string text_of(const BrokerMessage& message) {
  return {reinterpret_cast<const char*>(message.data.data()), message.data.size()};
}

TEST(StoredMessage, IsReadFromTheAnswerOfAServer) {
  const auto message = message_in_answer(
      R"({"type":"io.nats.jetstream.api.v1.stream_msg_get_response",
          "message":{"subject":"f.rows.1.a","seq":4711,"data":"aGVsbG8=","time":"2026-01-01T00:00:00Z"}})");
  ASSERT_TRUE(message);
  ASSERT_TRUE(*message);
  EXPECT_EQ((*message)->subject, "f.rows.1.a");
  EXPECT_EQ((*message)->sequence, 4711U);
  EXPECT_EQ(text_of(**message), "hello");
}

TEST(StoredMessage, EveryLengthOfDataComesBack) {
  const std::pair<const char*, const char*> known[] = {{"", ""},        {"Zg==", "f"},        {"Zm8=", "fo"},
                                                       {"Zm9v", "foo"}, {"Zm9vYg==", "foob"}, {"Zm9vYmE=", "fooba"}};
  for (const auto& [encoded, plain] : known) {
    const auto message =
        message_in_answer(std::string(R"({"message":{"subject":"s","seq":1,"data":")") + encoded + "\"}}");
    ASSERT_TRUE(message && *message) << encoded;
    EXPECT_EQ(text_of(**message), plain);
  }
}

TEST(StoredMessage, NoMessageIsNotAnError) {
  const auto none = message_in_answer(R"({"error":{"code":404,"err_code":10037,"description":"no message found"}})");
  ASSERT_TRUE(none);
  EXPECT_FALSE(*none);
}

TEST(StoredMessage, OtherAnswersAreRefused) {
  for (const char* other :
       {"", "[]", "{}", "nothing", R"({"error":{"code":503}})",
        R"({"error":{"code":404,"err_code":10059,"description":"stream not found"}})", R"({"error":3})",
        R"({"message":3})", R"({"message":{}})", R"({"message":{"seq":-1,"data":""}})",
        R"({"message":{"seq":1,"data":"Zg="}})", R"({"message":{"seq":1,"data":"Z?=="}})"}) {
    EXPECT_FALSE(message_in_answer(other)) << other;
  }
}

}  // namespace
}  // namespace elastane::serve
