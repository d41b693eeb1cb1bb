#!/usr/bin/env python3
"""What people take home runs where nothing else is installed.

package_test.py installed BUILD SOURCE
    Installs the tool with its libraries from the build folder into an empty root that holds the C library and
    nothing else, looks for paths of this machine in it, and releases a table there.
package_test.py packages FOLDER BASE
    Does the same with the archive and the .deb of FOLDER, each in a copy of BASE, a bare Debian 12 as
    debootstrap makes it. Of the .deb, apt brings the dependencies, so this part needs the network.

Exit status 77: skipped, with one line that says why.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
LOADER = pathlib.Path("/lib64/ld-linux-x86-64.so.2")
GLIBC = ("libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1")
RELEASE_FILE = """\
version = 1
title = "Visits"
source = { path = "visits.csv" }
unit = "row"
budget = { epsilon = 1, ledger = "visits.ledger" }
[columns]
age = { type = "integer", lower = 0, upper = 100 }
[[statistics]]
kind = "count"
name = "visits"
[[statistics]]
kind = "mean"
name = "mean_age"
column = "age"
"""


def run(*command, **options):
    """Runs the command with nothing of this environment; fails with what it printed."""
    environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8"}
    result = subprocess.run(
        list(map(str, command)), env=environment, capture_output=True, text=True, check=False, timeout=500, **options
    )
    if result.returncode != 0:
        sys.exit(f"`{' '.join(map(str, command))}` ended with {result.returncode}:\n{result.stdout}{result.stderr}")
    return result.stdout


def inside(root):
    """The words before a command that is to see `root` and nothing else, or None if we may not. It has a /proc
    of its own, by which the loader learns where a program lies."""
    for words in (["unshare"], ["unshare", "--map-root-user"]):
        words = [*words, "--mount", "--pid", "--fork", "--mount-proc", "--root"]
        try:
            if subprocess.run([*words, "/", "/bin/true"], capture_output=True, check=False).returncode == 0:
                return [*words, root]
        except FileNotFoundError:
            pass
    return None


def copy_c_library(root):
    """Puts the loader and glibc into the root, where programs look for them."""
    (root / "lib64").mkdir()
    shutil.copy(LOADER, root / "lib64")
    folder = root / "lib/x86_64-linux-gnu"
    folder.mkdir(parents=True)
    for name in GLIBC:
        shutil.copy(pathlib.Path("/lib/x86_64-linux-gnu") / name, folder)


def require_no_paths(folder, paths):
    """No file names a folder of this machine, and programs look for libraries beside themselves only."""
    for file in filter(pathlib.Path.is_file, folder.rglob("*")):
        content = file.read_bytes()
        for path in paths:
            if str(path).encode() in content:
                sys.exit(f"{file.relative_to(folder)} holds the path {path}")
    for program in (folder / "bin").iterdir():
        found = re.findall(r"\((?:RPATH|RUNPATH)\).*\[(.*)\]", run("readelf", "-d", program))
        if found != ["$ORIGIN/../lib/lastbit"]:
            sys.exit(f"{program.name} looks for libraries in {found}")


def require_copyrights(folder):
    """Every library that is passed on has its licence next to ours: DuckDB's, or that of a package that owns it."""
    documents = {path.name for path in (folder / "share/doc/lastbit").iterdir()}
    for library in (folder / "lib/lastbit").iterdir():
        owners = ["duckdb"]
        if not library.name.startswith("libduckdb"):
            found = run("dpkg-query", "--search", f"*/{library.name}").splitlines()
            owners = [line.split(":")[0] for line in found]
        if not {f"copyright-{owner}" for owner in owners} & documents:
            sys.exit(f"{library.name} comes without its licence; there are {sorted(documents)}")
    if not {"LICENSE", "copyright"} <= documents:
        sys.exit(f"our own licence is missing; there are {sorted(documents)}")


