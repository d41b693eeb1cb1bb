"""Virtual environments of the comparison, one for each file in requirements/, as their packages conflict."""

import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
PIP = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--retries", "1", "--timeout", "20"]


def requirements(name):
    return HERE / "requirements" / f"{name}.txt"


def why(log):
    """The line of a log that says best what went wrong."""
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR")]
    return (errors or lines or ["no reason given"])[-1].removeprefix("ERROR: ")


class Environments:
    def __init__(self, folder, say):
        self.folder = folder
        self.say = say
        self.failed = {}  # what could not be installed, and why

    def python(self, name):
        return self.folder / name / "bin" / "python"

    def install(self, name):
        """True if the environment is as its requirements say; makes it if it is not."""
        place, wanted = self.folder / name, requirements(name).read_text("utf-8")
        stamp = place / "requirements.txt"
        if name in self.failed:
            return False
        if stamp.exists() and stamp.read_text("utf-8") == wanted:
            return True
        self.say(f"installing {', '.join(line for line in wanted.split())}")
        shutil.rmtree(place, ignore_errors=True)
        made = self.run(sys.executable, "-m", "venv", place)
        if made.returncode == 0:
            made = self.run(self.python(name), *PIP, "-r", requirements(name))
        if made.returncode != 0:
            self.failed[name] = why(made.stdout)
            return False
        stamp.write_text(wanted, "utf-8")
        return True

    @staticmethod
    def run(*words):
        return subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, check=False)
