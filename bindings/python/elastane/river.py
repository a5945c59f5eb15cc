"""A forecaster with river's habits: learn_one and forecast. Needs nothing of river.

    model = elastane.river.Forecaster(horizon=12, warm_up=300)
    for x, y in stream:
        model.forecast(12)
        model.learn_one(y, x)
"""

from __future__ import annotations

from typing import Any, Mapping, Optional

import numpy as np

from . import Forecaster as _Forecaster


class Forecaster:
    """Fits itself after `warm_up` rows, then learns from every row. Before that it repeats the last value."""

    def __init__(self, horizon: int = 1, warm_up: int = 300, **options: Any) -> None:
        if warm_up < 50:
            raise ValueError("warm_up: expected at least 50 rows to fit to")
        self.horizon, self.warm_up, self.options = horizon, warm_up, options
        self._waiting: list[dict[str, float]] = []
        self._names: list[str] = []
        self._forecaster: Optional[_Forecaster] = None

    def learn_one(self, y: float, x: Optional[Mapping[str, float]] = None) -> Forecaster:
        """The next value, and what was observed with it."""
        row = {"y": float(y), **{name: float(value) for name, value in (x or {}).items()}}
        if self._forecaster is not None:
            self._forecaster.observe({name: row.get(name, np.nan) for name in self._names})
            return self
        self._waiting.append(row)
        if len(self._waiting) == self.warm_up:
            self._start()
        return self

    def forecast(self, horizon: int, xs: Any = None) -> list[float]:
        """The next values, without side effects; xs is accepted as in river, and not used."""
        if not 1 <= horizon <= self.horizon:
            raise ValueError(f"horizon: expected 1 to {self.horizon}, found {horizon}")
        if self._forecaster is None:
            last = self._waiting[-1]["y"] if self._waiting else 0.0
            return [last] * horizon
        return [float(value) for value in self._forecaster.forecast()[:horizon, 0]]

    def _start(self) -> None:
        self._names = ["y"] + sorted({name for row in self._waiting for name in row} - {"y"})
        values = np.array([[row.get(name, np.nan) for name in self._names] for row in self._waiting])
        # settings are chosen on the last tenth; all rows have been seen when the stream continues
        self._forecaster = _Forecaster.fit(values, horizon=self.horizon, targets=1, learn=0.9, held_out=0.1,
                                           **self.options)
        self._names = ["channel0"] + [f"channel{i}" for i in range(1, len(self._names))]
        self._forecaster.observe_many(values)
        self._waiting = []
