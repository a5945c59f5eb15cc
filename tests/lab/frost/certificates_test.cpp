// Tests of lab/frost/certificates.cpp: a moderate number of random cases; `elastane reproduce frost` runs many more.
#include "lab/frost/certificates.h"

#include <gtest/gtest.h>

namespace elastane::frost {
namespace {

TEST(Certificates, HoldInRandomCasesOfEveryForm) {
  for (const std::string form : kForms) {
    const Certificates found = try_certificates(form, 4000, 1);
    EXPECT_GE(found.cases, 4000);
    EXPECT_EQ(found.residual, 0) << form;
    EXPECT_EQ(found.posterior, 0) << form;
    EXPECT_EQ(found.tracking, 0) << form;
    EXPECT_EQ(found.classes, 0) << form;
    EXPECT_GT(found.tightness, 1e-4) << form;  // the bound is not so loose that nothing could violate it
    EXPECT_LT(found.tightness, 1) << form;
  }
  EXPECT_THROW(try_certificates("round", 1, 1), std::runtime_error);
}

TEST(Certificates, BecomeARowOfTheStudy) {
  const benchmark::DepthRow row = to_row("grid", {.cases = 10, .posterior = 2, .tracking = 1}, 7);
  EXPECT_EQ(row.violations, 3);
  EXPECT_EQ(row.cases, 10);
  EXPECT_EQ(row.part, "certificates");
}

}  // namespace
}  // namespace elastane::frost
