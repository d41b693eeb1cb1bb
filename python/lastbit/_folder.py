"""The folder of a release: three files, all of them new."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Mapping, Union

from ._errors import Error

NAMES = ("report.html", "release.json", "answers.csv")


def require_free(folder: Union[str, "os.PathLike[str]"]) -> None:
    """Makes the folder, and refuses one that cannot be written or holds a release, which was paid for."""
    path = Path(folder)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Error("bad input", str(path), f"cannot be made: {error.strerror}", "choose another folder") from None
    for name in NAMES:
        if os.path.lexists(path / name):
            problem = "is there already, from a release that was paid for"
            raise Error("bad input", str(path / name), problem, "choose another folder")
    if not os.access(path, os.W_OK | os.X_OK):
        raise Error("bad input", str(path), "cannot be written", "choose another folder")


def write_files(folder: Union[str, "os.PathLike[str]"], texts: Mapping[str, str]) -> None:
    """Writes new files, each of which appears whole or not at all."""
    require_free(folder)
    for name, text in texts.items():
        target = Path(folder, name)
        unfinished = target.with_name(f".{name}.{os.getpid()}")
        try:
            with open(unfinished, "x", encoding="utf-8", newline="") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            os.link(unfinished, target)  # unlike a rename, this replaces nothing
        except OSError as error:
            problem = f"cannot be written: {error.strerror}"
            raise Error("storage failure", str(target), problem, "choose another folder") from None
        finally:
            unfinished.unlink(missing_ok=True)
