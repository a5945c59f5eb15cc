#include "elastane/forecast/fitter.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "elastane/core/forecast/forecast_state.h"
#include "elastane/core/forecast/forecaster.h"
#include "elastane/forecast/blank_model.h"
#include "elastane/forecast/forecast_method.h"
#include "elastane/forecast/held_out_errors.h"
#include "elastane/forecast/held_out_tuning.h"
#include "elastane/forecast/season.h"
#include "elastane/io/number_text.h"

namespace elastane {
namespace {

constexpr std::size_t kFewest = 32;   // least number of rows to learn from
constexpr int kMostNeighbours = 32;   // channels that the features of a target use
constexpr double kWorthwhile = 0.99;  // a choice is taken if it brings the error below this share
constexpr double kHarmless = 1.01;    // the read-out without a clock is taken if the error is below this share
constexpr double kLeastScale = 1e-3;  // of a feature that hardly varies
constexpr double kKnownSize = 10;     // of features known ahead, so that little is needed to trust them
constexpr double kOutside = 4;        // least κ of the guard, outside of all that was accepted
constexpr double kInside = 5;         // and within it
constexpr double kLeastLimit = 16;    // of a scaled feature
constexpr double kSeasons = 4, kFewestSeasons = 2;     // that the clockless read-out sees
constexpr double kMostLags = 95, kMostOfSeveral = 71;  // of it, for one target and for several: with 1, a padded row
constexpr double kRowsPerLag = 20;                     // to learn from, for each of them
constexpr double kLimitRoom = 3;                       // over the largest one in the rows to learn from

// rows of a series to stream over; those from `judged` on count
struct Span {
  std::size_t begin, judged, end;
};

// the most informative lags: the last rows, and those about one season ago
std::vector<int> lags_for(const std::vector<double>& periods) {
  std::vector<int> lags = {1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24};
  if (!periods.empty() && periods.front() <= 512) {
    for (const int near : {-1, 0, 1}) lags.push_back(static_cast<int>(std::lround(periods.front())) + near);
  }
  std::ranges::sort(lags);
  lags.erase(std::unique(lags.begin(), lags.end()), lags.end());
  return lags;
}

// Lags of the clockless read-out: several seasons, so that it can tell how long they are. Empty: they would be too many for
// the rows to learn from, or for a step.
std::vector<int> clockless_lags(const std::vector<double>& periods, std::size_t rows, std::size_t targets) {
  const double season = periods.empty() ? kMostLags : periods.front();
  const double most = std::min(targets > 1 ? kMostOfSeveral : kMostLags, static_cast<double>(rows) / kRowsPerLag);
  if (kFewestSeasons * season > most) return {};
  std::vector<int> lags(static_cast<std::size_t>(std::min(kSeasons * season, most)));
  std::iota(lags.begin(), lags.end(), 1);
  return lags;
}

// While it learns a forecaster has a frozen read-out of zeros, so the mixture has followed the errors of another member. The
// frozen read-out begins as a copy of the slow one, and so does what the mixture knows of it; they share its weight.
void begin_frozen(const ForecastSizes& sizes, std::vector<double>& start) {
  constexpr int kFrozen = kFrozenMember, kSlow = kStandingMembers;
  ForecastState state(sizes);
  state.carve(start.data());
  const int members = sizes.members, steps = sizes.steps;
  for (int i = 0; i < sizes.targets; ++i) {
    double* common = state.common + static_cast<std::size_t>(i) * members * members * steps;
    const auto at = [&](int a, int b) { return common + (a * members + b) * steps; };
    for (int e = 0; e < members; ++e) {
      if (e != kFrozen) std::copy_n(at(kSlow, e), steps, at(kFrozen, e));
      if (e != kFrozen) std::copy_n(at(e, kSlow), steps, at(e, kFrozen));
    }
    std::copy_n(at(kSlow, kSlow), steps, at(kFrozen, kFrozen));
    double* shares = state.shares + static_cast<std::size_t>(i) * members * steps;
    for (int h = 0; h < steps; ++h) {
      double &frozen = shares[kFrozen * steps + h], &slow = shares[kSlow * steps + h];
      frozen = slow = (frozen + slow) / 2;
    }
  }
}

// one fit: configurations, each carried through the rows to learn from and the held-out rows
class FitRun {
 public:
  FitRun(const Dataset& data, const FitOptions& options) : data_(data), options_(options) {
    for (const Series& s : data.series) ends_.push_back(split_ends(options.split, s.rows()));
  }

  Result<ForecastFit> run();

 private:
  struct Outcome {
    ForecastModel model;
    std::vector<double> learned;  // the state before the held-out rows
    double squared = 0, frozen = 0, persistence = 0;
  };

