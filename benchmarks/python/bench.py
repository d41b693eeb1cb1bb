"""What Python costs: noise on NumPy arrays beside the same noise in a C++ program, and the time of an import.

Each of the two is asked in turn, in one run, so that a disturbance affects both; what counts is the median. Checked
before anything is timed: the noise has the mean and the deviation of its law.
Exit code: 0, 1 if an answer was wrong, 77 if the package was not built.
"""
# Builds: bench_draws bench_snapped python_package

import argparse
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys

SKIPPED = 77
DECAY = math.exp(-0.1)  # discrete Laplace noise of scale 10 has the variance 2p/(1 - p)²
# Each law: the C++ program, its name there, what Python calls, the type of the array, the deviation.
LAWS = {
    "laplace": ("bench_snapped", "laplace", "laplace(zeros, scale=10)", "float64", 10 * math.sqrt(2)),
    "discrete_laplace": ("bench_draws", "laplace", "discrete_laplace(zeros, scale=10)", "int64",
                         math.sqrt(2 * DECAY) / (1 - DECAY)),
    "discrete_gaussian": ("bench_draws", "gaussian", "discrete_gaussian(zeros, variance=100)", "int64", 10),
}
# Prints what one call takes, the mean and the deviation of the noise.
MEASURED = """\
import json, sys, time
import numpy
import lastbit
call, kind, count = sys.argv[1:]
zeros = numpy.zeros(int(count), kind)
noise = eval("lastbit." + call)
start = time.perf_counter()
noise = eval("lastbit." + call)
seconds = time.perf_counter() - start
print(json.dumps({"seconds": seconds, "mean": float(noise.mean()), "deviation": float(noise.std())}))
"""
IMPORTED = "import time; start = time.perf_counter(); import lastbit; print(time.perf_counter() - start)"


def parse(words):
    root = pathlib.Path(__file__).resolve().parents[2]
    parser = argparse.ArgumentParser(prog="./run bench python", description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=10_000_000, help="numbers in an array (10000000)")
    parser.add_argument("--repeat", type=int, default=5, help="times that each is asked (5)")
    parser.add_argument("--build", type=pathlib.Path, default=root / "build" / "release", help="our programs")
    parser.add_argument("--json", action="store_true", help="end with the results as one JSON object")
    return parser.parse_args(words)


def last_line(words, **options):
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, text=True, check=True, **options)
    return json.loads(done.stdout.splitlines()[-1])


class Sides:
    """Python and C++, each of which makes noise in a process of its own."""

    def __init__(self, options):
        self.options = options
        self.interpreter = options.build.parent / "python" / "venv" / "bin" / "python"
        self.environment = os.environ | {"PYTHONPATH": str(options.build / "python")}

    def python(self, law):
        call, kind = LAWS[law][2:4]
        words = [self.interpreter, "-c", MEASURED, call, kind, self.options.count]
        return last_line(words, env=self.environment)

    def cpp(self, law):
        program, name = LAWS[law][:2]
        words = [self.options.build / "benchmarks" / program, "--count", self.options.count, "--repeat", 1, "--json"]
        return last_line(words)[name]

    def imported(self):
        return last_line([self.interpreter, "-c", IMPORTED], env=self.environment)


def require_law(law, answer, count):
    """Fails unless mean and deviation are within ten standard deviations of those of the law."""
    deviation = LAWS[law][4]
    most = 15 * deviation / math.sqrt(count)
    if abs(answer["mean"]) > most or abs(answer["deviation"] - deviation) > most:
        sys.exit(f"{law}: the noise has not the mean and the deviation of its law: {answer}")


def measure(sides, law, options):
    require_law(law, sides.python(law), options.count)
    seconds = {"python": [], "cpp": []}
    for _ in range(options.repeat):
        for side, times in seconds.items():
            times.append(getattr(sides, side)(law)["seconds"])
    return {side: statistics.median(times) for side, times in seconds.items()}


def main(words):
    options = parse(words)
    sides = Sides(options)
    if not sides.interpreter.exists() or not (options.build / "python" / "lastbit" / "_lastbit.pyi").exists():
        print("skipped: the Python package was not built", file=sys.stderr)
        return SKIPPED
    results = {}
    print(f"{options.count:,} numbers{'':14}{'Python':>12}{'C++':>12}{'speed of Python / C++':>25}")
    for law in LAWS:
        seconds = measure(sides, law, options)
        each = {side: 1e9 * time / options.count for side, time in seconds.items()}
        results[law] = seconds | {"python_over_cpp": seconds["cpp"] / seconds["python"]}
        print(f"{law:<30}{each['python']:>9.2f} ns{each['cpp']:>9.2f} ns{results[law]['python_over_cpp']:>25.2f}")
    results["import_seconds"] = min(sides.imported() for _ in range(5))
    print(f"{'import lastbit, best of 5':<30}{1000 * results['import_seconds']:>9.1f} ms")
    if options.json:
        print(json.dumps(results))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
