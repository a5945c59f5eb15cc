"""What steps did. Reports are dataclasses: dataclasses.asdict, fields and a readable repr work."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from . import _core
from ._core import AdvanceReport, ForecastReport, StepReport

__all__ = ["AdvanceReport", "ForecastReport", "Forecasts", "StepReport"]


def _make_dataclass(kind: Any) -> None:
    """The compiled classes are filled without calling Python; they get the fields of a dataclass afterwards."""
    names = [name for name, value in vars(kind).items() if isinstance(value, property)]
    template: Any = dataclasses.make_dataclass(kind.__name__, names)
    kind.__dataclass_fields__ = template.__dataclass_fields__
    kind.__repr__ = lambda self: f"{kind.__name__}({', '.join(f'{n}={getattr(self, n)!r}' for n in names)})"


for _kind in (AdvanceReport, StepReport, ForecastReport):
    _make_dataclass(_kind)


@dataclasses.dataclass(frozen=True)
class Forecasts:
    """Of many rows: what was forecast after each of them, and what happened."""

    forecast: np.ndarray[Any, Any]  # [row][horizon][target]
    lower: np.ndarray[Any, Any]
    upper: np.ndarray[Any, Any]
    drift: np.ndarray[Any, Any]  # [row]: the alarm is on
    depth: np.ndarray[Any, Any]  # [row]: micro-steps of corrections
    refused: np.ndarray[Any, Any]  # [row]: values held as outliers
