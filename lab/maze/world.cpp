#include "lab/maze/world.h"

#include "lab/maze/maps_reproduction.h"
#include "lab/maze/play.h"
#include "lab/maze/recording.h"
#include "lab/maze/rest_reproduction.h"

namespace elastane::maze {
namespace {

Result<std::unique_ptr<benchmark::Benchmark>> open(const std::string& models, int size) {
  auto trained = load_trained_agents(models);
  if (!trained) return Error{trained.error()};
  return std::unique_ptr<benchmark::Benchmark>(
      std::make_unique<MazeBenchmark>(*std::move(trained), lattice_episodes(size)));
}

Result<lab::RecordingPointer> record_episode(const std::string& models, int size,
                                             const benchmark::RecordingRequest& request) {
  auto trained = load_trained_agents(models);
  if (!trained) return Error{trained.error()};
  auto recording = record(MazeBenchmark(*std::move(trained), lattice_episodes(size)), request);
  if (!recording) return Error{recording.error()};
  return lab::RecordingPointer(std::make_unique<MazeRecording>(std::move(*recording)));
}

std::vector<std::vector<std::string>> training(const std::string& models) {
  return {{"train", "maze", "--network", "map", "--seed", "1", "-o", models + "/maze.safetensors"},
          {"train", "maze", "--network", "prices", "-o", models + "/maze_prices.safetensors"}};
}

lab::BenchmarkEntry entry(const std::string& name, const std::string& what, int size) {
  return {
      .name = name,
      .what = what,
      .cost = "1 minute",
      .open = [size](const std::string& models) { return open(models, size); },
      .record = [size](const std::string& models,
                       const benchmark::RecordingRequest& request) { return record_episode(models, size, request); },
      .training = training};
}

}  // namespace

lab::World world() {
  lab::World world{.name = "maze", .what = "Mazes with doors that change"};
  world.benchmarks = {entry("maze", "Mazes of 15 × 15 cells", 15),
                      entry("maze_21", "Mazes of 21 × 21 cells, without retraining", 21),
                      entry("maze_27", "Mazes of 27 × 27 cells, without retraining", 27)};
  world.benchmarks.front().custom = make_map_play();
  world.reproductions = {maps_reproduction(), rest_reproduction()};
  return world;
}

}  // namespace elastane::maze
