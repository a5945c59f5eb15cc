// lab/training/options.cpp: what is given replaces a task's defaults, and nothing else does.
#include "lab/training/options.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace elastane::lab {
namespace {

// the options of a command line
TrainingOptions given(const std::vector<std::string>& words) {
  TrainingOptions options;
  command_line::Command task("train", "");
  declare(task, options);
  const command_line::Parsed parsed = command_line::parse(task, words);
  EXPECT_NE(parsed.command, nullptr) << parsed.text;
  return options;
}

TEST(TrainingOptions, LeaveTheDefaultsOfATask) {
  train::TrainerOptions options;
  options.rate = 0.7;
  options.sampler.batch = 5;
  const nlohmann::ordered_json before = to_json(options);
  apply(given({}), options);
  EXPECT_EQ(to_json(options), before);
}

TEST(TrainingOptions, ReplaceWhatIsGiven) {
  train::TrainerOptions o;
  apply(given({"--steps",    "7",   "--batch", "3",   "--length",   "9",         "--carry",          "2",
               "--warm-up",  "1",   "--rate",  "0.5", "--schedule", "one_cycle", "--rate-warm-up",   "4",
               "--decay",    "0.2", "--clip",  "3",   "--loss",     "absolute",  "--validate-every", "2",
               "--patience", "6",   "--seed",  "11"}),
        o);
  EXPECT_EQ(o.schedule.steps, 7);
  EXPECT_EQ(o.sampler.batch, 3);
  EXPECT_EQ(o.sampler.length, 9);
  EXPECT_EQ(o.sampler.carry, 2);
  EXPECT_EQ(o.sampler.warm_up, 1);
  EXPECT_EQ(o.sampler.seed, 11U);
  EXPECT_EQ(o.rate, 0.5);
  EXPECT_EQ(o.schedule.kind, train::ScheduleKind::one_cycle);
  EXPECT_EQ(o.schedule.warm_up, 4);
  EXPECT_EQ(o.adamw.decay, 0.2);
  EXPECT_EQ(o.adamw.clip, 3);
  EXPECT_EQ(train::to_string(o.loss), "absolute");
  EXPECT_EQ(o.validate_every, 2);
  EXPECT_EQ(o.patience, 6);
}

TEST(TrainingOptions, ReplaceTheBlocksOfAModel) {
  ModelConfig config{.inputs = 3, .outputs = 2, .width = 16};
  config.blocks.assign(2, {.kind = MambaConfig{.state = 8}});
  apply(given({"--block", "gru", "--layers", "3", "--width", "24"}), config);
  EXPECT_EQ(config.width, 24);
  ASSERT_EQ(config.blocks.size(), 3U);
  for (const BlockConfig& block : config.blocks) EXPECT_EQ(block_name(block), "gru");
  apply(given({"--layers", "1"}), config);
  EXPECT_EQ(config.blocks.size(), 1U);
}

TEST(TrainingOptions, TakeAConfigurationThatFitsTheTask) {
  const std::string text = R"({"format": 1, "inputs": 3, "outputs": 2, "width": 8, "blocks": [{"block": "lstm"}]})";
  ModelConfig config{.inputs = 3, .outputs = 2, .width = 16};
  apply(given({"--model", text}), config);
  EXPECT_EQ(config.width, 8);
  ModelConfig other{.inputs = 4, .outputs = 2, .width = 16};
  EXPECT_THROW(apply(given({"--model", text}), other), std::runtime_error);
  EXPECT_THROW(apply(given({"--model", "no/such/file.json"}), config), std::runtime_error);
}

TEST(Rendezvous, IsAHostAndAPort) {
  train::PeersOptions peers;
  read_rendezvous("host.example:1234", peers);
  EXPECT_EQ(peers.host, "host.example");
  EXPECT_EQ(peers.port, 1234);
  for (const char* text : {"", "host", "host:", ":12", "host:x", "host:0", "host:65536", "host:12x"}) {
    EXPECT_THROW(read_rendezvous(text, peers), std::runtime_error) << text;
  }
}

}  // namespace
}  // namespace elastane::lab
