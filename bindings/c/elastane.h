// Elastane for C: models, streams, fleets and forecasters by their verbs. docs/howto/c.md is the guide.
//
//   elastane_model* model = NULL;
//   elastane_stream* stream = NULL;
//   if (elastane_model_load("model.safetensors", &model) != ELASTANE_OK) return puts(elastane_last_error()), 1;
//   elastane_stream_create(model, NULL, &stream);
//   elastane_stream_advance(stream, x, 3, NULL, 1.0f, NULL);
//   const float* y = elastane_stream_output(stream, NULL);
//
// Handles come from a create, load, fit or clone and end with a free. A verb that gets NULL, a handle of another kind, or
// arrays of the wrong length changes nothing and returns an error; a handle that was freed must not be used again. A handle
// is used by one thread at a time; any number of streams may share a model. No function throws, prints or exits.
// After creation, advance, anticipate, correct, step, observe and output neither allocate, lock nor call the system.
//
// Structs begin with their size, so that a program built with an older header works with a newer library: within one
// ELASTANE_ABI functions and fields are added, never changed. Start from the initialiser of the same name:
//
//   elastane_stream_options options = ELASTANE_STREAM_OPTIONS;
//   options.corrects = 1;
#pragma once

#include <stddef.h>
#include <stdint.h>

#define ELASTANE_ABI 1 /* libelastane.so.1 */

