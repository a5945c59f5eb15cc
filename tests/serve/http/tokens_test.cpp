// elastane/serve/http/tokens.cpp
#include "elastane/serve/http/tokens.h"

#include <gtest/gtest.h>

namespace elastane::serve {
namespace {

TEST(Tokens, EachAllowsItsScopesOnly) {
  const auto tokens =
      Tokens::parse("# who may do what\nreader-0123456789  read\r\n\nwriter-0123456789\tread,write\n").value();
  EXPECT_EQ(tokens.check("Bearer reader-0123456789", Scope::read), Tokens::Answer::allowed);
  EXPECT_EQ(tokens.check("bearer writer-0123456789", Scope::write), Tokens::Answer::allowed);
  EXPECT_EQ(tokens.check("Bearer reader-0123456789", Scope::write), Tokens::Answer::lacks_scope);
  EXPECT_EQ(tokens.check("Bearer writer-0123456789", Scope::admin), Tokens::Answer::lacks_scope);
  for (const char* unknown : {"", "Bearer", "Bearer ", "Bearer reader-012345678", "Bearer reader-01234567890",
                              "Basic reader-0123456789", "reader-0123456789"}) {
    EXPECT_EQ(tokens.check(unknown, Scope::read), Tokens::Answer::unknown) << unknown;
  }
}

TEST(Tokens, AFileThatIsNotClearIsRefused) {
  for (const char* bad : {"", "# nothing\n", "short read\n", "long-enough-token-1\n", "long-enough-token-1 all\n"}) {
    EXPECT_FALSE(Tokens::parse(bad)) << bad;
  }
}

}  // namespace
}  // namespace elastane::serve
