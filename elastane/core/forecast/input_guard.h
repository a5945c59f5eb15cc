// Guards what a forecaster learns from: a value that its one-step forecast p cannot explain waits for confirmation.
//
// Between the data and all that learns lies an affine map of each target, x = A u + B, with u in units of the training
// rows and A = 1, B = 0 at first. q is a running 99 % quantile of |x − p|.
//
//   explained     |x − p| ≤ κq                       the value is accepted; κ is twice the largest |x − p|/q so far,
//                                                    at least 4, or 5 within the range of earlier values
//   surprising    otherwise                          it is held: features see p, and nothing is learned from it
//   confirmed     held values agree on a new level   the map moves, so that x continues where p was: whatever lies
//                 or a new unit                      behind the map sees no change
//   returned      values are as forecast again       what was held is forgotten
//   stuck         many equal values in a row         the value is missing; the forecast repeats it
//
// Why the input and not the loss: docs/decisions/0022-robust-input.md.
#pragma once

#include <cmath>
#include <span>

#include "elastane/core/forecast/forecast_model.h"

namespace elastane {

struct UnitMap {
  double slope = 1, shift = 0;

  double to(double u) const { return slope * u + shift; }
  double from(double x) const { return (x - shift) / slope; }
  // of u: Student's t of three degrees about the forecast, and the Jacobian of the map. q is 2.6 σ of a normal error
  double log_density(double u, double forecast, double q) const {
    const double away = (to(u) - forecast) / (2 * (q / 2.6));
    return std::log(slope) - 2 * std::log1p(away * away);
  }
  bool operator==(const UnitMap&) const = default;
};

// what the guard keeps of one target; all doubles, part of the state of the stream
struct TargetGuard {
  UnitMap map;                                              // the map in force
  UnitMap stable, before;                                   // the last one that lasted, and the one before this one
  double for_stable = 0, for_before = 0, for_training = 0;  // evidence that an earlier map holds again
  double in_force = 0;                                      // rows accepted since the map moved
  double log_limit = 0, log_before = 0;                     // log q, and before the map moved
  double seen = 0;                                          // rows that moved q
  double peak = 0;                                          // the largest |x − p|/q that was accepted
  double held = 0, waited = 0;                              // values held, n; rows since the first of them
  double absent = 0;                                        // rows since the last accepted value
  double surprise = 0;                                      // |x − p| of the first held value
  double doubt = 0, agreeing = 0;                           // how far held values are off; how many on one side
  double jumps = 0, returns = 0;                            // values that were confirmed, and forgotten
  double largest = 0;                                       // the largest confirmed |Δ|
  double last = 0, run = 0, longest_run = 0;                // equal values in a row; the most that is usual
  double stuck = 0;                                         // 1: the last value is stuck
  double code = 0, has_code = 0;                            // a value that meant nothing, such as −9999
  double is_code = 0, codes = 0, repeats = 0;               // 1: the last value was it; how often it came, and again
  double idle = 0;                                          // share of steps that are 0
  double step = 0;                                          // mean square of x − the x before
  UnitMap gain;                                             // the map if a jump was a change of scale
  double pairs = -1, for_gain = 0;                          // rows since that jump, negative: none; evidence for it
  double season_step = 0;                                   // mean square of x − the x of a season ago
  double lowest_zero = 0, highest_zero = 0;                 // range of u − u₀, u₀ the zero of the data
  double sizes = 0, log_size = 0, log_small = 0;  // |u − u₀| that are not 0: how many, mean log, 1 % quantile of it
  double least_size = 0;                          // the smallest of them in the rows to learn from; 0: none yet
  double tiny = 0, tiny_logs = 0, tiny_rows = 0;  // votes for a larger unit, their log ratios, and rows
  double less = 0, less_logs = 0, less_squares = 0;  // values in a row far below a season ago; sums of log ratios
  double ago_logs = 0, ago_squares = 0;              // and of logs of the values of a season ago
  double stays = 0, step_before = 0;                 // share of steps away from the level that last; the step before
  double information = 0;                            // about a new level, in rows of one-step errors; 0: it is settled
  double lowest_u = 0, highest_u = 0;                // of all values that were accepted
  double last_u = 0;                                 // the last of them
  double follows = 0;                                // ∂p/∂B: how far the forecast follows an error of the level
  double trial = 0, trial_information = 0;    // a jump that may have begun at an accepted value; 0: none is tried
  double trial_rows = 0, trial_evidence = 0;  // rows since then, and nats for it
  double trial_first = 0;                     // the error that began it
  double unrest = 0;                          // rows for which only many values confirm a level

