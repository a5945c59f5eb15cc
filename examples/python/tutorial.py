"""From a table to a forecast that adapts: the tutorial of docs/howto/python.md, as a program.

    python3 tutorial.py --folder .          writes forecast.png and forecaster.pickle there
"""
# %% a load that follows the day, and a change without notice
import argparse
import pickle
from pathlib import Path

import numpy as np

import elastane
from elastane import plots

parser = argparse.ArgumentParser()
parser.add_argument("--folder", type=Path, default=Path("."))
folder = parser.parse_args().folder

rng = np.random.default_rng(7)
hours = np.arange(3000)
temperature = 10 + 8 * np.sin(2 * np.pi * hours / 24) + rng.normal(0, 1, hours.size)
load = 50 + 12 * np.sin(2 * np.pi * (hours - 6) / 24) + 0.8 * temperature + rng.normal(0, 1, hours.size)
load[2500:] += 10 + 6 * np.cos(2 * np.pi * hours[2500:] / 12)  # a new customer, who works in shifts
table = np.stack([load, temperature], axis=1)

# %% fit on the first part: 24 rows ahead, settings chosen on held-out rows
forecaster = elastane.Forecaster.fit(table[:2000], horizon=24, targets=1)
print("season of", forecaster.model.periods[:1], "rows found in the data")

# %% stream the rest: every row is forecast before it is seen, then learned from
frozen = elastane.Forecaster(forecaster.model, adapt=False)
seen, still = forecaster.observe_many(table), frozen.observe_many(table)


def error(result: elastane.Forecasts, first: int, last: int, step: int) -> float:
    """Root mean square of forecasts `step` rows ahead of rows [first, last)."""
    made = result.forecast[first - step:last - step, step - 1, 0]
    return float(np.sqrt(np.mean((made - load[first:last]) ** 2)))


for name, first, last in (("before the change", 2100, 2500), ("the week after it", 2524, 2692), ("later", 2692, 3000)):
    adapting, fixed = error(seen, first, last, 12), error(still, first, last, 12)
    print(f"{name:18} rmse 12 rows ahead: adapting {adapting:5.2f}, frozen {fixed:5.2f}")
assert error(seen, 2692, 3000, 12) < 0.7 * error(still, 2692, 3000, 12)

# %% one row at a time, by name or by position; forecasting changes nothing
report = forecaster.observe([71.0, 14.0])
print("next 3 rows:", np.round(forecaster.forecast()[:3, 0], 1), "alarm:", report.drift, "coverage:",
      round(forecaster.coverage, 2))

# %% keep it: a pickle continues exactly where it was
(folder / "forecaster.pickle").write_bytes(pickle.dumps(forecaster))
again = pickle.loads((folder / "forecaster.pickle").read_bytes())
assert np.array_equal(again.forecast(), forecaster.forecast())

# %% look at it
import matplotlib.pyplot as plt  # noqa: E402

figure, (top, bottom) = plt.subplots(2, 1, figsize=(10, 6), sharex=True, height_ratios=(3, 1))
plots.forecast(load, seen, step=12, axes=top)
# with a price, corrections are made only where they are expected to pay
gated = elastane.Forecaster(forecaster.model, gate="gain", price=10.0).observe_many(table)
plots.depth(gated, axes=bottom)
top.set_xlim(2400, 2700)
figure.tight_layout()
figure.savefig(folder / "forecast.png", dpi=80)
print("figure in", folder / "forecast.png")
