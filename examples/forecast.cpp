// Fits, evaluates, feeds and snapshots a forecaster:   example_forecast load.csv
#include <cstdio>
#include <fstream>

#include "elastane/forecast/evaluate_forecaster.h"
#include "elastane/forecast/fitter.h"
#include "elastane/forecast/forecast_file.h"
#include "elastane/forecast/forecast_lines.h"

int main(int count, char** arguments) {
  using namespace elastane;
  const char* path = count > 1 ? arguments[1] : "load.csv";
  const auto table = read_table(path);
  if (!table) return std::fprintf(stderr, "%s\n", table.error().c_str()), 1;

  // fit: 12 rows ahead, on the first 70 % of the rows; settings are chosen on the next 10 %
  const ForecastFitter fitter({.horizon = 12});
  const Dataset data = make_dataset(*table, {.targets = {"load"}, .exogenous = {"temperature"}}).value();
  const ForecastFit fit = fitter.fit(data).value();

  // evaluate: on the remaining rows, each forecast made before its rows are known
  const ForecastEvaluation score = evaluate_forecaster(fit.model, data, fitter.options().split).value();
  std::printf("mean squared error %.4f, coverage %.3f on %zu rows\n", score.mse, score.coverage, score.rows);

  // feed: lines of the table in, a line of JSON out per row; late rows are inserted at their place
  RowStream stream(fit.model, {.late = 12});
  ForecastLines lines(RowFormat::jsonl, *fit.model);
  std::string line, forecasts;
  for (std::ifstream rows(path); std::getline(rows, line);) {
    if (stream.feed_line(line).value()) lines.append_line(stream, forecasts);
  }

  // snapshot: the model and the state of the stream; the restored stream continues with the next row
  save_forecast_model("load.safetensors", *fit.model).value();
  save_forecast_snapshot("load.snap", stream.snapshot()).value();
  RowStream resumed(load_forecast_model("load.safetensors").value(), {.late = 12});
  resumed.restore(load_forecast_snapshot("load.snap").value(), RowStream::Input::later_rows).value();
  std::printf("next: %.3f\n", resumed.forecaster()->forecast()[0]);
}
