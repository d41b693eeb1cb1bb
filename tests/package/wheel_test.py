#!/usr/bin/env python3
"""wheel_test.py WHEEL SOURCE: tries a wheel of the Python package where nothing of the source is.

Looks into it for the type information, for the licence of every library and for paths of this machine; installs it in
a new environment of the Python that runs this, first without NumPy, makes noise and answers a question there; times
its import. Prints what it sees. NumPy comes from PyPI; without it the last part is left out, with a line that says so.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

LONGEST_IMPORT = 0.1  # seconds, the best of 5
TIME_IMPORT = "import time; start = time.perf_counter(); import lastbit; print(time.perf_counter() - start)"
FEW_LINES = """\
import pathlib, sys
import lastbit
print(f"lastbit {lastbit.__version__}, Python {sys.version.split()[0]}")
print("a noisy count:", lastbit.laplace(120, epsilon="0.5", sensitivity=1))
print("an exact number:", lastbit.laplace("0.1", scale=2, grid=-3))
print("whole numbers:", lastbit.discrete_laplace([10, 20, 30], scale=3))
print("Gaussian:", lastbit.discrete_gaussian(10**30, variance="2.5"))
try: lastbit.laplace(1, scale=-1)
except lastbit.Error as error: print("refused:", error)
visits = pathlib.Path("visits.csv")
visits.write_text("age\\n" + "".join(f"{20 + row % 50}\\n" for row in range(1000)))
ledger = lastbit.ledger.create("visits.ledger", epsilon=1)
age = {"type": "integer", "lower": 0, "upper": 100}
session = lastbit.Session(visits, ledger=ledger, unit="row", columns={"age": age})
print(session.query("SELECT count(*), avg(age) FROM visits", epsilon="0.5"))
print("left:", ledger.left)
claim = "requires eps > 0 adjacent |f.1 - f.2| <= 1 { eta <- laplace(1 / eps); return f + eta; }"
decision = lastbit.prove("mechanism noisy(f: real, eps: real) " + claim)
print(decision.verdict + ":", lastbit.check(decision.certificate))
maps = pathlib.Path("/proc/self/maps").read_text()
"""
LOADED = """\
for line in sorted({line.split()[-1] for line in maps.splitlines() if ".so" in line}): print("loaded", line)
"""
WITH_NUMPY = """\
import numpy, lastbit
print("an array:", lastbit.laplace(numpy.array([1.5, 2.5]), scale=2))
noise = lastbit.discrete_laplace(numpy.zeros(100_000, int), scale=10)
assert noise.dtype == numpy.int64 and abs(noise.mean()) < 1 and 13 < noise.std() < 15.5, noise
"""


def run(*words, network=False, folder="/"):
    """Runs a command with nothing of this environment, except the way to PyPI where it needs that."""
    environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}
    if network:
        way = re.compile("PIP_|SSL_|https?_proxy", re.I)
        environment |= {name: value for name, value in os.environ.items() if way.match(name)}
    return subprocess.run([str(word) for word in words], env=environment, capture_output=True, text=True, check=False,
                          cwd=folder, timeout=300)


def output(*words, folder="/"):
    done = run(*words, folder=folder)
    if done.returncode != 0:
        sys.exit(f"`{' '.join(map(str, words))}` ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def check_content(wheel, source):
    """The names of the libraries in the wheel, which has all that it should and nothing of this machine."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        for name in names:
            content = archive.read(name)
            for path in (source, source / "build", pathlib.Path.home() / ".pyenv"):
                if str(path).encode() in content:
                    sys.exit(f"{name} holds the path {path}")
        for wanted in ("lastbit/py.typed", "lastbit/_lastbit.pyi", "lastbit/__init__.py", "/licenses/LICENSE"):
            if not any(name.endswith(wanted) for name in names):
                sys.exit(f"{wanted} is missing; the wheel holds {names}")
        sources = {path.name for path in (source / "python/lastbit").glob("*.py*")}
        if not sources <= {pathlib.PurePath(name).name for name in names}:
            sys.exit(f"of {sorted(sources)}, only {names} are in the wheel")
        libraries = sorted({pathlib.PurePath(name).name for name in names if re.search(r"/lib[^/]*\.so", name)})
        notices = next((name for name in names if name.endswith("/licenses/THIRD-PARTY.txt")), None)
        named = set(archive.read(notices).decode().split()) if notices else set()
        if not set(libraries) <= named:
            sys.exit(f"{sorted(set(libraries) - named)} come without their licences")
        print(f"  {wheel.stat().st_size / 2**20:.1f} MiB, unpacked "
              f"{sum(member.file_size for member in archive.infolist()) / 2**20:.1f} MiB, {len(libraries)} libraries")
    return libraries


def check_installed(wheel, libraries, source, folder):
    output(sys.executable, "-m", "venv", folder)
    python = folder / "bin" / "python"
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input"]
    output(*pip, "--no-index", wheel)
    said = output(python, "-c", FEW_LINES + LOADED, folder=folder).splitlines()
    loaded = {pathlib.PurePath(line.removeprefix("loaded ")) for line in said if line.startswith("loaded ")}
    for library in libraries:
        if not any(path.name == library and folder in path.parents for path in loaded):
            sys.exit(f"{library} of the wheel was not loaded; loaded were {sorted(map(str, loaded))}")
    print("\n".join(f"  {line}" for line in said if not line.startswith("loaded ")))
    version = (source / "VERSION").read_text("utf-8").strip()
    if not said[0].startswith(f"lastbit {version},"):
        sys.exit(f"the version should be {version}")

    seconds = min(float(output(python, "-c", TIME_IMPORT)) for _ in range(5))
    print(f"  import: {1000 * seconds:.1f} ms, the best of 5")
    if seconds > LONGEST_IMPORT:
        sys.exit(f"importing takes more than {1000 * LONGEST_IMPORT:.0f} ms")

    numpy = re.search(r"(?m)^numpy==.*$", (source / "python/requirements.txt").read_text("utf-8"))
    if run(*pip, "--only-binary", ":all:", "--retries", "1", numpy[0], network=True).returncode != 0:
        print("  arrays not tried: NumPy cannot be installed from PyPI")
        return
    print("\n".join(f"  {line}" for line in output(python, "-c", WITH_NUMPY).splitlines()))


def main(wheel, source):
    libraries = check_content(wheel, source)
    with tempfile.TemporaryDirectory(prefix="lastbit-wheel-") as folder:
        check_installed(wheel, libraries, source, pathlib.Path(folder).resolve() / "environment")


if __name__ == "__main__":
    main(*(pathlib.Path(word).resolve() for word in sys.argv[1:]))
