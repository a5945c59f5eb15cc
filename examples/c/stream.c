// A corrected stream and a forecaster in C11:   stream models/lorenz.safetensors
#include <elastane.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int give_up(void) {
  fprintf(stderr, "%s\n", elastane_last_error());
  return 1;
}

// steps a model with a measurement of its outputs each time, then goes back and forward again
static int run_stream(const char* path) {
  elastane_model* model = NULL;
  elastane_stream* stream = NULL;
  elastane_stream_options options = ELASTANE_STREAM_OPTIONS;
  options.corrects = 1;
  if (elastane_model_load(path, &model) != ELASTANE_OK) return give_up();
  if (elastane_stream_create(model, &options, &stream) != ELASTANE_OK) return give_up();

  float x[3], measured[3];
  elastane_step_report report = ELASTANE_STEP_REPORT;
  const elastane_budget budget = {sizeof budget, ELASTANE_CLOCK_MICROS, 200.0};
  int accepted = 0;
  for (int t = 0; t < 100; ++t) {
    for (int i = 0; i < 3; ++i) x[i] = sinf(0.1f * (float)t + (float)i);
    for (int i = 0; i < 3; ++i) measured[i] = sinf(0.1f * (float)(t + 1) + (float)i);
    elastane_objective objective = ELASTANE_OBJECTIVE;
    objective.target = measured, objective.count = 3, objective.noise = 0.1;
    if (elastane_stream_step(stream, x, 3, &objective, &budget, &report) != ELASTANE_OK) return give_up();
    accepted += report.accepted;
  }
  size_t size = 0;
  elastane_stream_snapshot(stream, NULL, 0, &size);
  void* saved = malloc(size);
  if (saved == NULL || elastane_stream_snapshot(stream, saved, size, NULL) != ELASTANE_OK) return give_up();
  if (elastane_stream_restore(stream, saved, size) != ELASTANE_OK) return give_up();
  printf("%s, %d corrections, output %+.4f\n", elastane_model_isa(model), accepted,
         (double)elastane_stream_output(stream, NULL)[0]);
  free(saved);
  elastane_stream_free(stream);
  elastane_model_free(model);
  return 0;
}

// fits a forecaster to a season with a trend, then lets it learn from rows as they come
static int run_forecaster(void) {
  enum { rows = 600, learned = 500 };
  double load[rows];
  for (int t = 0; t < rows; ++t) load[t] = 50.0 + 0.01 * t + 10.0 * sin(6.283185307 * t / 24.0) + 0.3 * sin(7.0 * t);
  elastane_forecaster* forecaster = NULL;
  elastane_fit_options fit = ELASTANE_FIT_OPTIONS;
  fit.horizon = 12, fit.choose = 0;
  if (elastane_forecaster_fit(load, learned, 1, &fit, NULL, &forecaster) != ELASTANE_OK) return give_up();
  for (int t = 0; t < rows; ++t) elastane_forecaster_observe(forecaster, &load[t], 1, NULL, NULL);
  const double *mean = NULL, *lower = NULL, *upper = NULL;
  elastane_forecaster_forecast(forecaster, &mean, &lower, &upper, NULL);
  printf("in 12 rows: %.1f, between %.1f and %.1f\n", mean[11], lower[11], upper[11]);
  elastane_forecaster_free(forecaster);
  return 0;
}

int main(int count, char** arguments) {
  return run_stream(count > 1 ? arguments[1] : "models/lorenz.safetensors") != 0 || run_forecaster() != 0;
}
