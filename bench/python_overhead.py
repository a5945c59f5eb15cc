"""What a call from Python costs: run it with the python that the package is installed for.

  python3 bench/python_overhead.py MODEL

MODEL is a small network, so that the call is what takes the time: `elastane bench step` prints what its step takes alone.
Best of twenty repetitions, in microseconds; the machine is shared.
"""
import argparse
import time

import elastane
import numpy as np


def best(work, count, repetitions=20):
    least = float("inf")
    for _ in range(repetitions):
        begun = time.perf_counter()
        work(count)
        least = min(least, (time.perf_counter() - begun) / count)
    return least * 1e6


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", metavar="MODEL", help="a network, made by elastane import or training")
    model = elastane.load(parser.parse_args().model)
    stream = elastane.Stream(model)
    row = np.zeros(model.inputs, np.float32)
    rows = np.zeros((20000, model.inputs), np.float32)

    def one_by_one(count):
        for _ in range(count):
            stream.advance(row)

    print(f"Stream.advance        {best(one_by_one, 20000):.3f} µs per call")
    print(f"Stream.advance_many   {best(lambda count: stream.advance_many(rows[:count]), 20000):.3f} µs per row")

    hours = np.arange(3000)
    series = 10 + np.sin(2 * np.pi * hours / 24) + 0.1 * np.random.default_rng(1).normal(size=3000)
    forecaster = elastane.Forecaster.fit(series[:1500], horizon=1)

    def observed(count):
        for value in series[1500:1500 + count]:
            forecaster.observe(value)

    print(f"Forecaster.observe       {best(observed, 1500, 5):.2f} µs per call")
    print(f"Forecaster.observe_many  {best(lambda n: forecaster.observe_many(series[1500:1500 + n]), 1500, 5):.2f} µs per row")


if __name__ == "__main__":
    main()