#if defined(__cplusplus)
extern "C" {
#endif

typedef struct elastane_model elastane_model;
typedef struct elastane_stream elastane_stream;
typedef struct elastane_fleet elastane_fleet;
typedef struct elastane_forecaster elastane_forecaster;

typedef enum elastane_status {
  ELASTANE_OK = 0,
  ELASTANE_BAD_ARGUMENT = 1,  // NULL, a handle of another kind, an array of the wrong length
  ELASTANE_BAD_FILE = 2,      // it cannot be read, or is not what it should be
  ELASTANE_BAD_OPTIONS = 3,   // out of range, or they do not fit the model
  ELASTANE_BAD_SNAPSHOT = 4,  // damaged, or of another model
  ELASTANE_NO_HISTORY = 5,    // fewer steps are kept than should be taken back
  ELASTANE_BAD_DATA = 6,      // rows that nothing can be fitted to
  ELASTANE_NO_MEMORY = 7,
  ELASTANE_INTERNAL = 8  // a fault of the library; please report it with its text
} elastane_status;

int elastane_abi(void);
const char* elastane_version(void);
const char* elastane_status_name(elastane_status status);
// what went wrong in the last call of this thread that returned an error; "" before the first
const char* elastane_last_error(void);

/* --- budgets, objectives, reports ---------------------------------------------------------------------------------- */

typedef enum elastane_clock {
  ELASTANE_CLOCK_NONE = 0,
  ELASTANE_CLOCK_MICROS = 1,
  ELASTANE_CLOCK_MACS = 2
} elastane_clock;

// how much work may be spent; a NULL budget has no limit
typedef struct elastane_budget {
  uint32_t size;
  uint32_t clock;  // elastane_clock: microseconds of the wall clock, or counted multiply-adds, which replay bit for bit
  double limit;
} elastane_budget;
#define ELASTANE_BUDGET \
  { sizeof(elastane_budget), ELASTANE_CLOCK_NONE, 0.0 }

typedef enum elastane_objective_kind {
  ELASTANE_GAUSSIAN = 0,     // squared distance to the target, in units of the noise
  ELASTANE_HUBER = 1,        // the same near the target, linear beyond the threshold
  ELASTANE_CATEGORICAL = 2,  // outputs are logits, the target is a class
  ELASTANE_CALLBACK = 3      // your own functions
} elastane_objective_kind;

// What the outputs should have been. Nothing is copied: arrays and context must live until the call returns.
typedef struct elastane_objective {
  uint32_t size;
  uint32_t kind;           // elastane_objective_kind
  const float* target;     // gaussian, huber: one value per output; NaN is missing
  const uint8_t* present;  // 1 present, 0 missing; NULL: all present
  size_t count;            // of both
  double noise;            // standard deviation of the target
  double threshold;        // huber: where it becomes linear, in units of the noise
  int32_t label, classes;  // categorical
  int32_t lasts;           // not 0: it holds for the steps ahead, too, as a set-point does
  int32_t reserved;
  // callback: ℓ(y), ∇ℓ(y), and the diagonal of a curvature W ⪰ 0. They are called many times per correction
  // and must not throw or jump out
  void* context;
  double (*value)(void* context, const double* y, size_t outputs);
  void (*gradient)(void* context, const double* y, size_t outputs, double* gradient);
  void (*curvature)(void* context, const double* y, size_t outputs, double* diagonal);
} elastane_objective;
#define ELASTANE_OBJECTIVE \
  { sizeof(elastane_objective), ELASTANE_GAUSSIAN, NULL, NULL, 0, 1.0, 1.345, -1, 0, 0, 0, NULL, NULL, NULL, NULL }

// what an advance found and cost
typedef struct elastane_advance_report {
  uint32_t size;
  int32_t missing;       // input channels that were missing
  int32_t time_ignored;  // not 0: dt was not usable
  int32_t reserved;
  int64_t macs;  // counted multiply-adds
} elastane_advance_report;
#define ELASTANE_ADVANCE_REPORT \
  { sizeof(elastane_advance_report), 0, 0, 0, 0 }

// what a correction did, and why it stopped there
typedef struct elastane_step_report {
  uint32_t size;
  int32_t stop;  // elastane_stop_name tells it
  int32_t depth, accepted, trials;
  int32_t cut;  // not 0: the budget removed something
  double loss_before, loss_after;
  double kappa, radius;
  int64_t macs;
  double elapsed, overrun;  // microseconds
} elastane_step_report;
#define ELASTANE_STEP_REPORT \
  { sizeof(elastane_step_report), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }
const char* elastane_stop_name(int32_t stop);

/* --- models -------------------------------------------------------------------------------------------------------- */

elastane_status elastane_model_load(const char* path, elastane_model** model);
void elastane_model_free(elastane_model* model);
int32_t elastane_model_inputs(const elastane_model* model);  // 0 for NULL
int32_t elastane_model_outputs(const elastane_model* model);
const char* elastane_model_isa(const elastane_model* model);  // "avx512", "neon", …; "" for NULL

/* --- streams ------------------------------------------------------------------------------------------------------- */

typedef enum elastane_gate { ELASTANE_GATE_NEVER = 0, ELASTANE_GATE_ALWAYS = 1, ELASTANE_GATE_GAIN = 2 } elastane_gate;

typedef struct elastane_stream_options {
  uint32_t size;
  int32_t history;     // steps that rewind and late labels can take back
  int32_t corrects;    // not 0: the stream can be corrected; what follows is about corrections
  int32_t depth;       // micro-steps per correction at most
  int32_t gate;        // elastane_gate: when to correct; gain: while the expected gain exceeds the price
  int32_t rank;        // of the metrics sketch and fixed
  double price;        // of a micro-step, in units of the loss
  const char* metric;  // "automatic", "exact", "kalman", "sketch", …
  double damping;      // of the metric
  double radius;       // first trust radius
  int32_t horizon;     // steps ahead that decide, the present one included
  int32_t reserved;
  double process_noise;  // of kalman
  double noise;          // standard deviation of labels in observe; 0: the model's
} elastane_stream_options;
#define ELASTANE_STREAM_OPTIONS \
  { sizeof(elastane_stream_options), 0, 0, 1, ELASTANE_GATE_ALWAYS, 8, 0.0, "automatic", 1e-3, 0.5, 1, 0, 1e-3, 0.0 }

// options may be NULL: the defaults
elastane_status elastane_stream_create(const elastane_model* model, const elastane_stream_options* options,
                                       elastane_stream** stream);
elastane_status elastane_stream_clone(const elastane_stream* stream, elastane_stream** fork);
void elastane_stream_free(elastane_stream* stream);

// one step: x has one value per input, NaN is missing; present may be NULL, dt is 1 in the usual case
elastane_status elastane_stream_advance(elastane_stream* stream, const float* x, size_t inputs, const uint8_t* present,
                                        float dt, elastane_advance_report* report);
elastane_status elastane_stream_anticipate(elastane_stream* stream);
elastane_status elastane_stream_correct(elastane_stream* stream, const elastane_objective* objective,
                                        const elastane_budget* budget, elastane_step_report* report);
elastane_status elastane_stream_step(elastane_stream* stream, const float* x, size_t inputs,
                                     const elastane_objective* objective, const elastane_budget* budget,
                                     elastane_step_report* report);
// a label for the output of step `position`, which may be earlier than the present one if there is history
elastane_status elastane_stream_observe(elastane_stream* stream, const float* label, size_t outputs, uint64_t position,
                                        const elastane_budget* budget, elastane_step_report* report);
// of the last step; valid until the next call on the stream. `outputs` may be NULL
const float* elastane_stream_output(const elastane_stream* stream, size_t* outputs);
uint64_t elastane_stream_position(const elastane_stream* stream);
elastane_status elastane_stream_rewind(elastane_stream* stream, int32_t steps);
elastane_status elastane_stream_reset(elastane_stream* stream);
// writes the whole state; bytes may be NULL to ask for the size only. `needed` may be NULL
elastane_status elastane_stream_snapshot(const elastane_stream* stream, void* bytes, size_t capacity, size_t* needed);
elastane_status elastane_stream_restore(elastane_stream* stream, const void* bytes, size_t count);

/* --- fleets: many streams of one model, stepped together ----------------------------------------------------------- */

elastane_status elastane_fleet_create(const elastane_model* model, int32_t streams, elastane_fleet** fleet);
elastane_status elastane_fleet_clone(const elastane_fleet* fleet, elastane_fleet** fork);
void elastane_fleet_free(elastane_fleet* fleet);
int32_t elastane_fleet_size(const elastane_fleet* fleet);
// x has one row of inputs per stream, and so has present, if it is not NULL; dt has one value per stream, or is NULL
elastane_status elastane_fleet_advance(elastane_fleet* fleet, const float* x, size_t count, const uint8_t* present,
                                       const float* dt, elastane_advance_report* report);
const float* elastane_fleet_output(const elastane_fleet* fleet, int32_t stream, size_t* outputs);
const float* elastane_fleet_outputs(const elastane_fleet* fleet, size_t* count);  // all, one row per stream
uint64_t elastane_fleet_position(const elastane_fleet* fleet, int32_t stream);
elastane_status elastane_fleet_reset(elastane_fleet* fleet, int32_t stream);
// may be exchanged with streams of the same model that do not correct
elastane_status elastane_fleet_snapshot(const elastane_fleet* fleet, int32_t stream, void* bytes, size_t capacity,
                                        size_t* needed);
elastane_status elastane_fleet_restore(elastane_fleet* fleet, int32_t stream, const void* bytes, size_t count);

/* --- forecasters --------------------------------------------------------------------------------------------------- */

typedef struct elastane_forecaster_options {
  uint32_t size;
  int32_t adapt;  // 0: only the frozen read-out
  int32_t guard;  // 0: learn from every row at once
  int32_t warm;   // not 0: continue where fitting ended
  int32_t gate;   // elastane_gate
  int32_t reserved;
  double price;     // of a micro-step, for gain
  double coverage;  // share of values that the intervals should contain
} elastane_forecaster_options;
#define ELASTANE_FORECASTER_OPTIONS \
  { sizeof(elastane_forecaster_options), 1, 1, 0, ELASTANE_GATE_ALWAYS, 0, 0.0, 0.9 }

typedef struct elastane_fit_options {
  uint32_t size;
  int32_t horizon;  // rows ahead
  int32_t targets;  // the first so many channels are forecast; 0: all
  int32_t choose;   // 0: default settings instead of those chosen on held-out rows
  double learn;     // share of the rows to learn from, the first ones
  double held_out;  // share after them to choose settings by
  double period;    // a season in rows; 0: found in the data
} elastane_fit_options;
#define ELASTANE_FIT_OPTIONS \
  { sizeof(elastane_fit_options), 1, 0, 1, 0.7, 0.1, 0.0 }

typedef struct elastane_forecast_report {
  uint32_t size;
  int32_t missing, refused, stuck, moved;  // values
  int32_t labels, depth, accepted;
  int32_t stop;    // elastane_stop_name
  int32_t drift;   // not 0: the alarm is on; 1 level, 2 scale, 3 season, 4 dynamics
  double anomaly;  // the chance of errors as large as this row's, if nothing is wrong
  double elapsed;  // microseconds
} elastane_forecast_report;
#define ELASTANE_FORECAST_REPORT \
  { sizeof(elastane_forecast_report), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }

// from a file of `elastane train series` or elastane_forecaster_save
elastane_status elastane_forecaster_load(const char* path, const elastane_forecaster_options* options,
                                         elastane_forecaster** forecaster);
// fits to rows of `channels` values each, oldest first, NaN where missing; warm in the options continues after them
elastane_status elastane_forecaster_fit(const double* values, size_t rows, size_t channels,
                                        const elastane_fit_options* fit, const elastane_forecaster_options* options,
                                        elastane_forecaster** forecaster);
elastane_status elastane_forecaster_save(const elastane_forecaster* forecaster, const char* path);  // the fitted model
elastane_status elastane_forecaster_clone(const elastane_forecaster* forecaster, elastane_forecaster** fork);
void elastane_forecaster_free(elastane_forecaster* forecaster);
int32_t elastane_forecaster_channels(const elastane_forecaster* forecaster);
int32_t elastane_forecaster_targets(const elastane_forecaster* forecaster);
int32_t elastane_forecaster_horizon(const elastane_forecaster* forecaster);

elastane_status elastane_forecaster_observe(elastane_forecaster* forecaster, const double* row, size_t channels,
                                            const elastane_budget* budget, elastane_forecast_report* report);
// many rows at once; if `forecasts` is not NULL it gets [rows][horizon][targets], each made after its row
elastane_status elastane_forecaster_observe_many(elastane_forecaster* forecaster, const double* values, size_t rows,
                                                 size_t channels, const elastane_budget* budget, double* forecasts,
                                                 elastane_forecast_report* last);
// after the last row, [horizon][targets]; valid until the next call on the forecaster. Each pointer may be NULL
elastane_status elastane_forecaster_forecast(const elastane_forecaster* forecaster, const double** mean,
                                             const double** lower, const double** upper, size_t* count);
uint64_t elastane_forecaster_rows(const elastane_forecaster* forecaster);
double elastane_forecaster_coverage(const elastane_forecaster* forecaster);
uint64_t elastane_forecaster_alarms(const elastane_forecaster* forecaster);
elastane_status elastane_forecaster_reset(elastane_forecaster* forecaster);
elastane_status elastane_forecaster_snapshot(const elastane_forecaster* forecaster, void* bytes, size_t capacity,
                                             size_t* needed);
elastane_status elastane_forecaster_restore(elastane_forecaster* forecaster, const void* bytes, size_t count);

#if defined(__cplusplus)
}
#endif
