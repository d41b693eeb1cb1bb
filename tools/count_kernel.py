#!/usr/bin/env python3
"""count_kernel.py [ROOT]: how much code has to be believed when a certificate is checked.

Counts lines that are neither blank nor comment. The kernel and the calculus that it replays may have
at most LIMIT of them. What else `lastbit check` rests on is counted beside it, so that everything that
is believed has a line: see TRUST.md. Tests are no part of it, nor is rules.*, which only describes.
"""

import pathlib
import re
import sys

LIMIT = 2000
# What is counted, which files of the folder, and whether the limit holds for it.
PARTS = (
    ("the kernel", "lastbit/verify/kernel", r"(?!example\.).*", True),
    ("the calculus", "lastbit/verify/logic", r"(?!rules\.|program\.).*", True),
    ("the syntax of programs", "lastbit/verify/logic", r"program\..*", False),
    ("reading certificates", "lastbit/verify/certificate", r".*", False),
    # The certificate of an exact loss: who may claim which bound, the runs at the thresholds, and the
    # mechanism that is run.
    (
        "checking losses",
        "lastbit/verify/floats",
        r"(loss_certificate|known_bounds|bound|witness|pair_loss|float_mechanism)\..*",
        False,
    ),
    ("the mechanism that is run", "lastbit/mechanisms", r"snapping_function\..*", False),
    ("whether a claim says anything", "lastbit/verify/kernel", r"example\..*", False),
    ("exact numbers", "lastbit/numerics", r"(integer|rational)\..*", False),
    ("limiting work", "lastbit/base", r"work_limit\..*", False),
    ("showing the program", "lastbit/verify/lang", r"(?!expectation\.).*", False),
    ("wording the theorem", "lastbit/verify/report", r"theorem\..*", False),
)
# Text in quotes is kept, so that a // within it does not look like a comment.
TOKEN = re.compile(r'("(?:\\.|[^"\\\n])*")|//[^\n]*|/\*.*?\*/', re.DOTALL)


def code_lines(text):
    code = TOKEN.sub(lambda match: match[1] or re.sub(r"[^\n]", "", match[0]), text)
    return sum(1 for line in code.splitlines() if line.strip())


def count(folder, pattern):
    """The lines of the files of a folder whose names fit the pattern."""
    total = 0
    for path in folder.rglob("*"):
        is_test = re.search(r"_test\.cc$|test_support\.h$", path.name)
        if path.suffix in (".h", ".cc") and not is_test and re.fullmatch(pattern, path.name):
            total += code_lines(path.read_text(encoding="utf-8"))
    return total


def main(root):
    believed = 0
    for name, folder, pattern, is_limited in PARTS:
        lines = count(root / folder, pattern)
        if lines == 0:
            print(f"{folder}: there is no code to count")
            return 1
        print(f"{lines:6} {name} ({folder})")
        believed += lines if is_limited else 0
    print(f"{believed:6} kernel and calculus, at most {LIMIT}")
    return 0 if believed <= LIMIT else 1


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()))
