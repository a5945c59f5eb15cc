// lab/crowd/report.h: the tables as text and as JSON.
#include "lab/crowd/report.h"

#include <gtest/gtest.h>

namespace elastane::crowd {
namespace {

TEST(CrowdReport, HasTheReferenceColumnsOnlyForTheTestCases) {
  const RosterEntry entry{.name = "orca", .make = {}, .reference = Reference{.success = 0.5}};
  const Results results{.outcomes = {{Ending::reached, 10, 0.2}}};
  Report with(true), without(false);
  for (Report* report : {&with, &without}) report->heading(), report->row(entry, results);
  EXPECT_NE(with.text().find("reference: success"), std::string::npos);
  EXPECT_NE(with.text().find(" 0.500 |  |  |"), std::string::npos);
  EXPECT_EQ(without.text().find("reference"), std::string::npos);
  EXPECT_EQ(with.rows[0]["success"], 1.0);
}

TEST(CrowdReport, SaysIfNoEpisodeWasSolvedByBoth) {
  const Results one{.outcomes = {{Ending::reached, 10, 0}}}, other{.outcomes = {{Ending::collided, 1, 0}}};
  Report report(false);
  report.comparison_row("a", "b", compare(one, other));
  EXPECT_NE(report.text().find("none in common"), std::string::npos);
}

}  // namespace
}  // namespace elastane::crowd
