"""Lastbit as a command-line tool: a release file and a ledger in a folder of its own."""

import atexit
import json
import os
import shutil
import subprocess
import tempfile

BINARY = os.environ.get("LASTBIT", "lastbit")


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


def releases(source, text, epsilon, unit='"row"'):
    """A function that makes the release again, with fresh noise, and gives a list of answers per statistic."""
    folder = tempfile.mkdtemp(prefix="lastbit-peers-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    head = (f'version = 1\nsource = "{source.resolve()}"\nunit = {unit}\n'
            f'budget = {{ epsilon = {epsilon}, ledger = "all.ledger" }}\n')
    with open(os.path.join(folder, "release.toml"), "w", encoding="utf-8") as file:
        file.write(head + text)
    run("ledger", "init", "all.ledger", "--epsilon", 1_000_000, cwd=folder)

    def release():
        document = json.loads(run("release", "release.toml", "--again", "--json", cwd=folder))
        return [statistic["answers"] for statistic in document["statistics"]]

    return release


def numbers(answers):
    return [answer["answer_double"] for answer in answers]