def release_a_table(root, tool):
    """Runs the demo and a release of a small table inside the root."""
    enter = inside(root)
    work = root / "srv/table"
    work.mkdir(parents=True)
    for name in ("proc", "tmp"):
        (root / name).mkdir(exist_ok=True)
    run(*enter, tool, "demo", "--rows", "20000", "--out", "/srv/table/demo")
    if "</html>" not in (work / "demo/report/report.html").read_text(encoding="utf-8"):
        sys.exit("the demo made no report")

    rows = "".join(f"{20 + row % 50}\n" for row in range(1000))
    (work / "visits.csv").write_text("age\n" + rows, encoding="utf-8")
    (work / "visits.toml").write_text(RELEASE_FILE, encoding="utf-8")
    run(*enter, tool, "ledger", "init", "/srv/table/visits.ledger", "--epsilon", "1")
    run(*enter, tool, "release", "/srv/table/visits.toml", "--out", "/srv/table/report")
    released = json.loads((work / "report/release.json").read_text(encoding="utf-8"))
    shown = json.loads(run(*enter, tool, "ledger", "show", "/srv/table/visits.ledger", "--json"))
    entries = [(entry["state"], entry["hash"]) for entry in shown["entries"]]
    if entries != [("finished", released["ledger"]["hash"])] or shown["left"] != {"epsilon": "0"}:
        sys.exit(f"the ledger does not hold the release:\n{json.dumps(shown, indent=2)}")

    corpus = pathlib.PurePosixPath(tool).parent.parent / "share/lastbit/corpus"
    certificate = "/srv/table/snapping.cert"
    run(*enter, tool, "prove", corpus / "correct/snapping.dp", "--certificate", certificate)
    run(*enter, f"{tool}-check", certificate)


def check_installed(build, source):
    if not LOADER.exists():
        print(f"skipped: this test knows the C library of x86-64 only, and {LOADER} is missing")
        return SKIPPED
    with tempfile.TemporaryDirectory(prefix="lastbit-root-") as folder:
        root = pathlib.Path(folder)
        for component in ("tool", "libraries"):
            run("cmake", "--install", build, "--strip", "--component", component, "--prefix", root / "opt/lastbit")
        require_no_paths(root / "opt/lastbit", [build, source])
        require_copyrights(root / "opt/lastbit")
        copy_c_library(root)
        release_a_table(root, "/opt/lastbit/bin/lastbit")
    return 0


def only(folder, pattern):
    found = sorted(folder.glob(pattern))
    if len(found) != 1:
        sys.exit(f"{folder} holds {len(found)} files {pattern} instead of one")
    return found[0]


def check_packages(folder, base):
    for pattern in ("*.tar.gz", "*.deb"):
        package = only(folder, pattern)
        with tempfile.TemporaryDirectory(prefix="lastbit-root-") as scratch:
            root = pathlib.Path(scratch) / "root"
            run("cp", "-a", base, root)
            if package.suffix == ".deb":
                shutil.copy(package, root / "tmp")
                shutil.copy("/etc/resolv.conf", root / "etc")
                apt = [*inside(root), "apt-get", "-y", "-q", "--no-install-recommends"]
                run(*apt, "update")
                run(*apt, "install", f"/tmp/{package.name}")
                tool = "/usr/bin/lastbit"
            else:
                (root / "opt").mkdir(exist_ok=True)
                run("tar", "-xzf", package, "-C", root / "opt")
                tool = f"/opt/{package.name.removesuffix('.tar.gz')}/bin/lastbit"
            compilers = [name for name in ("gcc", "g++", "cc", "clang") if (root / "usr/bin" / name).exists()]
            if compilers:
                sys.exit(f"this is no bare Debian: it has {compilers}")
            release_a_table(root, tool)
        print(f"{package.name} runs on a bare Debian 12")
    return 0


def main():
    if inside("/") is None:
        print("skipped: this user may not change the root folder (unshare --mount --pid --root)")
        return SKIPPED
    mode, *paths = sys.argv[1:]
    first, second = (pathlib.Path(path).resolve() for path in paths)
    return {"installed": check_installed, "packages": check_packages}[mode](first, second)


if __name__ == "__main__":
    sys.exit(main())