  // rarely moves, and then returns at once, as demand and bursts of rain do
  bool returns_at_once() const { return idle > 0.6 && stays < 0.3; }
  double limit() const { return std::fmax(std::exp(log_limit), 0.02); }
  // How far a forecast of this many rows ahead should follow values in doubt: by what became of earlier ones, or because
  // several agree. A code for nothing comes again as often as it did before.
  double followed(int rows_ahead) const {
    if (is_code > 0) return doubt * std::pow((repeats + 0.5) / (codes + 2), rows_ahead);
    if (agreeing >= 2 && agreeing == waited && std::fabs(doubt) < 200) return 0.75 * doubt;
    return std::fabs(doubt) > 2 * largest || returns_at_once() ? 0.0 : doubt * jumps / (jumps + returns + 1);
  }
};

enum class Reading : unsigned char { accepted, held, stuck };

class InputGuard {
 public:
  // `window`: most values that are held, about a season
  InputGuard(const GuardOptions& options, int window) : options_(options), window_(window) {}

  // what a value is compared with
  struct Context {
    double forecast;         // p
    double lowest, highest;  // of all accepted x
    double zero;             // the zero of the data, in units of u
    double last;             // the x before
    double level, spread;    // running mean and variance of x
    double season_ago;       // the x of a season ago; NaN: none
  };

  const GuardOptions& options() const { return options_; }
  bool is_on() const { return options_.outside > 0; }
  int window() const { return window_; }
  bool is_active(const TargetGuard& guard) const { return is_on() && guard.seen >= options_.after; }

  // Judges a value u of an active guard; `x` is the accepted value. `held` is [2][window]: u and p
  // of the held values.
  Reading judge(double u, const Context& context, TargetGuard& guard, double* held, double& x) const;
  // follows q and the usual step with an accepted value; `error` is x − p, `step` x − the x before, `level` that of the x
  // before
  struct Accepted {
    double error, x, last, level;
  };
  void follow(const Accepted& row, TargetGuard& guard) const;
  // Improves a new level by the error of a row after it. Returns by how much B moves.
  double refine_level(double error, TargetGuard& guard) const;
  // A jump too small to be held: tries one that begins at a large error, and compares how well rows after it are
  // forecast with and without it. Nothing moves until it is confirmed.
  enum class Trial : unsigned char { none, begun, open, confirmed };
  Trial follow_trial(double error, TargetGuard& guard) const;
  // moves the map by the jump that is tried; returns by how much B moves
  double accept_trial(TargetGuard& guard) const;
  // After a jump of the level: was it a change of scale about zero, which explains the first row as well? Compares an
  // accepted u with the x of a season ago under both maps; true if the map moves.
  bool compare_season(double u, double season_ago, TargetGuard& guard) const;
  // an alarm says that the level has changed, though no value was surprising: refine it from now on
  void begin_level(TargetGuard& guard) const;
  // keeps what a value shows before the guard is active
  void learn_value(double u, double zero, TargetGuard& guard) const;
  bool is_stuck(double u, TargetGuard& guard) const;  // counts equal values

  static void forget_held(TargetGuard& guard);
  static void forget_rows(TargetGuard& guard);
  static void learn_code(double code, TargetGuard& guard);
  static void forget_map(TargetGuard& guard);

 private:
  static constexpr double kManyRows = 8;     // that confirm what is doubtful
  static constexpr double kRounding = 1e-8;  // of the usual size: zero
  static constexpr double kLasting = 3;      // seasons after which a map counts as stable

  static void forget_less(TargetGuard& g) { g.less = g.less_logs = g.less_squares = g.ago_logs = g.ago_squares = 0; }
  double kappa(const TargetGuard& guard, bool is_new) const;
  double bound(double x, const Context& context, const TargetGuard& guard) const;
  void doubt_new_level(TargetGuard& guard) const;
  bool hold(double u, double x, const Context& context, TargetGuard& guard, double* held) const;
  bool go_back(double u, const Context& context, TargetGuard& guard, double& x) const;
  bool confirm(const Context& context, TargetGuard& guard, const double* held) const;
  // the map that held values u with forecasts p agree on, if any
  bool find_level(const TargetGuard& guard, const double* u, const double* p, int count, UnitMap& map) const;
  bool find_steady_level(const TargetGuard& guard, const double* held, UnitMap& map) const;
  bool find_ratio(const Context& context, const TargetGuard& guard, const double* held, int count, UnitMap& map) const;
  bool find_decimal_unit(const Context& context, const TargetGuard& guard, const double* u, UnitMap& map) const;
  bool is_tiny(double u, const Context& context, const TargetGuard& guard) const;
  bool find_larger_unit(double u, const Context& context, TargetGuard& guard, UnitMap& map) const;
  bool find_unit_by_season(double u, const Context& context, TargetGuard& guard, UnitMap& map) const;
  void suggest_gain(const Context& context, const UnitMap& last, std::span<const double> u, const double* p,
                    TargetGuard& guard) const;
  bool match_window(TargetGuard& guard, double* held) const;
  void move(TargetGuard& guard, UnitMap to, double by) const;

  GuardOptions options_;
  int window_;
};

}  // namespace elastane
