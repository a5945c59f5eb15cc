"""Plots with matplotlib: a forecast with its interval and alarms, and where compute went."""

from __future__ import annotations

from typing import Any

import numpy as np

from .reports import Forecasts


def forecast(values: Any, forecasts: Forecasts, *, step: int = 1, target: int = 0, axes: Any = None) -> Any:
    """What was observed, and what was forecast for it `step` rows before, with the interval and the alarms."""
    import matplotlib.pyplot as plt

    axes = plt.gca() if axes is None else axes
    seen = np.asarray(values, dtype=float).reshape(len(forecasts.forecast), -1)[:, target]
    rows = np.arange(len(seen))
    later = rows[:-step] + step if step < len(rows) else rows[:0]
    part = (slice(0, len(later)), step - 1, target)
    axes.fill_between(later, forecasts.lower[part], forecasts.upper[part], color="tab:blue", alpha=0.2, linewidth=0,
                      label="interval")
    axes.plot(rows, seen, color="black", linewidth=1, label="observed")
    axes.plot(later, forecasts.forecast[part], color="tab:blue", linewidth=1, label=f"forecast {step} ahead")
    alarm = np.zeros(len(rows) + 2, dtype=int)
    alarm[1:-1] = forecasts.drift
    edges = np.flatnonzero(np.diff(alarm))
    for i, (first, last) in enumerate(zip(edges[::2], edges[1::2])):
        axes.axvspan(first, last, color="tab:red", alpha=0.15, linewidth=0, label="drift alarm" if i == 0 else None)
    axes.set_xlabel("row")
    axes.legend(loc="upper left", fontsize="small")
    return axes


def depth(forecasts: Forecasts, *, axes: Any = None) -> Any:
    """K over time: the micro-steps that each row took."""
    import matplotlib.pyplot as plt

    axes = plt.gca() if axes is None else axes
    axes.fill_between(np.arange(len(forecasts.depth)), forecasts.depth, step="mid", color="tab:orange", alpha=0.6)
    axes.set_xlabel("row")
    axes.set_ylabel("micro-steps K")
    return axes
