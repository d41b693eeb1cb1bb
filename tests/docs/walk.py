"""Walks through a page of the manual as a reader would: writes the files that it shows, runs the commands
that it shows, and compares what they print.

  - A block fenced as `toml`, `csv` or `dp` is written to the file that the paragraph before it names last,
    in backticks: `survey.toml`.
  - A block fenced as `console` holds commands, each after a `$ ` and going on after a `> `, and what they print. A
    line that is only … stands for any lines, and … in a line for any text there. ≈12,345 stands for any number or
    range of numbers, with or without a mark such as ??, and with any spaces between the words of its line. A command
    whose output shows a message of the tool (`lastbit: …`) or a failed check must fail, every other one must succeed.
  - A block below a line `<!-- not run: why -->` is left alone.
"""

import os
import pathlib
import re
import subprocess
import typing

FILES = ("toml", "csv", "dp")
NOT_RUN = re.compile(r"<!-- not run: \S.* -->")
FILE_NAME = re.compile(r"`([\w-]+\.\w+)`")
FENCE = re.compile(r"^(```+|~~~+)(.*)$")
FAILURES = ("lastbit: ", "refuted: ", "  VIOLATION: ")
ANY_NUMBER = r"-?[\d,.]+(?: to -?[\d,.]+)?(?: +\?\??)?"
TIMEOUT = 120


class Block(typing.NamedTuple):
    kind: str  # the word after the fence
    text: str
    line: int  # of the fence, counted from 1
    before: str  # the paragraph before it
    runs: bool  # False below a line `<!-- not run: why -->`

    def file_name(self):
        """The name that the paragraph before it ends with, or None."""
        return next(reversed(FILE_NAME.findall(self.before)), None) if self.kind in FILES else None


def blocks_of(text):
    """All fenced blocks of a page, in order."""
    blocks, opened, body, before, paragraph_ends = [], None, [], [], True
    for number, line in enumerate(text.splitlines(), 1):
        fence = FENCE.match(line)
        if opened is None and fence:
            opened, body = (fence[1], fence[2].strip(), number), []
        elif opened is None:
            if line.strip():
                before = [line] if paragraph_ends else [*before, line]
            paragraph_ends = not line.strip()
        elif line == opened[0]:
            runs = not (before and NOT_RUN.fullmatch(before[-1].strip()))
            blocks.append(Block(opened[1], "".join(f"{l}\n" for l in body), opened[2], " ".join(before), runs))
            opened, before, paragraph_ends = None, [], True
        else:
            body.append(line)
    if opened is not None:
        raise ValueError(f"line {opened[2]}: this fence is never closed")
    return blocks


def commands_of(console):
    """The commands of a console block, each with the lines that it prints."""
    commands = []
    for line in console.splitlines():
        if line.startswith("$ "):
            commands.append([line[2:], []])
        elif commands and not commands[-1][1] and line.startswith("> "):
            commands[-1][0] += "\n" + line[2:]
        elif commands:
            commands[-1][1].append(line)
        else:
            raise ValueError(f"a console block starts with a command after `$ `, not with: {line}")
    return commands


def pattern_of_line(line):
    if line.strip() == "…":
        return r"(?:.*\n)*"
    pattern = re.escape(line).replace("…", ".*")
    if "≈" in line:
        pattern = re.sub(r"≈(?:\\?[-\d,.])+", lambda _: ANY_NUMBER, re.sub(r"(?:\\ )+", " +", pattern))
    return pattern + r"\n"


def pattern_of(lines):
    """A regular expression of the output that these lines show."""
    return r"\A" + "".join(map(pattern_of_line, lines)) + r"\Z"


def run_command(case, binary, folder, command, lines):
    """Runs one command line with `lastbit` meaning the binary, and compares."""
    shell = f'lastbit() {{ "{binary}" "$@"; }}; {command}'
    run = subprocess.run(["bash", "-c", shell], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, text=True, timeout=TIMEOUT, check=False,
                         env={**os.environ, "LC_ALL": "C.UTF-8"})
    fails = any(line.startswith(FAILURES) for line in lines)
    case.assertEqual(run.returncode != 0, fails, f"$ {command}\nended with {run.returncode} and printed\n{run.stdout}")
    case.assertTrue(re.match(pattern_of(lines), run.stdout),
                    f"$ {command}\nthe page shows\n" + "\n".join(lines) + f"\nand it printed\n{run.stdout}")


def walk(case, text, binary, folder):
    """Walks through all blocks of a page in `folder`; how many commands ran."""
    count = 0
    for block in blocks_of(text):
        if not block.runs:
            continue
        if block.kind in FILES:
            name = block.file_name()
            if name is None:
                raise ValueError(f"line {block.line}: the paragraph before a block of {block.kind} has to name its file")
            (pathlib.Path(folder) / name).write_text(block.text, encoding="utf-8")
        elif block.kind == "console":
            for command, lines in commands_of(block.text):
                with case.subTest(line=block.line, command=command):
                    run_command(case, binary, folder, command, lines)
                count += 1
    return count
