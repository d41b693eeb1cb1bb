"""ExactCase: what the tests share that ask for the exact answers of releases."""

import importlib
import importlib.metadata
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from reading_case import BINARY, ReadingCase

PACKAGES = pathlib.Path(sys.argv[2])
ROUNDS = int(os.environ.get("LASTBIT_READING_ROUNDS", "1"))
PROCESSES = 2
PYARROW = "26.0.1"


def fetch(name, version, exactly=False):
    """The package, from PyPI if need be; None where that fails."""
    folder = PACKAGES / f"{name}-{version}"
    try:
        found = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        found = None
    if found is None or (exactly and found != version):
        if not folder.is_dir() and not install(f"{name}=={version}", folder):
            print(f"{name} {version} is neither installed nor to be had from PyPI")
            return None
        sys.path.insert(0, str(folder))
    return importlib.import_module(name)


def install(requirement, folder):
    """Several tests may try at once, so that what is there under the last name is always whole."""
    PACKAGES.mkdir(parents=True, exist_ok=True)
    fresh = tempfile.mkdtemp(dir=PACKAGES)
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    command += ["--only-binary", ":all:", "--retries", "1", "--timeout", "20", "--target", fresh, requirement]
    try:
        run = subprocess.run(command, check=False, capture_output=True, timeout=180)
        if run.returncode == 0:
            os.rename(fresh, folder)
    except subprocess.TimeoutExpired:
        pass
    except OSError:
        pass  # somebody else was faster
    shutil.rmtree(fresh, ignore_errors=True)
    return folder.is_dir()


def quoted(text):
    """A text of TOML."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


class ExactCase(ReadingCase):
    def write_release(self, name, source, unit, columns, statistics):
        """The path of a release file; `statistics` are the lines of each."""
        lines = ["version = 1", f"source = {source}", f"unit = {unit}"]
        lines += ['budget = { epsilon = 1, delta = 1e-3, ledger = "none" }', "[columns]", *columns]
        for number, statistic in enumerate(statistics):
            lines += ["[[statistics]]", f'name = "s{number}"', statistic]
        path = self.folder / f"{name}.toml"
        path.write_bytes("\n".join(lines).encode())
        return path

    def exact_answers(self, jobs):
        """What exact_answers prints for each job: a release file, a seed, a number of threads and further limits."""
        runs = []
        for part in range(PROCESSES):
            path = self.folder / f"jobs{part}"
            path.write_text("".join("\t".join(map(str, job)) + "\n" for job in jobs[part::PROCESSES]))
            # Files and no pipes: a process with a full pipe would wait until the other one is read.
            out, problems = path.with_suffix(".out").open("w+b"), path.with_suffix(".err").open("w+b")
            runs.append((subprocess.Popen([BINARY, str(path)], stdout=out, stderr=problems), out, problems))
        answers = [None] * len(jobs)
        for part, (run, out, problems) in enumerate(runs):
            run.wait()
            lines = pathlib.Path(out.name).read_bytes().split(b"\n")[:-1]
            mine = jobs[part::PROCESSES]
            outcome = (run.returncode, pathlib.Path(problems.name).read_bytes(), len(lines))
            out.close(), problems.close()
            # Where it ended too early, the next job is to blame.
            self.assertEqual(outcome, (0, b"", len(mine)), mine[len(lines) : len(lines) + 1])
            answers[part::PROCESSES] = map(json.loads, lines)
        return answers
