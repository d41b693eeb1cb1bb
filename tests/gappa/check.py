#!/usr/bin/env python3
"""check.py SCRIPT HEADER: has Gappa or Sollya confirm the error bounds of the fast logarithm.

The script (*.gappa or *.sollya) states the bounds; the constants it names (kLn2, kRootHalf,
kAtanh0, ...) must be those of the C++ header, digit for digit. A Gappa script must also fail when
the bound marked `# tight` is halved, so that a script that proves nothing is noticed. Exit status:
0 confirmed, 1 not, 77 when the tool is not installed.
"""

import pathlib
import re
import shutil
import subprocess
import sys

SKIPPED = 77
HEX = r"0x[0-9a-f.]+p[+-]?\d+"


def header_constants(text):
    """The constants of the header that a script may name."""
    found = dict(re.findall(rf"constexpr double (k\w+) = ({HEX});", text))
    table = re.search(r"kAtanh\[\] = \{(.*?)\}", text, re.S)
    for index, value in enumerate(re.findall(HEX, table[1])):
        found[f"kAtanh{index}"] = value
    return found


def differing_constants(script, header):
    for name, value in re.findall(rf"^(k\w+) = ({HEX});", script, re.M):
        if header.get(name) != value:
            yield f"{name} is {value} here and {header.get(name)} in the header"


def confirms(tool, script):
    if tool == "gappa":
        result = subprocess.run(["gappa", "-Eno-auto-dichotomy"], input=script, capture_output=True, text=True, timeout=300)
        return result.returncode == 0, result.stdout + result.stderr
    result = subprocess.run(
        ["sollya", "--warnonstderr", "/dev/stdin"], input=script, capture_output=True, text=True, timeout=300
    )
    return result.stdout.strip().splitlines()[-1:] == ["confirmed"], result.stdout + result.stderr


def demanding(script):
    """The Gappa script with half the bound marked `# tight` asked for."""
    return re.sub(r"<= (0x[0-9a-f.]+p|1b)-(\d+)(.*# tight)", lambda m: f"<= {m[1]}-{int(m[2]) + 1}{m[3]}", script)


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 64
    path = pathlib.Path(sys.argv[1])
    tool = path.suffix[1:]
    script = path.read_text(encoding="utf-8")
    problems = list(differing_constants(script, header_constants(pathlib.Path(sys.argv[2]).read_text(encoding="utf-8"))))
    if problems:
        print("\n".join(problems))
        return 1
    if shutil.which(tool) is None:
        print(f"skipped: {tool} is not installed (Debian package `{tool}`)")
        return SKIPPED
    confirmed, output = confirms(tool, script)
    print(output, end="")
    if not confirmed:
        print(f"{tool} does not confirm {path.name}")
        return 1
    if tool == "gappa":
        if demanding(script) == script:
            print(f"{path.name} marks no bound as tight")
            return 1
        if confirms(tool, demanding(script))[0]:
            print(f"{path.name} is confirmed with half the bound too: what does it prove?")
            return 1
    print(f"{tool} confirms {path.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
