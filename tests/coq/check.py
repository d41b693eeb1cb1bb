#!/usr/bin/env python3
"""check.py FOLDER: has Coq check every proof of the folder.

The files are compiled in a scratch copy, in the order in which they require one another. No file may
leave a hole or switch a check of Coq off, and no Theorem may rest on anything but the axioms below,
which Coq's own real numbers bring. The README must list theorems that exist, in the file that it says.
Exit status: 0 all is proved, 1 not, 77 when Coq or a library that the proofs use is not installed.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
PREFIX = "Lastbit"
# The real numbers of Coq's standard library: their construction, excluded middle, and that functions
# with the same values are the same.
ACCEPTED = {
    "ClassicalDedekindReals.sig_forall_dec",
    "ClassicalDedekindReals.sig_not_dec",
    "Classical_Prop.classic",
    "FunctionalExtensionality.functional_extensionality_dep",
}
FORBIDDEN = re.compile(
    r"\b(Admitted|admit|give_up|Abort|Axioms?|Parameters?|Conjecture|bypass_check"
    r"|Unset\s+(?:Guard|Positivity|Universe)\s+Checking|Type\s+In\s+Type)\b"
)
LIBRARIES = {"Coquelicot": "libcoq-coquelicot", "Flocq": "libcoq-flocq"}


def missing():
    """The Debian packages that are needed and not installed."""
    if shutil.which("coqc") is None:
        return ["coq", *LIBRARIES.values()]
    where = subprocess.run(["coqc", "-where"], capture_output=True, text=True, check=True).stdout.strip()
    return [package for name, package in LIBRARIES.items() if not pathlib.Path(where, "user-contrib", name).is_dir()]


def requirements(text):
    """The files of the folder that a file requires."""
    lines = re.findall(rf"From {PREFIX} Require (?:Import|Export) ([\w\s]+)\.", text)
    return [name for line in lines for name in line.split()]


def in_order(texts):
    """The names of the files, each after those that it requires."""
    order = []

    def visit(name):
        if name not in order:
            for required in requirements(texts[name]):
                if required in texts:
                    visit(required)
            order.append(name)

    for name in sorted(texts):
        visit(name)
    return order


def theorems(text):
    return re.findall(r"^\s*(?:Theorem|Corollary)\s+(\w+)", text, re.M)


def coqc(folder, name):
    command = ["coqc", "-q", "-w", "none", "-Q", ".", PREFIX, name + ".v"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)


def holes(texts):
    for name, text in texts.items():
        for found in FORBIDDEN.finditer(text):
            yield f"{name}.v contains `{found[0]}`"


def unlisted(texts, readme):
    """What the table of the README, | `theorem` … | `File.v` | …, says that is not so."""
    rows = re.findall(r"^\| (.*?) \| `(\w+)\.v` \|", readme, re.M)
    if not rows:
        yield "README.md lists no theorem"
    for cell, file in rows:
        for name in re.findall(r"`(\w+)`", cell):
            if name not in theorems(texts.get(file, "")):
                yield f"README.md lists {name}, which is no theorem of {file}.v"


def axioms(folder, names, files):
    """What the theorems rest on that is not accepted. They are asked together, for that is faster."""
    together = ", ".join("@" + name for name in ["True", *names])
    (folder / "Assumptions.v").write_text(
        f"From {PREFIX} Require {' '.join(files)}.\n"
        f"Definition together := ({together}).\nPrint Assumptions together.\n",
        encoding="utf-8",
    )
    run = coqc(folder, "Assumptions")
    if run.returncode != 0:
        return [run.stderr]
    found = re.findall(r"^([\w.']+)(?: :|$)", run.stdout, re.M)
    return [name for name in found if name not in ACCEPTED]


def assumptions(folder, texts):
    names = [f"{PREFIX}.{file}.{name}" for file, text in texts.items() for name in theorems(text)]
    if axioms(folder, names, texts):
        for name in names:
            for axiom in axioms(folder, [name], texts):
                yield f"{name} assumes {axiom}"


def problems(source):
    texts = {path.stem: path.read_text(encoding="utf-8") for path in sorted(source.glob("*.v"))}
    yield from holes(texts)
    yield from unlisted(texts, (source / "README.md").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for file, text in texts.items():
            (folder / f"{file}.v").write_text(text, encoding="utf-8")
        for file in in_order(texts):
            run = coqc(folder, file)
            if run.returncode != 0:
                yield run.stderr
                return
        yield from assumptions(folder, texts)
    print(f"Coq checks {sum(len(theorems(text)) for text in texts.values())} theorems in {len(texts)} files")


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 64
    if packages := missing():
        print(f"skipped: not installed (Debian packages {', '.join(packages)})")
        return SKIPPED
    found = list(problems(pathlib.Path(sys.argv[1])))
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
