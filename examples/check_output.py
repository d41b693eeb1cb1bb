#!/usr/bin/env python3
"""check_output.py PROGRAM FILE: runs the program and fails unless it prints exactly the file."""

import difflib
import pathlib
import subprocess
import sys


def main():
    program, expected = sys.argv[1], pathlib.Path(sys.argv[2])
    result = subprocess.run([program], capture_output=True, text=True, check=False, timeout=300)
    if result.returncode != 0:
        print(f"{program} ended with {result.returncode}\n{result.stderr}")
        return 1
    wanted = expected.read_text(encoding="utf-8")
    if result.stdout == wanted:
        return 0
    lines = difflib.unified_diff(wanted.splitlines(), result.stdout.splitlines(), str(expected), "printed", lineterm="")
    print("\n".join(lines))
    return 1


if __name__ == "__main__":
    sys.exit(main())
