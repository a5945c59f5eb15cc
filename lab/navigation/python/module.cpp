// elastane_navigation: the navigation world for policies written in Python, with the verbs of gymnasium.
//
//   world = elastane_navigation.World(mode="dragged")
//   observation, info = world.reset(seed=3)
//   observation, reward, terminated, truncated, info = world.step(command)
//
// Observations are the inputs of a navigation network, so that shipped models can be compared with a policy.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>

#include "lab/navigation/benchmark.h"
#include "lab/navigation/encoding.h"
#include "lab/navigation/environment.h"

namespace elastane::navigation {
namespace {

namespace py = pybind11;
using Floats = py::array_t<float, py::array::c_style | py::array::forcecast>;
using Doubles = py::array_t<double, py::array::c_style | py::array::forcecast>;

Mode mode_named(const std::string& name) {
  const auto* found = std::find(std::begin(kModeNames), std::end(kModeNames), name);
  if (found == std::end(kModeNames)) {
    std::string expected;
    for (const char* each : kModeNames) expected += (expected.empty() ? "" : ", ") + std::string(each);
    throw std::invalid_argument("unknown mode \"" + name + "\", expected one of " + expected);
  }
  return static_cast<Mode>(found - std::begin(kModeNames));
}

Vec2 vector_of(const Doubles& values, const char* what) {
  if (values.size() != 2) throw std::invalid_argument(std::string(what) + ": expected 2 numbers");
  return {values.data()[0], values.data()[1]};
}

class World {
 public:
  explicit World(const std::string& mode) : mode_(mode_named(mode)) {}

  // a new episode on one of the benchmark's sites; without a number, the seed chooses it
  py::tuple reset(std::uint64_t seed, std::optional<int> site) {
    constexpr int kBenchmarkSites = kSites - kTuningSites;
    const int number = site.value_or(static_cast<int>(seed % kBenchmarkSites));
    if (number < 0 || number >= kBenchmarkSites) {
      throw std::invalid_argument("site: expected 0 to " + std::to_string(kBenchmarkSites - 1) + ", found " +
                                  std::to_string(number));
    }
    const py::gil_scoped_release released;
    if (number != site_ || !routed_) routed_.emplace(random_site(1000 * kSitesSeed + kTuningSites + number));
    site_ = number;
    environment_.emplace(routed_->site, draw_episode(*routed_, {.mode = mode_}, seed));
    command_ = {};
    const py::gil_scoped_acquire acquired;
    return py::make_tuple(observation(), info());
  }

  py::tuple step(const Doubles& command) {
    Environment& environment = running();
    if (environment.over()) throw std::runtime_error("the episode is over; call reset");
    command_ = limited(vector_of(command, "command"), kSpeed);
    environment.step(command_);
    const bool ended = environment.arrived();
    return py::make_tuple(observation(), -1.0, ended, environment.over() && !ended, info());
  }

  // what a network that predicts should have said of this observation, and which of its outputs that are
  py::tuple label() {
    Floats values(kOutputs);
    py::array_t<bool> present(kOutputs);
    std::fill_n(values.mutable_data(), kOutputs, 0.0F);
    encode_next(running().observe(), command_, std::span(values.mutable_data() + kPath, kObserved));
    for (int i = 0; i < kOutputs; ++i) present.mutable_data()[i] = i >= kPath && std::isfinite(values.data()[i]);
    for (int i = 0; i < kOutputs; ++i) values.mutable_data()[i] = present.data()[i] ? values.data()[i] : 0.0F;
    return py::make_tuple(values, present);
  }

 private:
  Environment& running() {
    if (!environment_) throw std::runtime_error("there is no episode yet; call reset");
    return *environment_;
  }

  Floats observation() {
    Floats values(kInputs);
    std::fill_n(values.mutable_data(), kDisturbance, 0.0F);  // nothing is known of wind and drive
    encode(environment_->observe(), std::span(values.mutable_data() + kDisturbance, kObserved));
    return values;
  }

  py::dict info() {
    py::dict out;
    out["steps"] = environment_->steps();
    out["arrived"] = environment_->arrived();
    out["contacts"] = environment_->contacts();
    out["position"] = py::make_tuple(environment_->position().x, environment_->position().y);
    return out;
  }

  Mode mode_;
  Vec2 command_;
  int site_ = -1;
  std::optional<RoutedSite> routed_;
  std::optional<Environment> environment_;
};

py::tuple command_of(const Floats& outputs) {
  if (outputs.size() < 2) throw std::invalid_argument("outputs: expected those of a navigation network");
  const Vec2 command = first_command(std::span(outputs.data(), static_cast<std::size_t>(outputs.size())));
  return py::make_tuple(command.x, command.y);
}

}  // namespace

PYBIND11_MODULE(elastane_navigation, module) {
  module.doc() = "The navigation world of the lab: a robot drives home over a site in which things happen.";
  module.attr("INPUTS") = kInputs;
  module.attr("OUTPUTS") = kOutputs;
  module.attr("SPEED") = kSpeed;
  module.attr("RAYS") = kRays;
  module.attr("RANGE") = kRange;
  module.def("command_of", &command_of, py::arg("outputs"), "The first command of the path in a network's outputs.");
  py::class_<World>(module, "World")
      .def(py::init<std::string>(), py::arg("mode") = "still")
      .def("reset", &World::reset, py::arg("seed"), py::arg("site") = py::none(),
           "A new episode on one of the benchmark's sites, 0 to 11: (observation, info).")
      .def("step", &World::step, py::arg("command"),
           "One step by this command, at most SPEED long: (observation, reward, terminated, truncated, info).")
      .def("label", &World::label, "(values, present): what a network's outputs should have predicted of this step.");
}

}  // namespace elastane::navigation
