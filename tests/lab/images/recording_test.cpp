// Tests of lab/images/recording.cpp: what a page shows of a classification, its JSON and its figure.
#include "lab/images/recording.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "lab/images/classifier.h"
#include "tests/lab/images/small_images.h"

namespace elastane::images {
namespace {

struct Material {
  ModelFile file;
  ImageSet test;
};
Material material(int features = 4) {
  const ModelConfig config = classifier_config({.features = features, .width = 8});
  const std::string folder = small_images("recording");
  Material m{.file = {.config = config, .tensors = random_tensors(config, 2), .metadata = {}},
             .test = read_images(Task::digits, folder).value().test};
  std::filesystem::remove_all(folder);
  return m;
}

TEST(ImagesRecording, StopsEachImageWhereItsClassIsProven) {
  const Material m = material();
  const ImagesRecording r = record(m.file, m.test, {.seed = 1, .episode = 0, .agents = {}}).value();
  ASSERT_TRUE(r.validate());
  ASSERT_EQ(r.agents.size(), 2U);
  EXPECT_EQ(r.agents[1].steps.size(), 1U);
  const ImagesAgent& agent = r.agents[0];
  for (std::size_t k = 1; k < agent.steps.size(); ++k) {
    for (std::size_t i = 0; i < agent.steps[k].classes.size(); ++i) {
      EXPECT_GE(agent.steps[k].proven[i], agent.steps[k - 1].proven[i]);
      if (agent.steps[k - 1].proven[i] != 0) {
        EXPECT_EQ(agent.steps[k].classes[i], agent.steps[k - 1].classes[i]);
      }
    }
  }
  const auto json = nlohmann::json::parse(r.json());
  EXPECT_EQ(json["world"], "images");
  EXPECT_EQ(json["pictures"].size(), static_cast<std::size_t>(kShownImages));
  EXPECT_EQ(json["agents"][0]["proven"].size(), agent.steps.size());
  EXPECT_NE(r.figure().find("<svg"), std::string::npos);
}

TEST(ImagesRecording, SaysWhatIsMissing) {
  const Material m = material();
  EXPECT_FALSE(record(m.file, m.test, {.seed = 1, .episode = 1, .agents = {}}));
  EXPECT_FALSE(record(m.file, m.test, {.seed = 1, .episode = -1, .agents = {}}));
  EXPECT_FALSE(record(m.file, m.test, {.seed = 1, .episode = 0, .agents = {"unknown"}}));
  EXPECT_FALSE(record(material(9).file, m.test, {.seed = 1, .episode = 0, .agents = {}}));
  EXPECT_FALSE(record("no_such_folder", "no_such_folder", {.seed = 1, .episode = 0, .agents = {}}));
  ImagesRecording r = record(m.file, m.test, {.seed = 1, .episode = 0, .agents = {"once"}}).value();
  r.agents[0].steps[0].classes.pop_back();
  EXPECT_FALSE(r.validate());
}

}  // namespace
}  // namespace elastane::images
