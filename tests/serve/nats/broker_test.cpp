// elastane/serve/nats/broker.cpp, against a broker: elastane fleet check; here, what it reads from a subject
#include "elastane/serve/nats/broker.h"

#include <gtest/gtest.h>

namespace elastane::serve {
namespace {

TEST(SequencesInReply, IsReadFromOldAndNewForms) {
  EXPECT_EQ(sequences_in_reply("$JS.ACK.ROWS_1.x7Kq.1.4711.12.1700000000000000000.3").stored, 4711U);
  EXPECT_EQ(sequences_in_reply("$JS.ACK.hub.ACCOUNT.ROWS_1.x7Kq.1.4711.12.1700000000000000000.3").stored, 4711U);
  EXPECT_EQ(sequences_in_reply("$JS.ACK._.ACCOUNT.ROWS_1.x7Kq.1.18446744073709551615.12.17.3.token").stored,
            UINT64_MAX);
  EXPECT_EQ(sequences_in_reply("$JS.ACK.ROWS_1.x7Kq.1.4711.12.1700000000000000000.3").sent, 12U);
  EXPECT_EQ(sequences_in_reply("$JS.ACK.hub.ACCOUNT.ROWS_1.x7Kq.1.4711.12.17.3").sent, 12U);
}

TEST(SequencesInReply, OtherSubjectsHaveNone) {
  for (const char* other : {"", "$JS.ACK.", "_INBOX.a.b", "$JS.ACK.ROWS.c.1.x.12.17.3", "$JS.ACK.ROWS.c.1..12.17.3",
                            "$JS.ACK.ROWS.c.1.-4.12.17.3", "$JS.ACK.ROWS.c.1.4x.12.17.3", "$JS.ACK.ROWS.c.1.4711.12.17",
                            "$JS.ACK.ROWS.c.1.4711.x.17.3", "$JS.ACK.d.ROWS.c.1.4711.12.17.3",
                            "$JS.ACK.ROWS.c.1.18446744073709551616.12.17.3", "........"}) {
    EXPECT_EQ(sequences_in_reply(other).stored, 0U) << other;
    EXPECT_EQ(sequences_in_reply(other).sent, 0U) << other;
  }
}

}  // namespace
}  // namespace elastane::serve
