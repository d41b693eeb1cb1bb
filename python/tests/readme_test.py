"""Runs the Python of README.md on a survey."""

import pathlib
import re

import pytest

README = pathlib.Path(__file__).parents[2] / "README.md"
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_readme(tmp_path, monkeypatch, capsys):
    pytest.importorskip("pandas")
    monkeypatch.chdir(tmp_path)
    rows = [f"{region},{1000 * row}\n" for row in range(90) for region in ("Aldermoor", "Greyhaven", "Mirefield")]
    (tmp_path / "survey.csv").write_text("region,income\n" + "".join(rows), "utf-8")
    blocks = BLOCK.findall(README.read_text("utf-8"))
    assert blocks
    for block in blocks:
        exec(compile(block, "README.md", "exec"), {})
    shown = capsys.readouterr().out
    for word in ("Aldermoor", "Greyhaven", "Mirefield", "people", "epsilon 1.5"):
        assert word in shown
