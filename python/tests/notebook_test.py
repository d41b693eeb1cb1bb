"""The notebooks of `examples` run, and show what they did when they were recorded."""

import json
import pathlib

import pytest
from run_notebook import run

NOTEBOOKS = sorted((pathlib.Path(__file__).parents[2] / "examples").glob("*/*.ipynb"))


def shown(outputs):
    """What a reader sees. Where lines break depends on the folder's name."""
    texts = [output["text"] if "text" in output else output["data"]["text/plain"] for output in outputs]
    return [" ".join("".join(text).split()) for text in texts]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(path, tmp_path, monkeypatch):
    pytest.importorskip("pandas")
    monkeypatch.chdir(tmp_path)
    compared = 0
    for cell, outputs in run(json.loads(path.read_text("utf-8"))):
        if "noise" in cell["metadata"].get("tags", ()):
            assert outputs, cell["source"]
        else:
            assert shown(outputs) == shown(cell["outputs"]), cell["source"]
            compared += bool(outputs)
    assert compared >= 5


def test_there_is_one():
    assert NOTEBOOKS
