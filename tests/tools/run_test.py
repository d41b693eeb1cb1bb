"""Asks ./run the things that need no build: its help, what it says to a wrong word, and, with programs
that only pretend to install and build, what it asks for and how it shows that it builds."""

import os
import pathlib
import pty
import re
import shutil
import subprocess
import tempfile
import unittest

from tool_case import ROOT

COMMANDS = ("demo", "test", "build", "lastbit", "bench", "package", "wheel", "coverage", "format", "docs",
            "clean")


def run(*words):
    return subprocess.run([ROOT / "run", *words], capture_output=True, text=True, check=False)


class RunTest(unittest.TestCase):
    def test_without_arguments_it_lists_every_command(self):
        answer = run()
        self.assertEqual(answer.returncode, 0)
        for command in COMMANDS:
            self.assertRegex(answer.stdout, rf"(?m)^  {command}\b")

    def test_unknown_command_is_a_usage_error_with_the_nearest_name(self):
        for word, meant in (("tset", "test"), ("biuld", "build"), ("cov", "coverage"), ("fromat", "format")):
            with self.subTest(word):
                answer = run(word)
                self.assertEqual((answer.returncode, answer.stdout), (64, ""))
                self.assertIn(f"did you mean `{meant}`?", answer.stderr)

    def test_hopeless_word_gets_no_guess(self):
        answer = run("xyzzyplugh")
        self.assertEqual(answer.returncode, 64)
        self.assertNotIn("did you mean", answer.stderr)

    def test_arguments_to_a_command_without_any_are_refused(self):
        self.assertEqual(run("clean", "everything").returncode, 64)

    def test_package_and_wheel_know_one_argument(self):
        for command in ("package", "wheel"):
            self.assertEqual(run(command, "--chekc").returncode, 64)


# Each writes down what it was asked. dpkg-query says that every package is there; cmake makes a build
# folder of two files and counts to 20.
PRETENDERS = {
    "dpkg-query": """
for word; do case $word in -*|*:*) ;; *) printf 'installed:%s ' "$word"; echo "$word" >>"$ASKED"; esac; done
""",
    "cmake": """
echo "cmake $*" >>"$ASKED"
if [ "$1" = --build ]; then
  echo '[0/2] Re-checking globbed directories...'
  for i in $(seq 20); do echo "[$i/20] Building part $i"; [ "$PAUSE" = 0 ] || sleep "$PAUSE"; done
  exit "$RESULT"
fi
mkdir -p build/release/cli
for word; do case $word in -D*) word=${word#-D}; echo "${word%=*}:BOOL=${word#*=}"; esac; done |
  tac | sort -t: -k1,1 -u >build/release/CMakeCache.txt
echo 'echo "the tool: $*"' >build/release/cli/lastbit
chmod +x build/release/cli/lastbit
touch build/release/build.ninja
""",
    "npm": "mkdir -p node_modules",
}


