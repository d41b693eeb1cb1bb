"""What lastbit loss writes for tools that we did not write: loss_outside_test.py BINARY. Ends with 77, which
ctest calls skipped, where a tool is missing."""

import pathlib
import shutil
import subprocess
import sys
import tempfile

BINARY = sys.argv[1]
PAIR = ["--epsilon", "1", "--bound", "64", "--x", "12.37", "--x2", "13.37"]
SMALL = ["--epsilon", "1/144", "--bound", "4", "--precision", "5", "--x", "3", "--x2", "4", "--anyway"]
SEARCHED = ["--epsilon", "1/3", "--lower", "0", "--upper", "40", "--precision", "24"]


def write(arguments, option, path):
    subprocess.run([BINARY, "loss", *arguments, option, str(path)], check=True, stdout=subprocess.DEVNULL)


def accepted(tool, path, folder):
    run = subprocess.run([tool, path.name], check=False, cwd=folder, capture_output=True, text=True)
    return run.returncode == 0, run.stdout + run.stderr


def check_coq(folder):
    """coqc accepts each file, and refuses one whose theorem says too much."""
    for number, arguments in enumerate((PAIR, SMALL, SEARCHED)):
        path = folder / f"loss{number}.v"
        write(arguments, "--coq", path)
        good, said = accepted("coqc", path, folder)
        if not good:
            sys.exit(f"coqc refuses {arguments}:\n{said}")
    text = (folder / "loss0.v").read_text(encoding="utf-8")
    wrong = folder / "wrong.v"
    wrong.write_text(text.replace("ideal < loss.", "ideal + 1 / 1000000000000 < loss."), encoding="utf-8")
    if accepted("coqc", wrong, folder)[0]:
        sys.exit("coqc accepts a loss that is too large")


def check_gappa(folder):
    for number, arguments in enumerate((PAIR, SEARCHED)):
        path = folder / f"sum{number}.g"
        write(arguments, "--gappa", path)
        good, said = accepted("gappa", path, folder)
        if not good:
            sys.exit(f"gappa refuses {arguments}:\n{said}")


def main():
    checks = {"coqc": check_coq, "gappa": check_gappa}
    missing = [tool for tool in checks if shutil.which(tool) is None]
    with tempfile.TemporaryDirectory() as name:
        for tool, check in checks.items():
            if tool not in missing:
                check(pathlib.Path(name))
    if missing:
        print(f"skipped: {' and '.join(missing)} not installed")
        sys.exit(77)


if __name__ == "__main__":
    main()
