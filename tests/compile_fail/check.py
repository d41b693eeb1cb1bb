#!/usr/bin/env python3
"""check.py SOURCE COMPILER FLAGS…: compiles SOURCE right, then wrong, and expects just that.

Right means as it is. Wrong means with LASTBIT_WRONG defined: the compiler must then refuse it, and
what it says must match the regular expression of the line `// EXPECT-ERROR: …` in the file, so
that a typing mistake in the wrong half cannot pass for the error that is tested.
"""

import os
import re
import subprocess
import sys


def compile_once(command):
    environment = {**os.environ, "LC_ALL": "C"}
    run = subprocess.run(command, capture_output=True, text=True, env=environment)
    return run.returncode, run.stdout + run.stderr


def check(source, compiler):
    """The problem as a sentence, or None."""
    with open(source, encoding="utf-8") as file:
        text = file.read()
    expected = re.search(r"^// EXPECT-ERROR: (.+)$", text, re.MULTILINE)
    if not expected:
        return "it has no line `// EXPECT-ERROR: regular expression`"
    if "LASTBIT_WRONG" not in text:
        return "it never asks whether LASTBIT_WRONG is defined"
    status, output = compile_once([*compiler, source])
    if status != 0:
        return f"the right half does not compile:\n{output}"
    status, output = compile_once([*compiler, "-DLASTBIT_WRONG", source])
    if status == 0:
        return "the wrong half compiles"
    if not re.search(expected[1], output):
        return f"the error does not match `{expected[1]}`:\n{output}"
    return None


def main():
    if len(sys.argv) < 3:
        print(__doc__, file=sys.stderr)
        return 64
    problem = check(sys.argv[1], sys.argv[2:])
    if problem:
        print(f"{sys.argv[1]}: {problem}")
    return 1 if problem else 0


if __name__ == "__main__":
    sys.exit(main())
