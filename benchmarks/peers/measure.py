"""Measures one file of one task, with the Python of its environment:
measure.py FILE DATA EPSILON RUNS SECONDS PACKAGE OUT.

FILE defines `prepare(data, epsilon)`, which reads what it needs from the folder `data` and returns a function that
gives a fresh answer at every call, each at a loss of epsilon. A whole cycle, from the file to the first answer, is timed
a few times, unless the answer says how many seconds it took; the imports of the library are timed by themselves. More
answers are drawn until there are RUNS of them or SECONDS are over.
"""

import importlib.metadata
import importlib.util
import json
import pathlib
import sys
import time
import warnings

CYCLES = 5
FEWEST = 20


def load(path):
    sys.path.insert(0, str(pathlib.Path(__file__).parent / "helpers"))
    spec = importlib.util.spec_from_file_location(f"{path.parent.name}_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def measure(prepare, data, epsilon, runs, seconds):
    start = time.perf_counter()

    def elapsed():
        return time.perf_counter() - start

    cycles, answers = [], []
    while not cycles or (len(cycles) < min(CYCLES, runs) and elapsed() < seconds / 2):
        before = time.perf_counter()
        answer = prepare(data, epsilon)
        answers.append(answer())
        whole = time.perf_counter() - before
        timed = isinstance(answers[-1], dict) and "seconds" in answers[-1]
        cycles.append(answers[-1]["seconds"] if timed else whole)
    # Slow systems get three times as long, if they need it for the fewest answers that say something.
    while len(answers) < runs and elapsed() < (seconds if len(answers) >= FEWEST else 3 * seconds):
        answers.append(answer())
    return {"seconds": cycles, "answers": answers}


def main():
    warnings.simplefilter("ignore")
    file, data, epsilon, runs, seconds, package, out = sys.argv[1:]
    before = time.perf_counter()
    module = load(pathlib.Path(file))
    imports = time.perf_counter() - before
    result = measure(module.prepare, pathlib.Path(data), float(epsilon), int(runs), float(seconds))
    result["imports"] = imports
    result["version"] = module.version() if hasattr(module, "version") else importlib.metadata.version(package)
    result["note"] = getattr(module, "NOTE", "")
    pathlib.Path(out).write_text(json.dumps(result, default=lambda value: value.tolist()), "utf-8")


if __name__ == "__main__":
    main()
