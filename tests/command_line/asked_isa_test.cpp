// command_line/asked_isa.cpp: the environment variable chooses, and a wrong value is refused.
#include "command_line/asked_isa.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace elastane::command_line {
namespace {

class AskedIsa : public ::testing::Test {
 protected:
  AskedIsa() {
    if (const char* set = std::getenv("ELASTANE_ISA")) before_ = set;
  }
  ~AskedIsa() override { before_.empty() ? ::unsetenv("ELASTANE_ISA") : ::setenv("ELASTANE_ISA", before_.c_str(), 1); }

 private:
  std::string before_;
};

TEST_F(AskedIsa, IsAutomaticIfNothingIsSaid) {
  ::unsetenv("ELASTANE_ISA");
  EXPECT_EQ(asked_isa(), Isa::automatic);
  ::setenv("ELASTANE_ISA", "", 1);
  EXPECT_EQ(asked_isa(), Isa::automatic);
}

TEST_F(AskedIsa, IsTheOneThatIsNamed) {
  ::setenv("ELASTANE_ISA", "avx2", 1);
  EXPECT_EQ(asked_isa(), Isa::avx2);
}

TEST_F(AskedIsa, RefusesAnotherName) {
  ::setenv("ELASTANE_ISA", "abacus", 1);
  EXPECT_ANY_THROW(asked_isa());
}

}  // namespace
}  // namespace elastane::command_line
