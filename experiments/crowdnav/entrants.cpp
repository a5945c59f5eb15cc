#include "experiments/crowdnav/entrants.h"

namespace elastane::crowd {
namespace {

Entrant orca(const char* name, double safety, const Reference& reference) {
  return {name, [safety](std::size_t people) { return std::make_unique<OrcaAgent>(safety, people); }, reference};
}

Entrant corrected(const std::string& name, const CorrectedOptions& options) {
  validate(options).value();
  return {name, [options](std::size_t people) { return std::make_unique<CorrectedAgent>(options, people); }};
}

}  // namespace

std::vector<Entrant> entrants(const Budget& budget) {
  CorrectedOptions ours;
  ours.budget = budget;
  CorrectedOptions lasting = ours, uncorrected = ours, one_start = ours;
  lasting.forecast.reciprocal = false;
  uncorrected.depth = 0;
  one_start.starts = 0;
  return {
      {"straight line", [](std::size_t) { return std::make_unique<StraightAgent>(); }, Reference{.026, {}, {}}},
      orca("ORCA, safety 0", 0, {.426, .568, 10.86}),
      orca("ORCA, safety .10 m", 0.10, {.836, .156, 11.85}),
      orca("ORCA, safety .15 m", 0.15, {.904, .080, 12.20}),
      orca(kToBeat, 0.20, {.936, .050, 12.52}),
      corrected("best simple way, not corrected", uncorrected),
      corrected("corrected, the last plan alone", one_start),
      corrected("corrected, people keep their velocity", lasting),
      corrected(kOurs, ours),
  };
}

std::vector<Entrant> settings_to_try() {
  std::vector<Entrant> all = {corrected("as it is", {})};
  const auto vary = [&](const std::string& name, const std::vector<double>& values, const auto& set) {
    for (const double value : values) {
      CorrectedOptions options;
      set(options, value);
      std::string text = std::to_string(value);
      text.erase(text.find_last_not_of('0') + 1);
      if (text.back() == '.') text.pop_back();
      all.push_back(corrected(name + " " + text, options));
    }
  };
  using Options = CorrectedOptions;
  vary("depth", {3, 6, 12, 24}, [](Options& o, double v) { o.depth = static_cast<int>(v); });
  vary("starts", {1, 3, 6}, [](Options& o, double v) { o.starts = static_cast<int>(v); });
  vary("knots", {6, 8, 10, 12}, [](Options& o, double v) { o.shape.knots = static_cast<int>(v); });
  vary("margin", {0.05, 0.1, 0.15, 0.2}, [](Options& o, double v) { o.way.margin = v; });
  vary("margin growth", {0.03}, [](Options& o, double v) { o.way.margin_growth = v; });
  vary("people", {50, 200, 800}, [](Options& o, double v) { o.way.people = v; });
  vary("beyond", {0, 5}, [](Options& o, double v) { o.way.beyond = v; });
  vary("smoothness", {0.02, 0.5}, [](Options& o, double v) { o.way.smoothness = v; });
  vary("loyalty", {0, 0.5}, [](Options& o, double v) { o.loyalty = v; });
  vary("collision", {100, 300, 3000}, [](Options& o, double v) { o.collision = v; });
  return all;
}

}  // namespace elastane::crowd
