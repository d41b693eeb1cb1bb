#!/usr/bin/env python3
"""smt_test.py LASTBIT FOLDER: has outside solvers confirm what the kernel accepted.

Every mechanism of FOLDER/correct and FOLDER/controls is proved, and the side conditions of its proof
are given to z3 and, where it is installed, to cvc5. Each must be unsat: z3 must decide all of them,
cvc5 those that it can. So that a script that says nothing is noticed, a side condition whose facts
are taken away must become sat. Exit status: 0 confirmed, 1 not, 77 when z3 is not installed.
"""

import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
SOLVERS = {
    "z3": ["z3", "-T:60", "-t:5000"],
    "cvc5": ["cvc5", "--incremental", "--tlimit-per=1000", "--tlimit=20000"],
}


def answers(solver, script):
    """The answers of the solver, one for each problem that it reached."""
    run = subprocess.run([*SOLVERS[solver], str(script)], capture_output=True, text=True, timeout=120)
    return [line for line in run.stdout.splitlines() if line in ("sat", "unsat", "unknown")]


def weakened(text):
    """The script with the facts of its problems left out, the signs of symbols kept."""
    return re.sub(r"^\(assert \((?!not |> x\d+ 0\.0\)).*\n", "", text, flags=re.M)


def confirm(lastbit, mechanism, folder):
    """What is wrong with the mechanism's proof, and how many answers each solver gave."""
    script = folder / (mechanism.stem + ".smt2")
    proof = subprocess.run(
        [lastbit, "prove", str(mechanism), "--timeout", "60", "--smtlib", str(script)],
        capture_output=True, text=True, timeout=300)
    if proof.returncode != 0:
        return [f"is not proved: {proof.stdout}{proof.stderr}"], {}
    text = script.read_text(encoding="ascii")
    problems = text.count("(check-sat)")
    given = {solver: answers(solver, script) for solver in SOLVERS if shutil.which(solver)}
    wrong = [f"{solver} answers sat" for solver, found in given.items() if "sat" in found]
    if given["z3"] != ["unsat"] * problems:
        wrong.append(f"z3 confirms {given['z3'].count('unsat')} of {problems} side conditions")
    script.write_text(weakened(text), encoding="ascii")
    if problems and "sat" not in answers("z3", script):
        wrong.append("its side conditions hold without facts: what do they say?")
    counts = {solver: found.count("unsat") for solver, found in given.items()}
    return wrong, {"problems": problems, **counts}


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 64
    lastbit, corpus = sys.argv[1], pathlib.Path(sys.argv[2])
    if shutil.which("z3") is None:
        print("skipped: z3 is not installed (Debian package `z3`)")
        return SKIPPED
    mechanisms = sorted([*corpus.glob("correct/*.dp"), *corpus.glob("controls/*.dp")])
    totals, failures = {}, 0
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(lambda m: confirm(lastbit, m, pathlib.Path(name)), mechanisms)
        for mechanism, (wrong, counts) in zip(mechanisms, results, strict=True):
            for problem in wrong:
                failures += 1
                print(f"{mechanism.name}: {problem}")
            for key, count in counts.items():
                totals[key] = totals.get(key, 0) + count
    print(f"{len(mechanisms)} mechanisms; side conditions and who confirms them: {totals}")
    return 1 if failures or not mechanisms else 0


if __name__ == "__main__":
    sys.exit(main())
