// Tests of elastane/io/trace_line.cpp: a step is a line, and the line is the step.
#include "elastane/io/trace_line.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/io/trace_steps.h"

namespace elastane {
namespace {

// without its newline
std::string line_of(const TraceStep& step) {
  std::string text;
  append_trace_line(step, text);
  EXPECT_EQ(text.find('\n'), text.size() - 1);
  text.pop_back();
  return text;
}

// the message that refuses a line; "" if it is taken
std::string refusal(const std::string& line) {
  TraceStep step;
  return parse_trace_line(line, step).error();
}

std::string replaced(std::string text, const std::string& part, const std::string& by) {
  const std::size_t at = text.find(part);
  EXPECT_NE(at, text.npos) << part;
  return at == text.npos ? text : text.replace(at, part.size(), by);
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

const std::vector<std::string> kNames = {
    "step",    "time",        "stop",       "metric",         "granted",       "K",     "accepted",  "trials",
    "cut",     "loss_before", "loss_after", "horizon_before", "horizon_after", "kappa", "predicted", "ratio",
    "alpha",   "length",      "radius",     "damping",        "condition",     "madds", "micros",    "products",
    "elapsed", "overrun"};

// --- there and back

TEST(TraceLine, OfAnyBitsComesBackTheSame) {
  Random random(7);
  for (int i = 0; i < 20'000; ++i) {
    const TraceStep step = random_step(random);
    TraceStep back;
    const Status parsed = parse_trace_line(line_of(step), back);
    ASSERT_TRUE(parsed) << parsed.error() << "\n" << line_of(step);
    ASSERT_TRUE(same(step, back)) << line_of(step);
  }
}

TEST(TraceLine, OfExtremesComesBackTheSame) {
  using Double = std::numeric_limits<double>;
  using Whole = std::numeric_limits<std::int64_t>;
  for (const double number :
       {0.0, -0.0, Double::denorm_min(), -Double::denorm_min(), Double::min(), Double::max(), Double::lowest(), 0.1,
        1.0 / 3, 9007199254740993.0, 1e22, 123456789012345683968.0, -9223372036854775808.0, 9223372036854775808.0,
        18446744073709551616.0, -18446744073709551616.0, 5e-300, 1e300}) {
    for (const std::int64_t count : {Whole::min(), Whole::max(), std::int64_t{0}, std::int64_t{-1}}) {
      const TraceStep step = filled_step([=] { return number; }, [=] { return count; });
      TraceStep back;
      ASSERT_TRUE(parse_trace_line(line_of(step), back)) << line_of(step);
      EXPECT_TRUE(same(step, back)) << line_of(step);
    }
  }
}

TEST(TraceLine, WritesWhatIsNotFiniteAsNullAndReadsItAsNaN) {
  for (const double value : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    const TraceStep step = filled_step([=] { return value; }, [] { return 1; });
    const std::string line = line_of(step);
    EXPECT_TRUE(contains(line, "\"kappa\":null,")) << line;
    EXPECT_TRUE(contains(line, "\"advance\":null,")) << line;
    TraceStep back;
    ASSERT_TRUE(parse_trace_line(line, back));
    EXPECT_TRUE(std::isnan(back.time) && std::isnan(back.report.kappa) && std::isnan(back.report.micros[0]));
  }
}

TEST(TraceLine, KnowsEveryStopAndEveryMetric) {
  for (int i = 0; i < std::max(kStopReasons, kMetrics); ++i) {
    TraceStep step, back;
    step.report.stop = static_cast<Stop>(i % kStopReasons);
    step.report.metric = static_cast<Metric>(i % kMetrics);
    ASSERT_TRUE(parse_trace_line(line_of(step), back));
    EXPECT_EQ(back.report.stop, step.report.stop);
    EXPECT_EQ(back.report.metric, step.report.metric);
    EXPECT_EQ(parse_metric(name(step.report.metric)).value(), step.report.metric);
  }
}

TEST(TraceLine, IsAsTheFormatSays) {
  TraceStep step{.position = 42, .time = 0.84, .report = {}};
  step.report = {
      .stop = Stop::rejected, .metric = Metric::sketch, .granted = 3, .depth = 2, .accepted = 1, .trials = 4};
  step.report.loss_before = 0.1;
  step.report.micros[static_cast<int>(Stage::solve)] = 1.5;
  step.report.macs[static_cast<int>(Stage::trial)] = 4096;
  EXPECT_EQ(
      line_of(step),
      R"({"step":42,"time":0.84,"stop":"rejected","metric":"sketch","granted":3,"K":2,"accepted":1,"trials":4,)"
      R"("cut":false,)"
      R"("loss_before":0.1,"loss_after":0,"horizon_before":0,"horizon_after":0,"kappa":0,"predicted":0,)"
      R"("ratio":0,"alpha":0,"length":0,"radius":0,"damping":0,"condition":1,)"
      R"("madds":{"advance":0,"score":0,"gate":0,"metric":0,"solve":0,"rollout":0,"trial":4096,"commit":0,"other":0},)"
      R"("micros":{"advance":0,"score":0,"gate":0,"metric":0,"solve":1.5,"rollout":0,"trial":0,"commit":0,"other":0},)"
      R"("products":0,"elapsed":0,"overrun":0})");
}

// --- what is let pass

TEST(TraceLine, PassesOverWhatItDoesNotKnow) {
  Random random(3);
  const TraceStep step = random_step(random);
  for (const char* unknown : {R"("K_max":3,)", R"("x":"text",)", R"("x":{"K":7,"madds":{"advance":-1}},)",
                              R"("x":[1,{"K":[7]},[["K"]]],)", R"("x":null,"x":true,)", R"("depth":{"step":"no"},)"}) {
    TraceStep back;
    const std::string line = replaced(line_of(step), "\"cut\":", unknown + std::string("\"cut\":"));
    ASSERT_TRUE(parse_trace_line(line, back)) << line;
    EXPECT_TRUE(same(step, back)) << line;
  }
  for (const char* unknown : {R"("anticipate":7,)", R"("x":{"advance":"no"},)", R"("x":[{"advance":1}],)"}) {
    TraceStep back;
    const std::string line = replaced(line_of(step), "\"solve\":", unknown + std::string("\"solve\":"));
    ASSERT_TRUE(parse_trace_line(line, back)) << line;
    EXPECT_TRUE(same(step, back)) << line;
  }
}

TEST(TraceLine, MayLackStagesWhichAreZeroThen) {
  TraceStep back;
  const std::string line = line_of({});
  const std::string shorter = replaced(line, line.substr(line.find("{\"advance\"")),
                                       R"({"solve":5},"micros":{},)"
                                       R"("products":0,"elapsed":0,"overrun":0})");
  ASSERT_TRUE(parse_trace_line(shorter, back)) << shorter;
  EXPECT_EQ(back.report.total_macs(), 5);
  EXPECT_EQ(back.report.micros, StepReport().micros);
}

TEST(TraceLine, MayHaveSpacesAndAnyOrder) {
  Random random(5);
  const TraceStep step = random_step(random);
  const std::string line = line_of(step), first = "\"step\":" + std::to_string(step.position) + ",";
  std::string moved = replaced(replaced(line, first, ""), "\"cut\":", first + " \t\"cut\" :\r ") + "\r";
  TraceStep back;
  ASSERT_TRUE(parse_trace_line(moved, back)) << moved;
  EXPECT_TRUE(same(step, back));
}

// --- what is refused

TEST(TraceLine, ThatLacksAFieldIsRefused) {
  for (const std::string& field : kNames) {
    EXPECT_EQ(refusal(replaced(line_of({}), "\"" + field + "\":", "\"other_" + field + "\":")),
              "expected the field " + field + ", found none");
  }
}

TEST(TraceLine, ThatHasAFieldTwiceIsRefused) {
  const std::string line = line_of({});
  for (const std::string& field : kNames) {
    const std::size_t at = line.find("\"" + field + "\":");
    std::size_t end = line.find_first_of(",}", at);
    if (field == "madds" || field == "micros") end = line.find('}', at) + 1;
    const std::string twice = line.substr(0, end) + "," + line.substr(at, end - at) + line.substr(end);
    EXPECT_EQ(refusal(twice), field + ": expected it once, found it twice");
  }
  EXPECT_EQ(refusal(replaced(line, "\"score\":0", "\"advance\":0")), "madds.advance: expected it once, found it twice");
}

TEST(TraceLine, WithAValueOfAnotherKindIsRefused) {
  const auto with = [](const std::string& field, const std::string& from, const std::string& to) {
    return refusal(replaced(line_of({}), "\"" + field + "\":" + from, "\"" + field + "\":" + to));
  };
  for (const char* wrong : {"\"1\"", "true", "[]", "{}"}) {
    EXPECT_TRUE(contains(with("kappa", "0", wrong), "kappa: expected a number or null, found ")) << wrong;
    EXPECT_TRUE(contains(with("time", "0", wrong), "time: expected a number or null, found ")) << wrong;
  }
  for (const char* wrong : {"\"1\"", "true", "[1]", "{}", "null", "1.5", "1e3", "1.0"}) {
    EXPECT_TRUE(contains(with("K", "0", wrong), "K: expected a whole number from -2147483648 to 2147483647, found "))
        << wrong;
    EXPECT_TRUE(
        contains(with("step", "0", wrong), "step: expected a whole number from 0 to 18446744073709551615, found "))
        << wrong;
    EXPECT_TRUE(contains(with("advance", "0", wrong), "madds.advance: expected a whole number from -92")) << wrong;
  }
  EXPECT_TRUE(contains(with("K", "0", "2147483648"), ", found 2147483648"));
  EXPECT_TRUE(contains(with("step", "0", "-1"), ", found -1"));
  EXPECT_TRUE(contains(with("step", "0", "18446744073709551616"), ", found 18446744073709551616"));
  EXPECT_EQ(with("cut", "false", "0"), "cut: expected true or false, found 0");
  EXPECT_EQ(with("stop", "\"completed\"", "\"tired\""),
            "stop: expected one of completed, gate, converged, rejected, budget, nothing_observed, zero_gradient, "
            "not_finite, singular, no_corrector, too_late, not_replayable, no_such_step, found \"tired\"");
  EXPECT_TRUE(contains(with("metric", "\"automatic\"", "1"), "metric: expected one of automatic, euclidean, "));
  for (const char* wrong : {"0", "null", "[0,0,0,0,0,0,0,0]", "\"\"", "[{\"advance\":0}]"}) {
    const std::string line = line_of({});
    const std::size_t at = line.find("{\"advance\""), end = line.find('}', at) + 1;
    EXPECT_TRUE(
        contains(refusal(line.substr(0, at) + wrong + line.substr(end)), "madds: expected an object of stages, found "))
        << wrong;
  }
  EXPECT_EQ(with("kappa", "0", "1e999"), "expected numbers within a double's range, found one beyond it");
}

TEST(TraceLine, ThatIsNotAnObjectIsRefused) {
  EXPECT_EQ(refusal(""), "expected a step, found an empty line");
  EXPECT_EQ(refusal("[]"), "expected an object, found a list");
  EXPECT_EQ(refusal("42"), "expected an object, found 42");
  EXPECT_EQ(refusal("nonsense"), "expected JSON, found onsense at column 2");
  EXPECT_EQ(refusal("{} {}"), "expected JSON, found {} at column 4");
  EXPECT_EQ(refusal("{}"), "expected the field step, found none");
  EXPECT_EQ(refusal(line_of({}) + std::string("\0garbage", 8)), "expected JSON, found a zero byte");
  EXPECT_TRUE(contains(refusal("{\"step\":\xff\x01}"), "found ")) << "and it is fit to be printed";
  for (const char c : refusal("{\"step\":\"\x1b[31m\xff")) EXPECT_TRUE(c >= ' ' && c <= '~');
}

TEST(TraceLine, ThatIsCutAnywhereIsRefused) {
  Random random(9);
  const std::string line = line_of(random_step(random));
  for (std::size_t size = 0; size < line.size(); ++size) {
    EXPECT_TRUE(contains(refusal(line.substr(0, size)), "expected ")) << line.substr(0, size);
  }
  EXPECT_EQ(refusal(line), "");
}

TEST(TraceLine, MayBeHugeAndDeepWithoutACrash) {
  const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
  const std::string line = line_of({});
  EXPECT_EQ(refusal(replaced(line, "{", "{\"x\":" + deep + ",")), "");
  EXPECT_EQ(refusal(replaced(line, "{", "{\"x\":\"" + std::string(1'000'000, 'x') + "\",")), "");
  EXPECT_EQ(refusal(replaced(line, "\"K\":0", "\"K\":" + deep)),
            "K: expected a whole number from -2147483648 to 2147483647, found a list");
  const std::string why = refusal(replaced(line, "\"completed\"", "\"" + std::string(1'000'000, 'x') + "\""));
  EXPECT_LT(why.size(), 300U);
}

}  // namespace
}  // namespace elastane
