"""Lastbit as a command-line tool: a release file and a ledger in a folder of its own."""

import atexit
import json
import os
import shutil
import subprocess
import tempfile

BINARY = os.environ.get("LASTBIT", "lastbit")
ANSWERS = os.environ.get("LASTBIT_ANSWERS", "bench_answers")


def run(*words, **options):
    done = subprocess.run([BINARY, *map(str, words)], capture_output=True, text=True, check=False, **options)
    if done.returncode != 0:
        raise RuntimeError(problem_of(done.stderr or done.stdout))
    return done.stdout


def problem_of(text):
    """What a message says on one line; with --json it is a document."""
    try:
        return json.loads(text)["error"]["problem"]
    except (ValueError, KeyError):
        return " ".join(text.split()) or "it failed and gave no reason"


def version():
    return run("--version").split()[-1]


def plain(answer):
    """An answer of the tool as bench_answers prints it: the choice of a category, otherwise the number."""
    choice = answer.get("choice")
    return answer["answer_double"] if choice is None else choice


class Releases:
    """Makes a release again at every call, with fresh noise. `read` makes an answer of a list per statistic."""

    def __init__(self, source, text, epsilon, read, unit):
        self.read = read
        self.folder = tempfile.mkdtemp(prefix="lastbit-peers-")
        atexit.register(shutil.rmtree, self.folder, ignore_errors=True)
        head = (f'version = 1\nsource = "{source.resolve()}"\nunit = {unit}\n'
                f'budget = {{ epsilon = {epsilon}, ledger = "all.ledger" }}\n')
        with open(os.path.join(self.folder, "release.toml"), "w", encoding="utf-8") as file:
            file.write(head + text)
        run("ledger", "init", "all.ledger", "--epsilon", 1_000_000, cwd=self.folder)

    def __call__(self):
        document = json.loads(run("release", "release.toml", "--again", "--json", cwd=self.folder))
        return self.read([list(map(plain, statistic["answers"])) for statistic in document["statistics"]])

    def many(self, count, seconds):
        """By a program that plans as the tool does and reads the rows once."""
        words = [ANSWERS, "release.toml", "--answers", str(count), "--seconds", str(max(1, round(seconds)))]
        done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=self.folder)
        if done.returncode != 0:
            raise RuntimeError(" ".join(done.stderr.split()))
        return [self.read(json.loads(line)) for line in done.stdout.splitlines()]


def releases(source, text, epsilon, read, unit='"row"'):
    return Releases(source, text, epsilon, read, unit)


def first(statistics):
    """The only answer of the only statistic."""
    ((answer,),) = statistics
    return answer


def every(statistics):
    """All answers of the only statistic."""
    (answers,) = statistics
    return answers