class PretendedBuildTest(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        programs = self.root / "programs"
        for folder in (programs, self.root / "cli", self.root / "third_party/duckdb", self.root / "benchmarks"):
            folder.mkdir(parents=True)
        shutil.copy(ROOT / "run", self.root)
        (self.root / "cli/CMakeLists.txt").touch()
        (self.root / "third_party/duckdb/package-lock.json").touch()
        for name, text in PRETENDERS.items():
            program = programs / name
            program.write_text("#!/bin/sh\n" + text)
            program.chmod(0o755)
        self.asked = self.root / "asked"
        self.environment = {"PATH": f"{programs}:{os.environ['PATH']}", "ASKED": str(self.asked)}

    def run_with(self, *words, pause=0, result=0, error=subprocess.PIPE):
        environment = self.environment | {"PAUSE": str(pause), "RESULT": str(result)}
        return subprocess.run([self.root / "run", *words], stdout=subprocess.PIPE, stderr=error, text=True,
                              env=environment, check=False)

    def test_the_tool_needs_neither_the_packages_nor_the_targets_of_the_tests(self):
        answer = self.run_with("lastbit", "--version")
        self.assertEqual((answer.returncode, answer.stdout), (0, "the tool: --version\n"))
        asked = self.asked.read_text().splitlines()
        self.assertIn("libgmp-dev", asked)
        for package in ("libgtest-dev", "librapidcheck-dev", "libbenchmark-dev", "clang-19"):
            self.assertNotIn(package, asked)
        cache = (self.root / "build/release/CMakeCache.txt").read_text()
        self.assertIn("LASTBIT_TESTS:BOOL=OFF", cache)
        self.assertIn("LASTBIT_BENCHMARKS:BOOL=OFF", cache)
        self.assertRegex(asked[-1], r"^cmake --build .* --target lastbit$")

    def test_a_build_after_the_tool_is_of_everything(self):
        self.run_with("lastbit")
        self.assertEqual(self.run_with("build").returncode, 0)
        self.assertIn("libgtest-dev", self.asked.read_text().splitlines())
        self.assertIn("LASTBIT_TESTS:BOOL=ON", (self.root / "build/release/CMakeCache.txt").read_text())

    def test_a_benchmark_after_the_tool_is_configured(self):
        self.run_with("lastbit")
        (self.root / "benchmarks/noise.cc").touch()
        self.run_with("bench", "noise")
        self.assertIn("LASTBIT_BENCHMARKS:BOOL=ON", (self.root / "build/release/CMakeCache.txt").read_text())

    def test_a_quick_build_of_the_tool_is_not_shown(self):
        self.run_with("lastbit")
        self.assertEqual(self.run_with("lastbit").stderr, "")

    def test_away_from_a_terminal_every_tenth_is_a_line(self):
        shown = self.run_with("build", pause=0.2).stderr.splitlines()
        counts = [int(n) for n in re.findall(r"(?m)^building +\[(\d+)/20\]$", "\n".join(shown))]
        self.assertGreaterEqual(len(counts), 2)
        self.assertLessEqual(len(counts), 10)
        self.assertEqual(counts, sorted(set(counts)))
        self.assertRegex(shown[-1], r"^building +\d+ s$")
        self.assertNotIn("Re-checking", "".join(shown))

    def test_on_a_terminal_one_line_counts(self):
        ours, theirs = pty.openpty()
        try:
            self.run_with("build", pause=0.2, error=theirs)
            shown = os.read(ours, 65536).decode()
        finally:
            os.close(theirs)
            os.close(ours)
        building = shown.rstrip().replace("\r\n", "\n").split("\n")[-1]
        self.assertGreaterEqual(building.count("/20]"), 2, shown)
        self.assertRegex(building, r"\r\x1b\[Kbuilding +\d+ s$")

    def test_a_build_that_fails_shows_the_end_of_its_log(self):
        self.run_with("lastbit")
        answer = self.run_with("lastbit", result=1)
        self.assertEqual((answer.returncode, answer.stdout), (70, ""))
        self.assertIn("FAILED after", answer.stderr)
        self.assertIn("[20/20] Building part 20", answer.stderr)


class PythonPackageTest(unittest.TestCase):
    """tools/python_package.sh, with an interpreter that makes an environment whose pip ends with a given status."""

    def run_script(self, folder, status, script):
        python = folder / "python"
        python.write_text("#!/bin/sh\n"
                          f'[ "$2" = venv ] || exit {status}\n'
                          'mkdir -p "$3/bin" && cp "$0" "$3/bin/python"\n')
        python.chmod(0o755)
        script = f"""
            root={ROOT} build={folder}/build logs={folder} jobs=1
            say() {{ echo "$*"; }}
            step() {{ shift 2; "$@"; }}
            fail() {{ echo "${{@:2}}"; exit "$1"; }}
            source {ROOT}/tools/python_package.sh
            own_python() {{ echo {python}; }}
            {script}
        """
        return subprocess.run(["bash", "-euc", script], capture_output=True, text=True, check=False)

    def options(self, folder, status):
        done = self.run_script(folder, status, 'prepare_python && echo "${python_options[0]}"')
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.splitlines()

    def test_the_package_is_built_where_its_packages_can_be_installed(self):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.assertEqual(self.options(folder, 0), ["-DLASTBIT_PYTHON=ON"])

    def test_it_is_skipped_with_one_line_elsewhere(self):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.assertEqual(self.options(folder, 1), [
            "Python package: skipped (its packages cannot be installed from PyPI)", "-DLASTBIT_PYTHON=OFF"])

    def test_a_wheel_is_refused_with_one_line_there(self):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        done = self.run_script(folder, 1, "build_python_package")
        self.assertEqual(done.returncode, 69)
        self.assertEqual(done.stdout.splitlines()[-1], "this needs packages from PyPI, which cannot be installed")

    def test_without_a_newer_python_one_line_says_so(self):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        done = self.run_script(folder, 1, """newer_pythons=(no-such-python "$(own_python)")
            prepare_wheel_tools() { :; }
            make_wheel() { echo "made ${1##*/}"; }
            make_wheels""")
        self.assertEqual((done.returncode, done.stdout.splitlines()), (0, [
            "no wheel for Python 3.12 and later: there is no such interpreter with its headers on this machine",
            "made venv"]))


if __name__ == "__main__":
    unittest.main()
