"""Our error and speed beside those of other libraries, at equal epsilon: bench.py [options].

Each task is a folder, and each system in it is a file that does the task the way the system's manual says. Answers are
checked against the truth before anything is measured. What is measured goes to OUT/results.json, beside what earlier
runs with the same rows and epsilon left there; so errors and times, tasks and systems can be measured one after the
other. A table is printed.
Exit code: 0, 1 if an answer was wrong or a file failed, 64 for a wrong option, 77 if nothing can be installed.
"""
# Builds: lastbit bench_answers bench_draws

import argparse
import hashlib
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

import figures
import tables
from environments import Environments
from tasks import SYSTEMS, TASKS, has_errors

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CENSUS = ROOT.parent / "shared" / "data" / "fulton_pums.csv"
SKIPPED = 77


def say(text):
    print(f"peers: {text}", file=sys.stderr, flush=True)


def parser_of_options():
    parser = argparse.ArgumentParser(prog="./run bench peers", description=__doc__.partition("\n")[0])
    parser.add_argument("--errors", action="store_true", help="measure errors only; other work on the machine is fine")
    parser.add_argument("--times", action="store_true", help="measure times only, on an otherwise idle machine")
    parser.add_argument("--missing", action="store_true", help="only what results.json does not have yet")
    parser.add_argument("--fresh", action="store_true", help="forget what results.json has")
    parser.add_argument("--rows", type=int, default=1_000_000, help="rows of the table of people (1000000)")
    parser.add_argument("--epsilon", type=float, default=0.1, help="the loss of one answer (0.1)")
    parser.add_argument("--runs", type=int, default=2000, help="answers of one system to one task, at most (2000)")
    parser.add_argument("--seconds", type=float, default=60, help="for the errors of one system in one task (60)")
    parser.add_argument("--cycles", type=float, default=8, help="seconds for the times of one system in one task (8)")
    parser.add_argument("--patience", type=float, default=900, help="after so many seconds it is given up (900)")
    parser.add_argument("--tasks", default=",".join(TASKS), help="some of: " + ", ".join(TASKS))
    parser.add_argument("--systems", default=",".join(SYSTEMS), help="some of: " + ", ".join(SYSTEMS))
    parser.add_argument("--census", type=pathlib.Path, default=CENSUS, help="census records as CSV")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "release", help="our programs")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "build" / "peers", help="environments and results")
    parser.add_argument("--json", action="store_true", help="end with the results as one JSON object")
    return parser


def parse(words):
    parser = parser_of_options()
    options = parser.parse_args(words)
    options.modes = [mode for mode in ("errors", "times") if getattr(options, mode)] or ["errors", "times"]
    for name in ("census", "build", "out"):
        setattr(options, name, getattr(options, name).resolve())
    for name, known in (("tasks", TASKS), ("systems", SYSTEMS)):
        chosen = getattr(options, name).split(",")
        setattr(options, name, chosen)
        unknown = [word for word in chosen if word not in known]
        if unknown:
            parser.print_usage(sys.stderr)
            say(f"there is no {name[:-1]} `{unknown[0]}`; there are {', '.join(known)}")
            raise SystemExit(64)
    return options


def make_data(options, python):
    """The folder with the tables and the truth; they are kept for the next time."""
    census = [str(options.census)] if options.census.exists() else []
    program = HERE / "make_data.py"
    wanted = hashlib.sha256(program.read_bytes() + repr((options.rows, census)).encode()).hexdigest()[:16]
    folder = options.out / f"data-{wanted}"
    if not (folder / "truth.json").exists():
        say(f"generating {options.rows:,} people and {10 * options.rows:,} visits")
        subprocess.run([python, program, folder, str(options.rows), *census], check=True)
    return folder, json.loads((folder / "truth.json").read_text("utf-8"))


def file_of(task, system):
    return HERE / (TASKS[task].folder or task) / f"{system}.py"


def measure(options, environments, data, mode, task, system):
    """What measure.py found, or a text that says why it found nothing."""
    out = options.out / "answer.json"
    out.unlink(missing_ok=True)
    about = SYSTEMS[system]
    epsilon = options.epsilon * TASKS[task].times
    words = [environments.python(about.environment), HERE / "measure.py", mode, file_of(task, system),
             data / TASKS[task].data, epsilon, min(options.runs, TASKS[task].runs),
             options.seconds if mode == "errors" else options.cycles, about.package or "-", out]
    programs = {"LASTBIT": str(options.build / "cli" / "lastbit"), "PYTHONWARNINGS": "ignore",
                "LASTBIT_ANSWERS": str(options.build / "benchmarks" / "bench_answers"),
                "LASTBIT_DRAWS": str(options.build / "benchmarks" / "bench_draws")}
    with tempfile.TemporaryDirectory(prefix="lastbit-peers-") as scratch:  # some leave files where they run
        try:
            run = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                 text=True, cwd=scratch, env=os.environ | programs, timeout=options.patience,
                                 check=False)
        except subprocess.TimeoutExpired:
            return f"no answer within {options.patience:g} s"
    if run.returncode != 0 or not out.exists():
        (options.out / f"{task}-{system}.log").write_text(run.stdout, "utf-8")
        last = (run.stdout.strip().splitlines() or ["no output"])[-1]
        return last.replace(str(options.out), "build").replace(f"{ROOT}/", "")
    return json.loads(out.read_text("utf-8"))


