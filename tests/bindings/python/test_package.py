"""The Python package: the same numbers as the library's, and the habits that Python users expect."""
import copy
import dataclasses
import json
import math
import os
import pickle
import subprocess
from pathlib import Path

import numpy as np
import pytest

import elastane

ROOT = Path(__file__).resolve().parents[3]
LORENZ = ROOT / "models" / "lorenz.safetensors"


@pytest.fixture(scope="module")
def model():
    return elastane.load(LORENZ)


def row(t):
    return np.array([math.sin(0.1 * t), math.cos(0.2 * t), 0.3], dtype=np.float32)


def season(rows):
    t = np.arange(rows)
    return np.stack([50 + 10 * np.sin(2 * np.pi * t / 24) + np.sin(7.0 * t), np.cos(2 * np.pi * t / 24)], axis=1)


@pytest.fixture(scope="module")
def fitted():
    return elastane.Forecaster.fit(season(400), horizon=3, targets=1, choose=False)


# --- streams


def test_a_step_is_the_same_one_by_one_and_many_at_once(model):
    x = np.stack([row(t) for t in range(20)])
    one, many = elastane.Stream(model), elastane.Stream(model)
    outputs = []
    for r in x:
        one.advance(r)
        outputs.append(one.output.copy())
    assert np.array_equal(np.stack(outputs), many.advance_many(x))
    assert one.snapshot() == many.snapshot()


def test_inputs_may_be_of_any_numeric_type_and_outputs_are_views_that_cannot_be_written(model):
    a, b, c = (elastane.Stream(model) for _ in range(3))
    a.advance(row(1))
    b.advance(row(1).astype(np.float64))
    c.advance(list(map(float, row(1))))
    assert np.array_equal(a.output, b.output) and np.array_equal(a.output, c.output)
    with pytest.raises(ValueError):
        a.output[0] = 1
    view = a.output
    a.advance(row(2))
    assert np.array_equal(view, a.output), "a view, not a copy"
    with pytest.raises(ValueError, match="expected 3 values, found 2"):
        a.advance([1, 2])


def test_corrections_lower_the_loss_and_report_as_dataclasses(model):
    stream = elastane.Stream(model, corrects=True, metric="exact", history=4)
    lowered = 0
    for t in range(30):
        report = stream.step(row(t), elastane.Gaussian(row(t + 1), noise=0.1), elastane.Budget.macs(1e7))
        assert report.loss_after <= report.loss_before
        lowered += report.accepted > 0
    assert lowered > 20
    fields = dataclasses.asdict(report)
    assert fields["accepted"] == report.accepted and "loss_after" in fields and dataclasses.is_dataclass(report)
    assert "loss_after=" in repr(report)
    assert stream.observe(row(5), position=28).stop in ("not_replayable", "completed", "rejected", "converged")
    with pytest.raises(RuntimeError, match="rank"):
        elastane.Stream(model, corrects=True, rank=99)


def test_snapshots_copies_and_pickles_continue_as_if_nothing_had_happened(model):
    stream = elastane.Stream(model, corrects=True, metric="exact")
    for t in range(10):
        stream.step(row(t), elastane.Gaussian(row(t + 1), noise=0.1))
    others = [stream.copy(), copy.deepcopy(stream), pickle.loads(pickle.dumps(stream))]
    for t in range(10, 20):
        stream.step(row(t), elastane.Gaussian(row(t + 1), noise=0.1))
        for other in others:
            other.step(row(t), elastane.Gaussian(row(t + 1), noise=0.1))
    for other in others:
        assert np.array_equal(other.output, stream.output) and other.position == 20
    with pytest.raises(RuntimeError, match="snapshot"):
        stream.restore(stream.snapshot()[:-1])


class Squared(elastane.Objective):
    def __init__(self, target):
        super().__init__()
        self.target = np.asarray(target, dtype=float)

    def value(self, y):
        return 50.0 * float(((y - self.target) ** 2).sum())

    def gradient(self, y):
        return 100.0 * (y - self.target)

    def curvature(self, y):
        return np.full(len(y), 100.0)


def test_objectives_may_be_written_in_python_and_their_exceptions_arrive(model):
    own, built_in = (elastane.Stream(model, corrects=True, metric="exact") for _ in range(2))
    for t in range(10):
        a = own.step(row(t), Squared(row(t + 1)))
        b = built_in.step(row(t), elastane.Gaussian(row(t + 1), noise=0.1))
        assert a.loss_after == pytest.approx(b.loss_after, rel=1e-6, abs=1e-9)

    class Broken(Squared):
        def gradient(self, y):
            raise ZeroDivisionError("of the user")

    before = own.snapshot()
    with pytest.raises(ZeroDivisionError, match="of the user"):
        own.correct(Broken(row(3)))
    assert own.snapshot() == before, "the stream is as it was"


def test_a_fleet_equals_its_streams(model):
    fleet, streams = elastane.Fleet(model, 4), [elastane.Stream(model) for _ in range(4)]
    for t in range(10):
        x = np.stack([row(t + 3 * i) for i in range(4)])
        fleet.advance(x)
        for stream, r in zip(streams, x):
            stream.advance(r)
    assert np.array_equal(fleet.outputs, np.stack([s.output for s in streams]))
    again = pickle.loads(pickle.dumps(fleet))
    assert np.array_equal(again.outputs, fleet.outputs) and len(again) == 4
    with pytest.raises(RuntimeError, match="found -1"):
        elastane.Fleet(model, -1)


# --- custom latents


class Pendulum:
    """z = (angle, speed), observed by its sine."""

    def output(self, z):
        return np.array([np.sin(z[0])])

    def jacobian(self, z):
        return np.array([[np.cos(z[0]), 0.0]])


