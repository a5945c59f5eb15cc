// apps/elastane_train/network_task.cpp: a table becomes a network, with the scaling of its columns in its file.
#include "apps/elastane_train/network_task.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "elastane/io/model_file.h"
#include "tests/io/folder.h"

namespace elastane::app {
namespace {

class NetworkTask : public ::testing::Test {
 protected:
  NetworkTask() {
    std::ofstream file(folder / "load.csv");
    file << "date,load,wind\n";
    for (int t = 0; t < 300; ++t) {
      file << "2024-01-" << (t / 24 < 9 ? "0" : "") << 1 + t / 24 << " " << (t % 24 < 10 ? "0" : "") << t % 24
           << ":00:00,";
      if (t % 50 != 7) file << 10 + std::sin(t / 5.0);
      file << "," << std::cos(t / 7.0) << "\n";
    }
    add_network_training(tasks);
  }

  int train(std::vector<std::string> words) {
    words.insert(words.begin(), {"train", "network", "--input", folder / "load.csv", "--run", folder / "run", "--steps",
                                 "4", "--validate-every", "2", "--threads", "1", "-o", folder / "load.safetensors"});
    return command_line::parse(program, words).run();
  }

  const Folder folder;
  command_line::Command program{"elastane", ""};
  lab::TrainingCommands tasks{program.command("train", ""), {"elastane"}, "1", "c"};
};

TEST_F(NetworkTask, TrainsANetworkForTheColumnsOfATable) {
  EXPECT_EQ(train({"--target", "load", "--exogenous", "wind", "--horizon", "3"}), 0);
  const ModelFile file = read_model(folder / "load.safetensors").value();
  EXPECT_EQ(file.config.inputs, 2);
  EXPECT_EQ(file.config.outputs, 3);
  EXPECT_TRUE(file.config.mask_input);  // a value is missing
  EXPECT_NE(file.metadata.at("series").find("\"horizon\":3"), std::string::npos);
}

TEST_F(NetworkTask, RefusesSharesAboveOneAndUnknownColumns) {
  EXPECT_ANY_THROW(train({"--learn", "0.9", "--held-out", "0.2"}));
  EXPECT_ANY_THROW(train({"--target", "lode"}));
}

}  // namespace
}  // namespace elastane::app
