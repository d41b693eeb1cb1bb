"""Measures one file of one task, with the Python of its environment:
measure.py errors|times FILE DATA EPSILON RUNS SECONDS PACKAGE OUT.

FILE defines `prepare(data, epsilon)`, which reads what it needs from the folder `data` and returns a function that
gives a fresh answer at every call, each at a loss of epsilon. If the function has an attribute `many`, then
`many(count, seconds)` gives many answers that cost less, because the rows are read once; it must take the same path
from the exact numbers to the answers.

`errors` draws answers until there are RUNS of them or SECONDS are over. `times` times a whole cycle, from the file to
the first answer, a few times, unless the answer says how many seconds it took; the imports of the library are timed by
themselves.
"""

import importlib.metadata
import importlib.util
import json
import pathlib
import sys
import time
import warnings

CYCLES = 5
FEWEST = 20  # of errors that say something; slow systems get three times as long to reach it


def load(path):
    sys.path.insert(0, str(pathlib.Path(__file__).parent / "helpers"))
    spec = importlib.util.spec_from_file_location(f"{path.parent.name}_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def draw(prepare, data, epsilon, runs, seconds):
    """Answers for the errors, and how many of them were made one by one."""
    start = time.perf_counter()
    answer = prepare(data, epsilon)
    many = getattr(answer, "many", None)

    def is_enough(count):
        elapsed = time.perf_counter() - start
        if many:  # a few by themselves, to compare the others with
            return count >= FEWEST or elapsed > seconds / 2
        return elapsed > (seconds if count >= FEWEST else 3 * seconds)

    answers = [answer()]
    while len(answers) < runs and not is_enough(len(answers)):
        answers.append(answer())
    single = len(answers)
    if many and single < runs:
        answers += many(runs - single, seconds)
    return {"answers": answers, "single": single}


def time_cycles(prepare, data, epsilon, runs, seconds):
    start = time.perf_counter()
    cycles, answers = [], []
    while not cycles or (len(cycles) < min(CYCLES, runs) and time.perf_counter() - start < seconds):
        before = time.perf_counter()
        answers.append(prepare(data, epsilon)())
        whole = time.perf_counter() - before
        timed = isinstance(answers[-1], dict) and "seconds" in answers[-1]
        cycles.append(answers[-1]["seconds"] if timed else whole)
    return {"seconds": cycles, "answers": answers, "single": len(answers)}


def main():
    warnings.simplefilter("ignore")
    mode, file, data, epsilon, runs, seconds, package, out = sys.argv[1:]
    before = time.perf_counter()
    module = load(pathlib.Path(file))
    imports = time.perf_counter() - before
    measure = {"errors": draw, "times": time_cycles}[mode]
    result = measure(module.prepare, pathlib.Path(data), float(epsilon), int(runs), float(seconds))
    result["imports"] = imports
    result["version"] = module.version() if hasattr(module, "version") else importlib.metadata.version(package)
    result["note"] = getattr(module, "NOTE", "")
    pathlib.Path(out).write_text(json.dumps(result, default=lambda value: value.tolist()), "utf-8")


if __name__ == "__main__":
    main()