def pendulum_error(predicts):
    rng, dt, sigma, q = np.random.default_rng(1), 0.05, 0.05, np.diag([1e-6, 1e-4])
    truth, z, squares = np.array([0.8, 0.0]), np.array([0.5, 0.3]), []
    corrector = elastane.Corrector(Pendulum(), 2, 1, metric="kalman", radius=8.0)
    for t in range(600):
        truth = truth + dt * np.array([truth[1], -9.81 * np.sin(truth[0])]) + rng.multivariate_normal([0, 0], q)
        f = np.eye(2) + dt * np.array([[0.0, 1.0], [-9.81 * np.cos(z[0]), 0.0]])
        z = z + dt * np.array([z[1], -9.81 * np.sin(z[0])])
        if predicts:
            corrector.predict(f, q)
        measured = np.sin(truth[0]) + sigma * rng.normal()
        z, _, _ = corrector.correct(z, elastane.Gaussian([measured], noise=sigma))
        if t > 100:
            squares.append((z[0] - truth[0]) ** 2)
    return float(np.sqrt(np.mean(squares)))


def test_a_latent_in_python_with_predictions_is_an_extended_kalman_filter():
    with_predict, without = pendulum_error(True), pendulum_error(False)
    assert with_predict < 0.03
    assert with_predict < 0.5 * without


# --- forecasters


def test_rows_may_be_arrays_dicts_or_many_at_once(fitted):
    values = season(500)
    a, b, many = fitted.copy(), fitted.copy(), fitted.copy()
    forecasts = []
    for r in values[:60]:
        report = a.observe(r)
        b.observe({"channel0": r[0], "channel1": r[1]})
        forecasts.append(a.forecast().copy())
    result = many.observe_many(values[:60])
    assert np.array_equal(np.stack(forecasts), result.forecast)
    assert np.array_equal(a.forecast(), b.forecast())
    assert a.snapshot() == b.snapshot() == many.snapshot()
    assert report.depth >= 0 and not report.drift
    assert (result.lower <= result.upper).all()


def test_forecasting_has_no_side_effects_and_learning_does(fitted):
    f = fitted.copy()
    f.observe_many(season(450)[:100])
    before = f.snapshot()
    first = f.forecast().copy()
    assert np.array_equal(first, f.forecast()) and f.snapshot() == before
    f.observe([1.0, np.nan])
    assert f.snapshot() != before
    g = pickle.loads(pickle.dumps(f))
    assert np.array_equal(g.forecast(), f.forecast()) and g.rows == f.rows


def test_forecasts_of_a_season_are_better_than_repeating_the_last_value(fitted):
    values = season(600)
    result = fitted.copy().observe_many(values)
    ahead = values[403:, 0]
    ours = np.mean((result.forecast[400:-3, 2, 0] - ahead) ** 2)
    last = np.mean((values[400:-3, 0] - ahead) ** 2)
    assert ours < 0.3 * last


def test_adaptors_have_the_habits_of_river_and_scikit_learn():
    from elastane import river, sklearn

    values = season(400)
    online = river.Forecaster(horizon=3, warm_up=200, choose=False)
    assert online.forecast(2) == [0.0, 0.0]
    for y, x in values[:300]:
        online.learn_one(y, {"temperature": x})
    assert abs(online.forecast(1)[0] - values[300, 0]) < 4
    with pytest.raises(ValueError):
        online.forecast(9)

    batch = sklearn.Forecaster(horizon=3, targets=1, choose=False).fit(values[:300])
    assert batch.predict().shape == (3, 1)
    first = batch.predict()
    assert batch.predict(values[300:310]).shape == (10, 3, 1)
    assert np.array_equal(first, batch.predict()), "predicting changed the model"
    batch.partial_fit(values[300:310])
    assert not np.array_equal(first, batch.predict())
    assert sklearn.Forecaster(**batch.get_params()).horizon == 3


def test_a_data_frame_chooses_columns_by_name():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(season(300), columns=["load", "temperature"])
    f = elastane.Forecaster.fit(frame, targets=["temperature"], horizon=2, choose=False)
    assert f.model.names == ["temperature", "load"] and f.model.targets == 1
    a, b = f.copy(), f.copy()
    for r in range(50):
        a.observe(frame.iloc[r])
    b.observe_many(frame.iloc[:50])
    assert a.snapshot() == b.snapshot()
    with pytest.raises(ValueError, match='unknown column "price"'):
        elastane.Forecaster.fit(frame, targets=["price"])


# --- parity with the command line, bit for bit


def test_forecasts_are_those_of_the_command_line(tmp_path):
    program = os.environ.get("ELASTANE_PROGRAM", "")
    if not program:
        pytest.skip("ELASTANE_PROGRAM names no command line")
    values = season(500)
    forecaster = elastane.Forecaster.fit(values[:400], horizon=3, targets=1, choose=False)
    forecaster.save(tmp_path / "model.safetensors")
    lines = ["channel0,channel1"] + [f"{a!r},{b!r}" for a, b in values.tolist()]
    (tmp_path / "rows.csv").write_text("\n".join(lines) + "\n")
    out = subprocess.run([program, "run", "--model", str(tmp_path / "model.safetensors"), "--input",
                          str(tmp_path / "rows.csv"), "--start", "cold", "--quiet"], check=True, capture_output=True)
    result = elastane.Forecaster.load(tmp_path / "model.safetensors").observe_many(values)
    read = [json.loads(line) for line in out.stdout.splitlines()]
    assert len(read) == len(values)
    for part in ("forecast", "lower", "upper"):
        expected = np.array([line[part] for line in read], dtype=float)
        assert np.array_equal(getattr(result, part), expected), part