  // a change to the best configuration so far; false: it does not apply
  struct Choice {
    std::string what;
    std::function<bool(ForecastConfig&)> change;
  };

  Status check_rows() const;
  std::vector<Choice> choices_from(const ForecastConfig& first) const;
  ForecastConfig first_config() const;
  void scale_features(ForecastModel& model);
  Outcome learn(const ForecastConfig& config, const std::string& what);
  Outcome hold_out(ForecastModel model);
  Outcome try_choices(ForecastConfig config, const std::vector<Choice>& choices, double pass,
                      std::vector<FitTrial>& trials);
  void tune(Outcome& best, ForecastFit& result);
  template <class Each>
  void stream(Forecaster& forecaster, bool held_out, Each each);
  void count_rows(std::size_t n) {
    seen_ += static_cast<double>(n);
    options_.progress(std::min(1.0, seen_ / planned_), doing_);
  }
  std::size_t rows(std::size_t SplitEnds::*end) const {
    std::size_t sum = 0;
    for (const SplitEnds& e : ends_) sum += e.*end;
    return sum;
  }
  bool is_long() const { return data_.series.size() > 1; }

  const Dataset& data_;
  const FitOptions& options_;
  std::vector<SplitEnds> ends_;
  double seen_ = 0, planned_ = 1;
  std::string doing_;
};

Status FitRun::check_rows() const {
  const auto expected = [](std::size_t least, const char* of, std::size_t found) {
    return Error{"[data] expected at least " + std::to_string(least) + " " + of + ", found " + std::to_string(found)};
  };
  const std::size_t learn = rows(&SplitEnds::learn), held_out = rows(&SplitEnds::held_out) - learn;
  if (learn < kFewest) return expected(kFewest, "rows to learn from", learn);
  const auto horizon = static_cast<std::size_t>(options_.horizon);
  if (learn <= horizon) return expected(horizon + 1, "rows to learn from, for this horizon", learn);
  if (held_out < 8) return expected(8, "held-out rows to choose by", held_out);
  std::size_t labelled = 0;
  for (std::size_t i = 0; i < data_.series.size(); ++i) {
    for (std::size_t r = 0; r < ends_[i].learn; ++r) {
      const auto row = data_.series[i].row(r).first(data_.targets);
      labelled += std::ranges::any_of(row, [](double x) { return std::isfinite(x); });
    }
  }
  if (labelled < kFewest) return expected(kFewest, "rows with a value of a target", labelled);
  return {};
}

ForecastConfig FitRun::first_config() const {
  ForecastConfig config;
  config.targets = static_cast<int>(data_.targets);
  config.channels = static_cast<int>(data_.names.size());
  config.horizon = options_.horizon;
  config.known = static_cast<int>(data_.known);
  config.calendar = options_.calendar;
  config.neighbours = std::min(config.channels - config.known, kMostNeighbours);
  if (!options_.periods.empty()) {
    config.periods = options_.periods;
  } else if (!options_.seasonless) {
    const double season = find_season(data_, options_.split);
    if (season >= 2) config.periods = {season};
  }
  if (options_.guard) config.guard = {kOutside, kInside, 0.5 * static_cast<double>(rows(&SplitEnds::learn))};
  config.memory = config.periods.empty() ? 512 : 14 * config.periods.front();
  return config;
}

// every series in turn; calls each(forecaster, series, row, judged) before the row is observed
template <class Each>
void FitRun::stream(Forecaster& forecaster, bool held_out, Each each) {
  for (std::size_t k = 0; k < data_.series.size(); ++k) {
    const Series& s = data_.series[k];
    const SplitEnds& ends = ends_[k];
    Span span{0, 0, ends.learn};
    if (held_out)
      span = {is_long() ? ends.learn - std::min(ends.learn, kContext) : ends.learn, ends.learn, ends.held_out};
    if (span.begin >= span.end) continue;
    if (is_long()) {
      forecaster.set_units(forecaster.model().units[k].mean, forecaster.model().units[k].deviation);
      forecaster.forget_rows(s.ticks[span.begin]);
    }
    for (std::size_t r = span.begin; r < span.end; ++r) {
      each(forecaster, k, r, r >= span.judged);
      forecaster.observe_at(s.ticks[r], s.row(r));
      if (r % 256 == 255) count_rows(256);
    }
  }
}

// root mean square and limit of the features, over the rows to learn from
void FitRun::scale_features(ForecastModel& model) {
  Forecaster probe(std::make_shared<ForecastModel>(model), {.adapt = false});
  const ForecastSizes& sizes = probe.sizes();
  const auto stride = static_cast<std::size_t>(sizes.shape.stride), horizon = static_cast<std::size_t>(sizes.horizon),
             features = static_cast<std::size_t>(sizes.shape.features), n = stride * sizes.targets;
  std::vector<double> squares(n), largest(n);
  double rows = 0;
  const auto add = [&](Forecaster& f, std::size_t, std::size_t, bool) {
    if (f.rows() == 0) return;
    const auto slot = static_cast<std::size_t>(f.view().slot(f.view().header->tick - 1));
    for (std::size_t i = 0; i < n; ++i) {
      const double phi = f.view().features[(i / stride * horizon + slot) * stride + i % stride];
      squares[i] += phi * phi;
      largest[i] = std::max(largest[i], std::fabs(phi));
    }
    rows += 1;
  };
  stream(probe, false, add);
  const std::size_t first_known = features - static_cast<std::size_t>(sizes.shape.known);
  for (std::size_t i = 0; i < n; ++i) {
    const bool is_known = i % stride >= first_known && i % stride < features;
    model.feature_scale[i] = std::max(kLeastScale, std::sqrt(squares[i] / std::max(1.0, rows)));
    if (is_known) model.feature_scale[i] /= kKnownSize;
    model.feature_limit[i] = std::max(kLeastLimit, kLimitRoom * largest[i] / model.feature_scale[i]);
  }
}

FitRun::Outcome FitRun::learn(const ForecastConfig& config, const std::string& what) {
  doing_ = what;
  ForecastModel model = blank_model(data_, ends_, config);
  scale_features(model);
  Forecaster learner(std::make_shared<ForecastModel>(model), {.warm = true});
  stream(learner, false, [](Forecaster&, std::size_t, std::size_t, bool) {});
  const ForecastState& state = learner.view();
  std::copy_n(state.weights, model.frozen.size(), model.frozen.begin());
  model.start.assign(learner.state().begin(), learner.state().end());
  begin_frozen(learner.sizes(), model.start);
  std::vector<double> learned = model.start;
  Outcome outcome = hold_out(std::move(model));
  outcome.learned = std::move(learned);
  return outcome;
}

// the stream continues through the held-out rows, where it is judged
FitRun::Outcome FitRun::hold_out(ForecastModel model) {
  Forecaster continued(std::make_shared<ForecastModel>(model), {.warm = true});
  HeldOutErrors errors(continued.sizes());
  stream(continued, true, [&](Forecaster& f, std::size_t k, std::size_t r, bool judged) {
    if (!judged) return;
    errors.add(f, data_.series[k].ticks[r], data_.series[k].row(r));
  });
  errors.set_noise(model.noise);
  model.calibration_rows = rows(&SplitEnds::held_out);
  model.start.assign(continued.state().begin(), continued.state().end());
  return {std::move(model), {}, errors.mixed(), errors.frozen(), errors.persistence()};
}

// settings of the other metrics, and the price of the gate
void FitRun::tune(Outcome& best, ForecastFit& result) {
  if (!options_.choose || !(options_.tune_metrics || options_.find_price)) return;
  ForecastModel learned = best.model;
  learned.start = best.learned;
  const auto pass_done = [&](const std::string& what) {
    doing_ = what;
    count_rows(rows(&SplitEnds::held_out) - rows(&SplitEnds::learn));
  };
  const HeldOutTuning tuning{data_, options_.split, learned, pass_done};
  if (options_.tune_metrics) tune_metrics(tuning, best.model.config, result.trials);
  if (options_.find_price) result.price = choose_price(tuning, best.model.config);
}

// changes to try one after the other; each is kept if it is clearly better
std::vector<FitRun::Choice> FitRun::choices_from(const ForecastConfig& first) const {
  std::vector<Choice> choices;
  if (!options_.choose) return choices;
  if (options_.periods.empty() && !first.periods.empty()) {
    choices.push_back({"no season", [](ForecastConfig& c) {
                         c.periods.clear();
                         return true;
                       }});
    choices.push_back({"a second season, seven times as long", [this](ForecastConfig& c) {
                         if (c.periods.empty() ||
                             c.periods.front() * 7 * 3 > static_cast<double>(rows(&SplitEnds::learn)))
                           return false;
                         c.periods.push_back(7 * c.periods.front());
                         return true;
                       }});
  }
  // seasons that the values show, beside that of the clock; the clock's may be a mere habit of calendars
  if (options_.periods.empty() && !options_.seasonless) {
    const double known = first.periods.empty() ? 0 : first.periods.front();
    for (const double rows : season_candidates(data_, options_.split, known)) {
      choices.push_back({"a season of " + number_text(rows) + " rows", [rows](ForecastConfig& c) {
                           c.periods.push_back(rows);
                           if (c.periods.size() == 1) c.memory = 14 * rows;
                           return c.periods.size() <= 3;
                         }});
    }
  }
  choices.push_back({"twice as many harmonics of the season", [](ForecastConfig& c) {
                       c.harmonics *= 2;
                       return !c.periods.empty();
                     }});
  choices.push_back({"lagged values as features", [](ForecastConfig& c) {
                       c.lags = lags_for(c.periods);
                       return true;
                     }});
  // repeated as long as it helps
  for (const double freer : {1.0, 10.0, 100.0}) {
    choices.push_back({"a prior ten times wider", [least = 0.99 * freer * first.prior](ForecastConfig& c) {
                         c.prior *= 10;
                         return c.prior > 10 * least;
                       }});
  }
  choices.push_back({"a prior ten times narrower", [prior = first.prior](ForecastConfig& c) {
                       if (c.prior > prior) return false;
                       c.prior /= 10;
                       return true;
                     }});
  choices.push_back({"three times faster forgetting", [](ForecastConfig& c) {
                       for (double& f : c.forgetting) f = 1 - 3 * (1 - f);
                       c.clockless.forgetting = 1 - 3 * (1 - c.clockless.forgetting);
                       return true;
                     }});
  // where jumps that stay are common, such as fronts of the weather; never off, as held-out rows may hold no fault
  choices.push_back({"a guard that holds half as readily", [](ForecastConfig& c) {
                       c.guard.outside *= 2;
                       c.guard.inside *= 2;
                       return c.guard.outside > 0;
                     }});
  return choices;
}

// `pass`: rows that one choice streams over
FitRun::Outcome FitRun::try_choices(ForecastConfig config, const std::vector<Choice>& choices, double pass,
                                    std::vector<FitTrial>& trials) {
  Outcome best = learn(config, "defaults");
  trials.push_back({"defaults", best.squared, true});
  for (const Choice& choice : choices) {
    ForecastConfig changed = config;
    if (!choice.change(changed)) {
      planned_ -= pass;
      continue;
    }
    Outcome tried = learn(changed, choice.what);
    const bool better = tried.squared < kWorthwhile * best.squared;
    trials.push_back({choice.what, tried.squared, better});
    if (!better) continue;
    best = std::move(tried);
    config = changed;
  }
  // chosen last, so that it does not hide what is wrong with the read-outs that know the clock; it takes the place of the slow one
  config.clockless.lags = clockless_lags(config.periods, rows(&SplitEnds::learn), data_.targets);
  if (config.clockless.lags.empty()) return best;
  config.forgetting = {config.forgetting.back()};
  Outcome tried = learn(config, "a read-out without a clock");
  const bool is_harmless = tried.squared < kHarmless * best.squared;
  trials.push_back({"a read-out without a clock", tried.squared, is_harmless});
  return is_harmless ? tried : best;
}

Result<ForecastFit> FitRun::run() {
  if (const Status enough = check_rows(); !enough) return Error{enough.error()};
  const ForecastConfig first = first_config();
  const std::vector<Choice> choices = choices_from(first);
  const double pass = 2.0 * static_cast<double>(rows(&SplitEnds::learn)) +
                      static_cast<double>(rows(&SplitEnds::held_out) - rows(&SplitEnds::learn));
  planned_ = pass * static_cast<double>(2 + choices.size());
  if (options_.choose && options_.tune_metrics) {
    planned_ += static_cast<double>(metric_passes() * (rows(&SplitEnds::held_out) - rows(&SplitEnds::learn)));
  }

  ForecastFit result;
  Outcome best = try_choices(first, choices, pass, result.trials);
  tune(best, result);
  options_.progress(1.0, "done");
  result.learned = rows(&SplitEnds::learn);
  result.held_out = rows(&SplitEnds::held_out) - result.learned;
  result.held_out_squared = best.squared;
  result.held_out_frozen = best.frozen;
  result.held_out_persistence = best.persistence;
  result.model = std::make_shared<const ForecastModel>(std::move(best.model));
  return result;
}

}  // namespace

Result<ForecastFit> ForecastFitter::fit(const Dataset& data) const {
  try {
    return FitRun(data, options_).run();
  } catch (const std::runtime_error& error) {  // a configuration that no forecaster accepts
    return Error{error.what()};
  }
}

Result<ForecastFit> ForecastFitter::fit(const Table& table, const ColumnNames& columns) const {
  const auto data = make_dataset(table, columns);
  if (!data) return Error{data.error()};
  return fit(*data);
}

}  // namespace elastane
