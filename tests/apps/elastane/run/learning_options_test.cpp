// apps/elastane/run/learning_options.cpp
#include "apps/elastane/run/learning_options.h"

#include <gtest/gtest.h>

namespace elastane::app {
namespace {

// what a verb with these options would set
ForecasterOptions forecaster_of(std::vector<std::string> arguments) {
  command_line::Command program("program", "");
  LearningOptions options;
  ForecasterOptions forecaster;
  command_line::Command& verb = program.command("verb", "");
  add_learning_options(verb, options);
  verb.action([&] { return set_learning(options, forecaster), 0; });
  arguments.insert(arguments.begin(), "verb");
  EXPECT_EQ(parse(program, std::move(arguments)).run(), 0);
  return forecaster;
}

TEST(LearningOptions, WithoutThemEveryRowCorrects) {
  const ForecasterOptions forecaster = forecaster_of({});
  EXPECT_EQ(forecaster.gate.kind, Gate::always);
  EXPECT_TRUE(forecaster.adapt);
  EXPECT_TRUE(forecaster.guard);
}

TEST(LearningOptions, AnotherProcessWithTheirArgumentsLearnsAlike) {
  const LearningOptions given[] = {{},
                                   {.gate = "gain", .price = 0.1 + 0.2},
                                   {.gate = "never", .no_guard = true},
                                   {.learning = "euclidean", .no_correction = true}};
  for (const LearningOptions& each : given) {
    ForecasterOptions expected;
    set_learning(each, expected);
    const ForecasterOptions found = forecaster_of(as_arguments(each));
    EXPECT_EQ(found.learning, expected.learning);
    EXPECT_EQ(found.gate.kind, expected.gate.kind);
    EXPECT_EQ(found.gate.price, expected.gate.price);
    EXPECT_EQ(found.adapt, expected.adapt);
    EXPECT_EQ(found.guard, expected.guard);
  }
}

}  // namespace
}  // namespace elastane::app
