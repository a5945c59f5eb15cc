"""A forecaster with scikit-learn's habits: fit, partial_fit, predict, get_params. Needs nothing of scikit-learn."""

from __future__ import annotations

from typing import Any, Optional, Sequence, Union

import numpy as np

from . import Forecaster as _Forecaster


class Forecaster:
    """fit(X) learns from rows in the order of time, partial_fit(X) observes later ones, predict() forecasts the next."""

    def __init__(self, horizon: int = 1, targets: Union[Sequence[str], int, None] = None, choose: bool = True,
                 coverage: float = 0.9) -> None:
        self.horizon, self.targets, self.choose, self.coverage = horizon, targets, choose, coverage
        self.forecaster_: Optional[_Forecaster] = None

    def fit(self, X: Any, y: Any = None) -> Forecaster:
        """X: a DataFrame or an array [row][channel]; y is ignored, since the targets are channels of X."""
        self.forecaster_ = _Forecaster.fit(X, horizon=self.horizon, targets=self.targets, choose=self.choose, learn=0.9,
                                           held_out=0.1, coverage=self.coverage)
        self.forecaster_.observe_many(X)
        return self

    def partial_fit(self, X: Any, y: Any = None) -> Forecaster:
        if self.forecaster_ is None:
            return self.fit(X)
        self.forecaster_.observe_many(X)
        return self

    def predict(self, X: Any = None) -> np.ndarray[Any, Any]:
        """The next rows of the targets, [horizon][target]. With X: forecasts after each of its rows, [row][horizon][target],
        made by a copy, so that predicting never changes the model."""
        if self.forecaster_ is None:
            raise RuntimeError("not fitted; call fit first")
        if X is None:
            return np.array(self.forecaster_.forecast())
        return self.forecaster_.copy().observe_many(X).forecast

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        return {"horizon": self.horizon, "targets": self.targets, "choose": self.choose, "coverage": self.coverage}

    def set_params(self, **params: Any) -> Forecaster:
        for name, value in params.items():
            if name not in self.get_params():
                raise ValueError(f"unknown parameter \"{name}\", expected one of {', '.join(self.get_params())}")
            setattr(self, name, value)
        return self
