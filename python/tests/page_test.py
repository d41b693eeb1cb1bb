"""Runs the blocks of kind python of docs/python.md, in order, beside the files that the page shows."""

import doctest
import pathlib
import re

import lastbit

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "python.md"
BLOCK = re.compile(r"(?P<before>[^\n]*)\n+```(?P<kind>\w+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
FILE_NAME = re.compile(r"`([\w-]+\.\w+)`")


def test_page(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = PAGE.read_text("utf-8")
    names, ran = {"lastbit": lastbit}, 0
    for block in BLOCK.finditer(text):
        if block["kind"] in ("csv", "toml"):
            (tmp_path / FILE_NAME.findall(block["before"])[-1]).write_text(block["text"], "utf-8")
        elif block["kind"] == "python" and "not run:" not in block["before"]:
            line = text[: block.start("text")].count("\n")
            test = doctest.DocTestParser().get_doctest(block["text"], names, "docs/python.md", str(PAGE), line)
            found = []
            doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=found.append, clear_globs=False)
            assert not found, "".join(found)
            names, ran = test.globs, ran + len(test.examples)
    assert ran > 20
