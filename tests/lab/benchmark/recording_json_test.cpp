// lab/benchmark/recording_json.h
#include "lab/benchmark/recording_json.h"

#include <gtest/gtest.h>

#include <limits>

namespace elastane::benchmark {
namespace {

TEST(RecordingJson, NumbersAreRoundedAndWhatIsNotFiniteIsNull) {
  EXPECT_EQ(number(0.123456), OrderedJson(0.1235));
  EXPECT_EQ(number(0.123456, 1e-2), OrderedJson(0.12));
  EXPECT_TRUE(number(std::numeric_limits<double>::quiet_NaN()).is_null());
  EXPECT_EQ(significant(123456.0), OrderedJson(123500.0));
  EXPECT_EQ(significant(1.23456e-9), OrderedJson(1.235e-9));
  EXPECT_EQ(numbers({0.5, 1}, 1e-3).dump(), "[0.5,1.0]");
}

TEST(RecordingJson, APageTextCannotEndAScript) { EXPECT_EQ(page_text("</script>"), "\"\\u003c/script>\""); }

}  // namespace
}  // namespace elastane::benchmark