def judge(task, found, truth, epsilon, rows):
    """The figures of each part of a task, or a text that says what is wrong."""
    parts = {}
    for name, part in TASKS[task].parts.items():
        answers = [answer[name] for answer in found["answers"]] if name else found["answers"]
        exact = truth[name] if name else truth
        wrong = figures.wrong_answers(part, answers, exact, epsilon, rows)
        if wrong:
            return wrong
        single, many = answers[:found["single"]], answers[found["single"]:]
        if many and figures.different_laws(figures.errors_of(part, single, exact),
                                           figures.errors_of(part, many, exact)):
            return "answers that were made together have other errors than those made one by one"
        parts[name] = figures.figures_of_part(part, answers, exact)
    return parts


def can_run(environments, system):
    """Whether a system can be installed here. If not, the reason is remembered."""
    about = SYSTEMS[system]
    if about.program and not shutil.which(about.program):
        environments.failed.setdefault(about.environment, f"there is no {about.program} on this machine")
        return False
    return environments.install(about.environment)


class Results:
    """results.json: read at the beginning, written after every measurement."""

    KEYS = {"errors": ("parts",), "times": ("seconds", "imports")}

    def __init__(self, path, options):
        self.path = path
        self.all = {"rows": options.rows, "epsilon": options.epsilon, "machine": machine(), "systems": {}, "tasks": {},
                    "skipped": {}, "failed": {}}
        if path.exists() and not options.fresh:
            earlier = json.loads(path.read_text("utf-8"))
            if all(earlier.get(key) == self.all[key] for key in ("rows", "epsilon")):
                self.all = earlier

    def has(self, mode, task, system):
        return all(key in self.all["tasks"].get(task, {}).get(system, {}) for key in self.KEYS[mode])

    def add(self, mode, task, system, found, parts):
        if self.all["systems"].get(system, found["version"]) != found["version"]:
            say(f"{SYSTEMS[system].title} is another version than before: its earlier figures are forgotten")
            for systems in self.all["tasks"].values():
                systems.pop(system, None)
        self.all["systems"][system] = found["version"]
        cell = self.all["tasks"].setdefault(task, {}).setdefault(system, {})
        cell["note"] = found["note"]
        if mode == "errors":
            cell["parts"] = parts
        else:
            cell |= {"seconds": statistics.median(found["seconds"]), "imports": found["imports"]}
            self.all["machine"] = machine()
        self.all["failed"].pop(f"{mode} {task} {system}", None)
        self.write()

    def write(self):
        for kind, order in (("tasks", TASKS), ("systems", SYSTEMS)):
            self.all[kind] = {name: self.all[kind][name] for name in order if name in self.all[kind]}
        for task, systems in self.all["tasks"].items():
            self.all["tasks"][task] = {name: systems[name] for name in SYSTEMS if name in systems}
        partial = self.path.with_suffix(".part")
        partial.write_text(json.dumps(self.all, indent=1) + "\n", "utf-8")
        partial.replace(self.path)


def summary_of(mode, found, parts):
    if mode == "times":
        return f"{statistics.median(found['seconds']):.3g} s"
    errors = ", ".join(f"{part['q95']:.4g}" for part in parts.values() if "q95" in part)
    return f"{len(found['answers'])} answers" + (f", 95 % error {errors}" if errors else "")


def run_task(options, environments, data, truth, mode, task, results):
    """Measures every system on a task. False if an answer was wrong or a file failed."""
    about, fine = TASKS[task], True
    if not (has_errors(task) if mode == "errors" else about.timed):
        return True
    exact = truth.get(about.truth) if isinstance(about.truth, str) else about.truth
    if exact is None:
        results.all["skipped"][task] = f"{about.title}: its data is not on this machine"
        return True
    results.all["skipped"].pop(task, None)
    for system in options.systems:
        if not file_of(task, system).exists() or not can_run(environments, system):
            continue
        if options.missing and results.has(mode, task, system):
            continue
        found = measure(options, environments, data, mode, task, system)
        epsilon = options.epsilon * about.times
        parts = found if isinstance(found, str) else judge(task, found, exact, epsilon, options.rows)
        if isinstance(parts, str):
            fine = False
            sentence = f"{about.title}, {SYSTEMS[system].title}: {parts}"
            results.all["failed"][f"{mode} {task} {system}"] = sentence
            results.write()
            say(sentence)
            continue
        results.add(mode, task, system, found, parts)
        say(f"{about.title}, {SYSTEMS[system].title}: {summary_of(mode, found, parts)}")
    return fine


def machine():
    """What the figures depend on: processors, not names."""
    model = ""
    cpuinfo = pathlib.Path("/proc/cpuinfo")
    if cpuinfo.exists():
        lines = cpuinfo.read_text("utf-8").splitlines()
        model = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
    return {"cores": os.cpu_count(), "processor": model, "python": sys.version.split()[0]}


def main(words):
    options = parse(words)
    options.out.mkdir(parents=True, exist_ok=True)
    environments = Environments(options.out / "environments", say)
    if not environments.install("data"):
        say(f"skipped: packages cannot be installed from PyPI ({environments.failed['data']})")
        return SKIPPED
    data, truth = make_data(options, environments.python("data"))
    results = Results(options.out / "results.json", options)
    fine = True
    for mode in options.modes:
        for task in options.tasks:
            fine = run_task(options, environments, data, truth, mode, task, results) and fine
    for name, reason in environments.failed.items():
        results.all["skipped"][name] = f"{name} cannot be installed: {reason}"
    results.write()
    print(tables.as_text(results.all))
    if options.json:
        print(json.dumps(results.all))
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
