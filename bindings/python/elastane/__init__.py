"""Streaming models that adapt: networks one step at a time, and forecasters that learn from every row.

    import elastane
    forecaster = elastane.Forecaster.fit(frame, targets=["load"], horizon=24)
    report = forecaster.observe({"load": 51.2, "temperature": 8.0})
    print(forecaster.forecast(), report.drift)

    stream = elastane.Stream(elastane.load("model.safetensors"), corrects=True)
    stream.step(x, elastane.Gaussian(measured, noise=0.1), elastane.Budget.micros(50))

Arrays that properties return are read-only views which change with the next step; copy one to keep it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Mapping, Sequence, Union

import numpy as np

from . import _core
from ._core import Budget, Categorical, Corrector, ForecastModel, Gaussian, Huber, Model, Objective
from .reports import AdvanceReport, ForecastReport, Forecasts, StepReport

__version__: str = _core.__version__
__all__ = ["AdvanceReport", "Budget", "Categorical", "Corrector", "Fleet", "ForecastModel", "ForecastReport",
           "Forecaster", "Forecasts", "Gaussian", "Huber", "Model", "Objective", "StepReport", "Stream", "load"]


def load(path: Union[str, Path]) -> Union[Model, ForecastModel]:
    """A network (for Stream and Fleet) or a fitted forecaster (for Forecaster), by what the file holds."""
    content = Path(path).read_bytes()
    if _core.is_forecast_model(content):
        return ForecastModel.load(str(path))
    model = Model.load(str(path))
    model._path = str(Path(path).resolve())
    return model


def _open_model(content: bytes) -> Model:
    model = Model.from_bytes(content)
    model._content = content
    return model


def _reduce_model(model: Model) -> tuple[Any, ...]:
    """A pickled model carries its file, so that it can be opened elsewhere."""
    content = getattr(model, "_content", None)
    if content is None:
        path = getattr(model, "_path", None)
        if path is None:
            raise TypeError("this model has no file to pickle; open it with elastane.load")
        content = Path(path).read_bytes()
        if Model.from_bytes(content).fingerprint != model.fingerprint:
            raise ValueError(f"{path}: expected the file that the model was loaded from, found another")
    return _open_model, (content,)


Model.__reduce__ = _reduce_model  # type: ignore[assignment]


def _reopen(kind: Any, model: Any, options: dict[str, Any], snapshot: Any) -> Any:
    made = kind(model, **options)
    made.restore(snapshot)
    return made


class Stream(_core.Stream):
    """One stream: a model, its state, and the verbs of a step. Used by one thread at a time.

    corrects=True lets the stream be corrected; metric, gate, depth, rank, horizon, price, damping, radius and
    process_noise are then as in C++. history: steps that rewind and late labels can take back. noise: the standard
    deviation of labels in observe; 0: the model's.
    """

    def __init__(self, model: Model, **options: Any) -> None:
        super().__init__(model, **options)
        self.model = model
        self._options = options

    def __reduce__(self) -> tuple[Any, ...]:
        return _reopen, (type(self), self.model, self._options, self.snapshot())

    def copy(self) -> Stream:
        """A fork with the same state; steps can be taken back from here on only."""
        return _reopen(type(self), self.model, self._options, self.snapshot())  # type: ignore[no-any-return]


class Fleet(_core.Fleet):
    """Many streams of one model, stepped together: weights are read once for all of them."""

    def __init__(self, model: Model, streams: int) -> None:
        super().__init__(model, streams)
        self.model = model

    def __reduce__(self) -> tuple[Any, ...]:
        return _reopen_fleet, (self.model, [self.snapshot(i) for i in range(len(self))])

    def copy(self) -> Fleet:
        return _reopen_fleet(self.model, [self.snapshot(i) for i in range(len(self))])


def _reopen_fleet(model: Model, snapshots: Sequence[bytes]) -> Fleet:
    fleet = Fleet(model, len(snapshots))
    for i, snapshot in enumerate(snapshots):
        fleet.restore(i, snapshot)
    return fleet


def _table(data: Any, targets: Union[Sequence[str], int, None]) -> tuple[Any, list[str], int]:
    """Values [row][channel] with the targets first, the names of the channels, and the number of targets."""
    if hasattr(data, "columns"):  # a DataFrame
        columns = [str(c) for c in data.columns]
        if isinstance(targets, int):
            targets = columns[:targets]
        chosen = columns if targets is None else list(targets)
        unknown = [name for name in chosen if name not in columns]
        if unknown:
            raise ValueError(f"unknown column \"{unknown[0]}\", expected one of {', '.join(columns)}")
        names = chosen + [c for c in columns if c not in chosen]
        order = [columns.index(name) for name in names]
        return np.asarray(data.to_numpy(dtype=float, na_value=np.nan))[:, order], names, len(chosen)
    values = np.asarray(data, dtype=float)
    values = values.reshape(len(values), -1)
    names = [f"channel{i}" for i in range(values.shape[1])]
    if targets is not None and not isinstance(targets, int):
        raise ValueError("targets: expected how many channels to forecast, since an array has no names")
    return values, names, values.shape[1] if targets is None else targets


class Forecaster(_core.Forecaster):
    """Forecasts a stream that drifts: learns from every row, then forecasts the next rows, with intervals.

    adapt=False: only what was fitted. guard=False: learn from every row at once, outliers included. warm=True: continue
    where fitting ended. gate="gain" with a price: learn only where the expected gain exceeds it.
    """

    def __init__(self, model: ForecastModel, **options: Any) -> None:
        super().__init__(model, **options)
        self.model = model
        self._options = options

    @classmethod
    def fit(cls, data: Any, *, horizon: int = 1, targets: Union[Sequence[str], int, None] = None, choose: bool = True,
            learn: float = 0.7, held_out: float = 0.1, periods: Sequence[float] = (), guard: bool = True,
            **options: Any) -> Forecaster:
        """Fits to a DataFrame or an array [row][channel], oldest rows first, NaN where missing.

        targets: columns to forecast (of an array: how many, from the left); all by default. Of the rows, `learn` is the
        share to learn from and `held_out` the share after it by which settings are chosen; later rows are not used.
        choose=False takes default settings, which is faster. Further options are those of the forecaster.
        """
        values, names, count = _table(data, targets)
        model = _core.fit(values, names, targets=count, horizon=horizon, choose=choose, learn=learn, held_out=held_out,
                          periods=list(periods), guard=guard)
        return cls(model, **options)

    @classmethod
    def load(cls, path: Union[str, Path], **options: Any) -> Forecaster:
        """From a file of `elastane train series` or of save."""
        return cls(ForecastModel.load(str(path)), **options)

    def save(self, path: Union[str, Path]) -> None:
        """The fitted model; what was learned since then is in snapshot()."""
        self.model.save(str(path))

    def observe_many(self, data: Any, budget: Budget = Budget()) -> Forecasts:  # noqa: B008
        """Observes many rows, from an array [row][channel] or a DataFrame; each forecast is made after its row."""
        if hasattr(data, "columns"):
            data = data.reindex(columns=self.model.names).to_numpy(dtype=float, na_value=np.nan)
        return Forecasts(**super().observe_many(data, budget))

    def __reduce__(self) -> tuple[Any, ...]:
        return _reopen, (type(self), self.model, self._options, self.snapshot())

    def copy(self) -> Forecaster:
        """A fork with the same state."""
        return _reopen(type(self), self.model, self._options, self.snapshot())  # type: ignore[no-any-return]


Row = Union[Sequence[float], Mapping[str, float], "np.ndarray[Any, Any]"]
