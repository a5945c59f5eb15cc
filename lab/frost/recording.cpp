#include "lab/frost/recording.h"

#include <algorithm>
#include <cmath>

#include "elastane/core/network/network.h"
#include "elastane/core/stream/stream.h"
#include "lab/benchmark/recording_checks.h"
#include "lab/benchmark/shown_agents.h"
#include "lab/frost/cells.h"

namespace elastane::frost {
namespace {

constexpr int kShownSide = 16, kShownBits = 32;
constexpr double kLowest = 1e-3;  // of |h|, on the page

struct Shown {
  std::string name, what;
};
const std::vector<Shown>& shown() {
  static const std::vector<Shown> all = {{"certificate", "iterates until infinite depth is proven"},
                                         {"half", "the same network, stopped at half that depth"}};
  return all;
}

std::vector<double> levels(const Stream& stream, int cells) {
  const StateLayout& layout = stream.model().network().layout;
  const auto& block = std::get<Recursion>(stream.model().network().layers[0].block);
  const auto* h = reinterpret_cast<const float*>(stream.state().data() + layout.dense);
  std::vector<double> level(static_cast<std::size_t>(cells));
  for (int i = 0; i < cells; ++i) {
    double most = 0;
    for (int c = 0; c < block.hidden; ++c)
      most = std::max(most, std::fabs(static_cast<double>(h[c * padded(cells) + i])));
    level[static_cast<std::size_t>(i)] =
        std::clamp(1 - std::log(std::max(most, kLowest)) / std::log(kLowest), 0.0, 1.0);
  }
  return level;
}

CellsAgent run(const ModelFile& file, const Episode& e, const Shown& as, int depth, bool certified) {
  CellsAgent agent{.caption = {.name = as.name, .what = as.what},
                   .steps = {},
                   .settled = std::vector<int>(e.labels.size()),
                   .certified = certified};
  std::vector<std::uint8_t> before(e.labels.size());
  double bound = 0;
  for (int k = 1; k <= depth; ++k) {
    Stream stream(resized(file, e.task, e.cols, k));
    const BlockReport report = stream.advance(e.features).blocks[0];
    CellsStep step{.moment = {}, .classes = classes_of(stream.output()), .level = levels(stream, e.cells())};
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (step.classes[i] == before[i]) continue;
      agent.settled[i] = k;
      step.moment.depth += 1;
    }
    step.moment.loss_before = k == 1 ? report.bound : bound;
    step.moment.loss_after = bound = report.bound;
    before = step.classes;
    agent.steps.push_back(std::move(step));
  }
  agent.caption.steps = depth;
  agent.caption.success = before == e.labels;
  for (std::size_t i = 0; i < before.size(); ++i) agent.caption.violations += before[i] != e.labels[i] ? 1 : 0;
  return agent;
}

}  // namespace

CellsRecording record(const ModelFile& file, Task task, int size, const benchmark::RecordingRequest& request) {
  CellsRecording r(request.seed, request.episode);
  r.cells = draw_episode(task, size, (request.seed << 20U) + static_cast<std::uint64_t>(request.episode));
  const bool grid = task == Task::grid;
  r.title = grid ? "A frontier runs until nothing can change any more" : "Parity travels along the bits";
  r.summary =
      (grid ? "Which cells can the start reach? The network was trained on grids of 8 x 8 cells; this one is larger. "
            : "Is the number of ones up to each bit odd? The network was trained on 12 bits. ") +
      std::string(
          "One map is applied again and again, the same weights in every cell. Every step of the animation is an "
          "iteration. "
          "The bound is a proof of how far any value can still move at infinite depth; when it is small enough, the "
          "recursion stops.");
  Stream stream(resized(file, task, size));
  const int depth = static_cast<int>(stream.advance(r.cells.features).blocks[0].depth);
  for (const Shown& each :
       benchmark::shown_agents(
           request.agents.empty() ? std::vector<std::string>{"certificate", "half"} : request.agents, shown())
           .value()) {
    const bool whole = each.name == "certificate";
    r.agents.push_back(run(file, r.cells, each, whole ? depth : std::max(1, depth / 2), whole));
  }
  return r;
}

Result<CellsRecording> record(const std::string& models, const benchmark::RecordingRequest& request) {
  if (request.episode < 0) return Error{"[play] episode: expected 0 or more, found " + std::to_string(request.episode)};
  const Task task = request.episode % 2 == 0 ? Task::grid : Task::parity;
  const auto file = read_model(models + (task == Task::grid ? "/frost_grid.safetensors" : "/frost_parity.safetensors"));
  if (!file) return Error{file.error()};
  if (const auto known = benchmark::shown_agents(request.agents, shown()); !known) return Error{known.error()};
  return record(*file, task, task == Task::grid ? kShownSide : kShownBits, request);
}

Status CellsRecording::validate() const {
  if (Status found = benchmark::check_agents(agents); !found) return found;
  const auto cells_of = static_cast<std::size_t>(cells.cells());
  for (const CellsAgent& agent : agents) {
    for (const CellsStep& step : agent.steps) {
      if (step.classes.size() == cells_of && step.level.size() == cells_of) continue;
      return benchmark::wrong_size(agent.caption.name + ", cells", cells_of,
                                   std::min(step.classes.size(), step.level.size()));
    }
  }
  return {};
}

}  // namespace elastane::frost
