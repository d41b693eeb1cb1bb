"""What Python costs: noise on NumPy arrays beside the same noise in a C++ program, and the time of an import.

Each of the two is asked in turn, in one run, so that a disturbance affects both; what counts is the best time of each.
Checked before anything is timed: the noise has the mean and the deviation of its law.
Exit code: 0, 1 if an answer was wrong, 77 if the package was not built.
"""
# Builds: bench_draws bench_snapped python_package

import argparse
import json
import math
import os
import pathlib
import subprocess
import sys
import typing

SKIPPED = 77
DECAY = math.exp(-0.1)  # discrete Laplace noise of scale 10 has the variance 2p/(1 - p)²


class Law(typing.NamedTuple):
    program: str  # in C++, and its name there
    name: str
    call: str  # in Python
    kind: str
    deviation: float
    part: int = 1  # of --count: exact sums of floats take a hundred times as long as whole numbers


LAWS = {
    "laplace": Law("bench_snapped", "laplace", "laplace(zeros, scale=10)", "float64", 10 * math.sqrt(2), 10),
    "discrete_laplace": Law("bench_draws", "laplace", "discrete_laplace(zeros, scale=10)", "int64",
                            math.sqrt(2 * DECAY) / (1 - DECAY)),
    "discrete_gaussian": Law("bench_draws", "gaussian", "discrete_gaussian(zeros, variance=100)", "int64", 10),
}
# Prints what one call takes, the mean and the deviation of the noise.
MEASURED = """\
import json, sys, time
import numpy
import lastbit
call, kind, count = sys.argv[1:]
zeros = numpy.zeros(int(count), kind)
eval("lastbit." + call.replace("zeros", "zeros[:1000]"))
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
    parser.add_argument("--repeat", type=int, default=7, help="times that each is asked (7)")
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

    def python(self, law, count):
        words = [self.interpreter, "-c", MEASURED, law.call, law.kind, count]
        return last_line(words, env=self.environment)

    def cpp(self, law, count):
        program = self.options.build / "benchmarks" / law.program
        return last_line([program, "--count", count, "--repeat", 1, "--json"])[law.name]

    def imported(self):
        return last_line([self.interpreter, "-c", IMPORTED], env=self.environment)


def require_law(law, answer, count):
    """Fails unless mean and deviation are within ten standard deviations of those of the law."""
    most = 15 * law.deviation / math.sqrt(count)
    if abs(answer["mean"]) > most or abs(answer["deviation"] - law.deviation) > most:
        sys.exit(f"the noise has not the mean and the deviation of its law: {law.call} gives {answer}")


def measure(sides, law, count, repeat):
    """The seconds of each side for one number."""
    require_law(law, sides.python(law, count), count)
    seconds = {"python": math.inf, "cpp": math.inf}
    for _ in range(repeat):
        for side, best in seconds.items():
            seconds[side] = min(best, getattr(sides, side)(law, count)["seconds"] / count)
    return seconds


def main(words):
    options = parse(words)
    sides = Sides(options)
    if not sides.interpreter.exists() or not (options.build / "python" / "lastbit" / "_lastbit.pyi").exists():
        print("skipped: the Python package was not built", file=sys.stderr)
        return SKIPPED
    results = {}
    print(f"{'noise':<20}{'numbers':>12}{'Python':>12}{'C++':>12}{'speed of Python / C++':>25}")
    for name, law in LAWS.items():
        count = max(options.count // law.part, 1)
        seconds = measure(sides, law, count, options.repeat)
        results[name] = seconds | {"count": count, "python_over_cpp": seconds["cpp"] / seconds["python"]}
        each = "".join(f"{1e9 * time:>9.2f} ns" for time in seconds.values())
        print(f"{name:<20}{count:>12,}{each}{results[name]['python_over_cpp']:>25.2f}")
    results["import_seconds"] = min(sides.imported() for _ in range(5))
    print(f"{'import lastbit, best of 5':<32}{1000 * results['import_seconds']:>9.1f} ms")
    if options.json:
        print(json.dumps(results))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
