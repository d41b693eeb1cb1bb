#!/usr/bin/env python3
"""repair_wheel.py WHEEL FOLDER: puts into a wheel what it needs to run elsewhere.

auditwheel adds the libraries that not every Linux has. The licences of what the wheel then holds go into
THIRD-PARTY.txt beside ours: those of Debian's packages are in their copyright files, DuckDB's is in third_party. A
library without a licence is an error. The result goes to FOLDER; auditwheel says last where it runs.
"""

import importlib.metadata
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCUMENTS = pathlib.Path("/usr/share/doc")
COMMON = pathlib.Path("/usr/share/common-licenses")
# What is compiled into the extension: the package of each.
HEADERS = ("nlohmann-json3-dev",)
HEAD = """\
What this wheel holds beside Lastbit, and under which licence. The full texts are below, in the same order.

Every library is a file of its own, which you may replace by another build of the same library. Where a source is named
as PACKAGE=VERSION, library and source are Debian's: `apt-get source PACKAGE=VERSION`, or https://snapshot.debian.org.
"""


def run(*words):
    """What a program prints; ends with its errors if it fails."""
    folder = pathlib.Path(sys.executable).parent
    environment = os.environ | {"PATH": f"{folder}:{os.environ['PATH']}"}
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, env=environment, check=False)
    if done.returncode != 0:
        sys.exit(f"`{' '.join(map(str, words))}` ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def original_name(name):
    """The name of a library before auditwheel put a part of its hash into it.

    >>> original_name("libgmp-7376c9af.so.10.4.1")
    'libgmp.so.10.4.1'
    """
    return re.sub(r"-[0-9a-f]{8}(?=\.so\b)", "", name)


def licence_of(copyright_text):
    """What a copyright file of Debian says about most files, in a word or two.

    >>> licence_of("Format: https://…\\n\\nFiles: *\\nCopyright: 2007 A. Person\\nLicense: LGPL-3+\\n the text")
    'LGPL-3+'
    """
    found = re.search(r"^Files: *\*\s*\n(?:(?!\n).+\n)*?License: *(\S.*)$", copyright_text, re.M)
    return found[1].strip() if found else "see below"


def debian_package(library):
    """The package that owns a library, its version, and its copyright file."""
    for line in run("dpkg-query", "--search", f"*/{library}").splitlines():
        package = line.partition(":")[0]
        copyright_file = DOCUMENTS / package / "copyright"
        if copyright_file.exists():
            return package, version_of(package), copyright_file
    sys.exit(f"{library}: found no copyright file, and it must not be passed on without")


def version_of(package):
    return run("dpkg-query", "--show", "--showformat=${source:Package}=${source:Version}\n", package).splitlines()[0]


def bundled(libraries):
    """For each library and each part of the extension that is not ours: its name, where it is from, its licence."""
    for name in libraries:
        if name.startswith("libduckdb"):
            yield name, "DuckDB, https://duckdb.org", "MIT", (ROOT / "third_party/duckdb/LICENSE").read_text("utf-8")
            continue
        package, version, copyright_file = debian_package(original_name(name))
        text = copyright_file.read_text("utf-8")
        yield name, f"{package}, source {version}", licence_of(text), text
    for package in HEADERS:
        text = (DOCUMENTS / package / "copyright").read_text("utf-8")
        yield "(in the extension)", f"{package}, source {version_of(package)}", licence_of(text), text
    nanobind = importlib.metadata.distribution("nanobind")
    licence = next(file for file in nanobind.files if file.name == "LICENSE")
    yield "(in the extension)", f"nanobind {nanobind.version} from PyPI", "BSD-3-Clause", licence.read_text("utf-8")


def notices(parts):
    """The text of THIRD-PARTY.txt, with the licences that Debian's files refer to."""
    lines, texts, common = [HEAD], [], set()
    for name, origin, licence, text in parts:
        lines.append(f"  {name}\n    {origin}; {licence}")
        if (origin, text) not in texts:
            texts.append((origin, text))
        common.update(re.findall(rf"{COMMON}/([A-Za-z0-9.-]*[A-Za-z0-9])", text))
    texts += [(name, (COMMON / name).read_text("utf-8")) for name in sorted(common)]
    rule = "=" * 80
    return "\n".join(lines) + "".join(f"\n\n{rule}\n{origin}\n{rule}\n\n{text}" for origin, text in texts)


def add_notices(folder):
    """Writes the notices into an unpacked wheel."""
    libraries = sorted(path.name for path in folder.rglob("*.so*") if path.name.startswith("lib"))
    information = next(folder.glob("*.dist-info"))
    (information / "licenses" / "THIRD-PARTY.txt").write_text(notices(bundled(libraries)), "utf-8")
    metadata = information / "METADATA"
    text = metadata.read_text("utf-8")
    own = "License-File: LICENSE\n"
    if own not in text:
        sys.exit("the wheel does not name its own licence")
    metadata.write_text(text.replace(own, own + "License-File: THIRD-PARTY.txt\n", 1), "utf-8")


def main(wheel, out):
    with tempfile.TemporaryDirectory(prefix="lastbit-wheel-") as name:
        scratch = pathlib.Path(name)
        run(sys.executable, "-m", "auditwheel", "repair", "--wheel-dir", scratch / "repaired", wheel)
        run(sys.executable, "-m", "wheel", "unpack", "--dest", scratch / "unpacked",
            *(scratch / "repaired").glob("*.whl"))
        folder = next((scratch / "unpacked").iterdir())
        add_notices(folder)
        run(sys.executable, "-m", "wheel", "pack", "--dest-dir", scratch, folder)
        packed = next(scratch.glob("*.whl"))
        print(run(sys.executable, "-m", "auditwheel", "show", packed))
        pathlib.Path(out, packed.name).write_bytes(packed.read_bytes())


if __name__ == "__main__":
    main(*sys.argv[1:])
