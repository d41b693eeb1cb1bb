#!/usr/bin/env python3
"""rounding_test.py SCRIPTS: has Gappa confirm the error bounds that lastbit/verify/floats derives.

SCRIPTS is a program that prints the scripts. Each must be confirmed, and must be refused when any one
of the distances it claims is halved, so that a script that says nothing is noticed. Where coqc and
Gappa's Coq library are installed, the certificates that Gappa writes for the snapping mechanism are
compiled. Exit status: 0 confirmed, 1 not, 77 when Gappa is not installed.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
# A distance between what is computed (x) and what is exact (r), relative or absolute.
CLAIM = re.compile(r"(x\d+ -/? \S+ in )\[-(\S+), (\S+)\]")


def scripts(program):
    """The names and texts of the scripts."""
    printed = subprocess.run([program], capture_output=True, text=True, timeout=60, check=True).stdout
    for part in printed.split("== ")[1:]:
        name, _, text = part.partition("\n")
        yield name, text


def confirms(script):
    result = subprocess.run(["gappa"], input=script, capture_output=True, text=True, timeout=120)
    return result.returncode == 0, result.stderr


def tightened(script):
    """The script with one of its distances halved, for each of them."""
    for match in CLAIM.finditer(script):
        half = (float.fromhex(match[3]) / 2).hex()
        yield match[1].strip(), script[: match.start()] + f"{match[1]}[-{half}, {half}]" + script[match.end() :]


def problems_of(script):
    confirmed, output = confirms(script)
    if not confirmed or "Warning" in output:
        yield f"is not confirmed, or not without warnings:\n{output}"
    variants = list(tightened(script))
    if not variants:
        yield "claims no distance"
    for claim, variant in variants:
        if confirms(variant)[0]:
            yield f"is confirmed with half the distance too: {claim}"


def has_coq():
    if shutil.which("coqc") is None:
        return False
    with tempfile.TemporaryDirectory() as folder:
        return compiles("Require Import Gappa.Gappa_library.\n", pathlib.Path(folder))


def compiles(proof, folder):
    (folder / "proof.v").write_text(proof, encoding="ascii")
    return subprocess.run(["coqc", "proof.v"], cwd=folder, capture_output=True, timeout=300).returncode == 0


def certificate_problems(script):
    proof = subprocess.run(["gappa", "-Bcoq"], input=script, capture_output=True, text=True, timeout=120).stdout
    with tempfile.TemporaryDirectory() as folder:
        if "Qed" not in proof and "Defined" not in proof:
            yield "has an empty Coq certificate"
        if not compiles(proof, pathlib.Path(folder)):
            yield "has a Coq certificate that coqc does not accept"


def changed_certificate_problems(script):
    """The certificate must not survive a change of its first number."""
    proof = subprocess.run(["gappa", "-Bcoq"], input=script, capture_output=True, text=True, timeout=120).stdout
    changed = re.sub(r"Float2 \(?(\d+)\)?", r"Float2 1\1", proof, count=1)
    with tempfile.TemporaryDirectory() as folder:
        if changed == proof or compiles(changed, pathlib.Path(folder)):
            yield "has a Coq certificate whose numbers do not matter"


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 64
    if shutil.which("gappa") is None:
        print("skipped: gappa is not installed (Debian package `gappa`)")
        return SKIPPED
    coq = has_coq()
    wrong, certificates, names = [], 0, []
    for name, script in scripts(sys.argv[1]):
        names.append(name)
        found = list(problems_of(script))
        if coq and name.startswith("snapping"):
            found += certificate_problems(script)
            if certificates == 0:
                found += changed_certificate_problems(script)
            certificates += 1
        wrong += [f"{name}: {problem}" for problem in found]
    for problem in wrong:
        print(problem)
    print(f"{len(names)} scripts, {certificates} Coq certificates, {len(wrong)} problems")
    if not coq:
        print("no certificates: coqc or Gappa's library is not installed (Debian package `libcoq-gappa`)")
    return 1 if wrong or not names else 0


if __name__ == "__main__":
    sys.exit(main())
